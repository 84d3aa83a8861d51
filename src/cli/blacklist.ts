import {
  type Blacklist,
  DEFAULT_TERMS,
  MODES,
  type Mode,
  type Terms,
} from '../domain/blacklists/blacklist.ts';
import { fitsOnLine, type PatternFileFormat } from '../domain/blacklists/pattern-file.ts';
import type { PatternImport } from '../domain/blacklists/pattern-imports.ts';
import { termsShown } from '../domain/blacklists/term-shapes.ts';
import { parseTimestamp } from '../domain/clock.ts';
import { DomainError } from '../domain/errors.ts';
import type { Session } from '../session.ts';
import { type PreviewFlags, previewPattern } from './blacklist-preview.ts';
import { type TestFlags, testName } from './blacklist-test.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';
import { printable, printableJson } from './printing.ts';
import { type Progress, progressBar } from './progress.ts';
import { readFile } from './reading.ts';

type FileFormats = Partial<Record<Exclude<PatternFileFormat, 'patterns'>, boolean>>;

function formatOf(flags: FileFormats): PatternFileFormat {
  const chosen = Object.keys(flags) as (keyof FileFormats)[];
  if (chosen.length > 1)
    throw new CommandError(`Choose one of ${chosen.map((flag) => `--${flag}`).join(' and ')}.`);
  return chosen[0] ?? 'patterns';
}

interface ImportFlags extends FileFormats {
  readonly mode?: string;
  readonly expiresAt?: string;
}

function requireMode(text: string): Mode {
  const mode = MODES.find((one) => one === text);
  if (mode === undefined) throw new CommandError(`--mode: write one of ${MODES.join(', ')}.`);
  return mode;
}

function requireTime(text: string): string {
  const parsed = parseTimestamp(text);
  if (!parsed.ok) throw new CommandError(`--expires-at: ${parsed.reason}`);
  return parsed.value;
}

function termsOf({ mode, expiresAt }: ImportFlags): Partial<Terms> {
  return {
    ...(mode === undefined ? {} : { mode: requireMode(mode) }),
    ...(expiresAt === undefined ? {} : { expiresAt: requireTime(expiresAt) }),
  };
}

function warningLines({ warnings, warningCount }: PatternImport): string[] {
  const lines = warnings.map(({ line, code, message }) => `warning: line ${line}: ${code}: ${message}`);
  const more = warningCount - warnings.length;
  return (more > 0 ? [...lines, `warning: and ${more} more`] : lines).map(printable);
}

/** A refusal of what the file holds. */
function ofFile(error: unknown): unknown {
  const isRefusal = error instanceof DomainError && error.kind === 'invalid_object';
  return isRefusal ? new CommandError(`${error.message} Nothing was stored.`) : error;
}

/** Stores all patterns of a file, or none; what is there already is skipped and counted. */
async function importFile(
  { act, useCases }: Session,
  file: string,
  flags: ImportFlags,
  { out, err }: Output,
): Promise<ExitStatus> {
  const { mode: _, expiresAt: __, ...formats } = flags;
  const format = formatOf(formats);
  const terms = termsOf(flags);
  const bytes = readFile(file);
  let bar: Progress | undefined;
  const progress = (done: number, total: number) => {
    bar ??= progressBar('importing', total);
    bar.update(done);
  };
  const imported = await useCases.patternImports
    .create(act, { bytes, format, terms }, progress)
    .catch((error: unknown) => {
      throw ofFile(error);
    })
    .finally(() => bar?.stop());
  for (const line of warningLines(imported)) err(line);
  out(`imported ${imported.added}, already stored ${imported.present}`);
  return EXIT.done;
}

const EVERYTHING = { filters: {}, sortKey: 'created_at', sortDir: 'asc' } as const;

/** The line of a pattern in a plain export; undefined when it has to be left out. */
function plainLine({ pattern }: Blacklist): string | undefined {
  return fitsOnLine(pattern) ? pattern : undefined;
}

function jsonLine(blacklist: Blacklist): string {
  const { pattern, description } = blacklist;
  return printableJson({ pattern, description, ...termsShown(blacklist) });
}

function hasTerms({ mode, expiresAt, exceptions }: Blacklist): boolean {
  return mode !== DEFAULT_TERMS.mode || expiresAt !== null || exceptions.length > 0;
}

/** Prints one pattern a line, or one JSON object a line. */
async function exportAll(
  { act, useCases }: Session,
  asJson: boolean,
  { out, err }: Output,
): Promise<ExitStatus> {
  const lineOf = asJson ? jsonLine : plainLine;
  const leftOut: Blacklist[] = [];
  let withTerms = 0;
  for await (const batch of useCases.blacklists.stream(act, EVERYTHING)) {
    leftOut.push(...batch.filter((one) => lineOf(one) === undefined));
    withTerms += batch.filter(hasTerms).length;
    const lines = batch.map(lineOf).filter((line) => line !== undefined);
    if (lines.length > 0) out(lines.join('\n'));
  }
  for (const { id, pattern } of leftOut) {
    err(`skipped ${printable(id)}: its pattern does not fit on one line: ${printableJson(pattern)}`);
  }
  if (withTerms > 0 && !asJson) {
    err(
      `${withTerms} of the patterns have a mode, an expiry or exceptions: "blacklist export --jsonl" shows them.`,
    );
  }
  if (leftOut.length === 0) return EXIT.done;
  throw new CommandError(`${leftOut.length} of the patterns need "blacklist export --jsonl".`);
}

/** `blacklist import`, `blacklist export`, `blacklist test` and `blacklist preview`. */
export function addBlacklistCommands({ program, output, runOnStore }: Commands): void {
  const blacklist = program.command('blacklist').description('patterns of reserved names');
  blacklist
    .command('import')
    .description(
      'store the patterns of a file, all or none; one pattern per line unless an option says otherwise',
    )
    .argument('<file>', 'the file, or - for standard input')
    .option('--exact', 'one name per line: block only that name')
    .option('--subtree', 'one name per line: block the name and everything below it')
    .option('--psl', 'a public suffix list: block the suffixes themselves')
    .option('--jsonl', 'one JSON object per line, with pattern, description, mode, expires_at and exceptions')
    .option('--mode <mode>', 'enforce, warn or audit, for entries that give none themselves')
    .option(
      '--expires-at <time>',
      'when the entries expire that say nothing of it, such as 2030-01-31T12:00:00Z',
    )
    .action((file: string, flags: ImportFlags) =>
      runOnStore((session) => importFile(session, file, flags, output)),
    );
  blacklist
    .command('export')
    .description('print all patterns, one per line')
    .option('--jsonl', 'one JSON object per line, with pattern, description and what is not at its default')
    .action(({ jsonl = false }: { jsonl?: boolean }) =>
      runOnStore((session) => exportAll(session, jsonl, output)),
    );
  blacklist
    .command('test')
    .description('print the patterns that match a name; exit 0 if none match, 1 if any match')
    .argument('<name>')
    .option('--project <id>', 'the project whose create would meet them, for exceptions')
    .action((name: string, flags: TestFlags) =>
      runOnStore((session) => testName(session, name, flags, output)),
    );
  blacklist
    .command('preview')
    .description('print the existing zones that a pattern matches; exit 0 if none match, 1 if any match')
    .argument('[pattern]')
    .option('--id <id>', 'the pattern of this entry')
    .option('--json', 'a JSON object a line')
    .action((pattern: string | undefined, flags: PreviewFlags) =>
      runOnStore((session) => previewPattern(session, pattern, flags, output)),
    );
}
