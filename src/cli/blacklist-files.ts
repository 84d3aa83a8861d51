/** `blacklist import` and `blacklist sync`. */
import type { Command } from 'commander';
import type { CommandSession } from '../assembly/session.ts';
import type { FileImport } from '../domain/blacklist-lists/blacklist-lists.ts';
import type { Incoming } from '../domain/blacklist-lists/incoming.ts';
import type { PatternFileFormat } from '../domain/blacklists/pattern-file.ts';
import type { Forecast } from '../model/blacklist-lists/list-task.ts';
import { MODES, type Mode, type Terms } from '../model/blacklists/blacklist.ts';
import { parseTimestamp } from '../model/clock.ts';
import { DomainError } from '../model/errors.ts';
import { printable } from '../runtime/printable.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';
import { type ProgressBar, progressBar } from './progress.ts';
import { readFile } from './read-file.ts';

type FileFormats = Partial<Record<Exclude<PatternFileFormat, 'patterns'>, boolean>>;

interface TermFlags {
  readonly mode?: string;
  readonly expiresAt?: string;
}

interface FileFlags extends FileFormats, TermFlags {
  readonly list?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

function formatOf({ exact, subtree, psl, jsonl }: FileFormats): PatternFileFormat {
  const flags = Object.entries({ exact, subtree, psl, jsonl }).filter(([, isGiven]) => isGiven === true);
  const chosen = flags.map(([flag]) => flag as keyof FileFormats);
  if (chosen.length > 1)
    throw new CommandError(`Use only one of ${chosen.map((flag) => `--${flag}`).join(' and ')}.`);
  return chosen[0] ?? 'patterns';
}

function requireMode(text: string): Mode {
  const mode = MODES.find((one) => one === text);
  if (mode === undefined)
    throw new CommandError(`--mode: "${text}" is not a mode. Use one of: ${MODES.join(', ')}.`);
  return mode;
}

function requireTime(text: string): string {
  const parsed = parseTimestamp(text);
  if (!parsed.ok) throw new CommandError(`--expires-at: ${parsed.reason}`);
  return parsed.value;
}

/** The terms that the options set. */
export function termsOf({ mode, expiresAt }: TermFlags): Pick<Partial<Terms>, 'mode' | 'expiresAt'> {
  return {
    ...(mode === undefined ? {} : { mode: requireMode(mode) }),
    ...(expiresAt === undefined ? {} : { expiresAt: requireTime(expiresAt) }),
  };
}

function warningLines({ warnings, warningCount }: FileImport): string[] {
  const lines = warnings.map(({ line, code, message }) => `warning: line ${line}: ${code}: ${message}`);
  const more = warningCount - warnings.length;
  return (more > 0 ? [...lines, `warning: and ${more} more`] : lines).map(printable);
}

/** Turns a refusal of the file's contents into a CommandError, and prints its faults, one per line. */
function ofFile(error: unknown, { err }: Output): unknown {
  const isRefusal = error instanceof DomainError && error.kind === 'invalid_object';
  if (!isRefusal) return error;
  const faults = error.message.split('\n');
  if (faults.length === 1) return new CommandError(`${error.message} Nothing was stored.`);
  for (const fault of faults) err(printable(fault));
  return new CommandError(`${Number(error.details.faults)} lines are invalid. Nothing was stored.`);
}

function incomingOf(file: string, flags: FileFlags, isSync: boolean): Incoming {
  const { list = '', force: isForced } = flags;
  const format = formatOf(flags);
  const terms = termsOf(flags);
  const whole = readFile(file);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield whole;
  }
  return { bytes: bytes(), format, terms, list, isForced, isSync };
}

/** Stores all patterns of a file, or none; patterns already stored are skipped and counted. */
async function storeFile(
  { context, useCases }: CommandSession,
  incoming: Incoming,
  output: Output,
): Promise<ExitStatus> {
  const { out, err } = output;
  let bar: ProgressBar | undefined;
  const progress = (done: number, total: number) => {
    bar ??= progressBar('importing', total);
    bar.update(done);
  };
  const imported = await useCases.blacklistLists
    .importNow(context, incoming, progress)
    .catch((error: unknown) => {
      throw ofFile(error, output);
    })
    .finally(() => bar?.stop());
  for (const line of warningLines(imported)) err(line);
  const { added, present, removed, released } = imported;
  const left = incoming.isSync ? `, no longer in the list ${released}, removed ${removed}` : '';
  out(`imported ${added}, already stored ${present}${left}`);
  return EXIT.done;
}

function shown(title: string, texts: readonly string[], count: number): string[] {
  if (count === 0) return [];
  const more = count - texts.length;
  const lines = texts.map((text) => `  ${printable(text)}`);
  return [`${title}:`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** Prints what a file would change. */
async function tryFile(
  { context, useCases }: CommandSession,
  incoming: Incoming,
  output: Output,
): Promise<ExitStatus> {
  const tried = useCases.blacklistImports.forecast(context, incoming).catch((error: unknown) => {
    throw ofFile(error, output);
  });
  const { task, forecast } = await tried;
  const { coming, going, zones, zoneCount }: Forecast = forecast;
  const lines = [
    ...shown('would be added', coming, task.added),
    ...shown('would be removed', going, task.removed),
    ...shown('existing zones that the new entries match', zones, zoneCount),
    `would import ${task.added}, already stored ${task.present}, would remove ${task.removed}; existing zones newly hit: ${zoneCount}`,
  ];
  for (const line of lines) output.out(line);
  return EXIT.done;
}

function fileCommand(command: Command): Command {
  return command
    .argument('<file>', 'the file, or - for standard input')
    .option('--exact', 'one name per line: block only that name')
    .option('--subtree', 'one name per line: block the name and everything below it')
    .option('--psl', 'a public suffix list: block the suffixes themselves')
    .option('--jsonl', 'one JSON object per line, with pattern, description, mode, expires_at and exceptions')
    .option('--mode <mode>', 'enforce, warn or audit, for new entries that set none')
    .option('--expires-at <time>', 'default expiry of new entries, such as 2030-01-31T12:00:00Z')
    .option('--force', 'also accept patterns that match nearly everything');
}

/** The commands that read a file. */
export function addFileCommands(
  blacklist: Command,
  { output, runOnStore }: Pick<Commands, 'output' | 'runOnStore'>,
): void {
  fileCommand(blacklist.command('import'))
    .description('import the patterns of a file, all or none; one per line unless an option says otherwise')
    .option('--list <name>', 'the list to add them to')
    .action((file: string, flags: FileFlags) =>
      runOnStore((session) => storeFile(session, incomingOf(file, flags, false), output)),
    );
  fileCommand(blacklist.command('sync'))
    .description('make a list match a file; unchanged entries keep their mode, expiry and exceptions')
    .requiredOption('--list <name>', 'the list')
    .option('--dry-run', 'only show what would be added and removed, and which existing zones would match')
    .action((file: string, flags: FileFlags) =>
      runOnStore((session) => {
        const incoming = incomingOf(file, flags, true);
        return flags.dryRun === true
          ? tryFile(session, incoming, output)
          : storeFile(session, incoming, output);
      }),
    );
}
