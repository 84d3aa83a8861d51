import type { CommandSession } from '../assembly/session.ts';
import { fitsOnLine } from '../domain/blacklists/pattern-file.ts';
import { termsShown } from '../domain/blacklists/term-shapes.ts';
import { type Blacklist, DEFAULT_TERMS } from '../model/blacklists/blacklist.ts';
import { printable, printableJson } from '../runtime/printable.ts';
import { addFileCommands } from './blacklist-files.ts';
import { addListCommands } from './blacklist-lists.ts';
import { type PreviewFlags, previewPattern } from './blacklist-preview.ts';
import { type TestFlags, testName } from './blacklist-test.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';

const EVERYTHING = { filters: {}, sortKey: 'created_at', sortDir: 'asc' } as const;

/** The line of a pattern in a plain export; undefined if it must be skipped. */
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

/** Prints one pattern, or one JSON object, per line. */
async function exportAll(
  { context, useCases }: CommandSession,
  asJson: boolean,
  { out, err }: Output,
): Promise<ExitStatus> {
  const lineOf = asJson ? jsonLine : plainLine;
  const leftOut: Blacklist[] = [];
  let withTerms = 0;
  for await (const batch of useCases.blacklists.stream(context, EVERYTHING)) {
    leftOut.push(...batch.filter((one) => lineOf(one) === undefined));
    withTerms += batch.filter(hasTerms).length;
    const lines = batch.map(lineOf).filter((line) => line !== undefined);
    if (lines.length > 0) out(lines.join('\n'));
  }
  for (const { id, pattern } of leftOut) {
    err(`skipped ${printable(id)}: its pattern does not fit on a plain line: ${printableJson(pattern)}`);
  }
  if (withTerms > 0 && !asJson) {
    err(
      `${withTerms} of the patterns have a mode, an expiry or exceptions, which only "blacklist export --jsonl" includes.`,
    );
  }
  if (leftOut.length === 0) return EXIT.done;
  throw new CommandError(
    `${leftOut.length} of the patterns were skipped. Export them with "blacklist export --jsonl".`,
  );
}

/** The commands for blacklists: files, lists, `export`, `test` and `preview`. */
export function addBlacklistCommands({ program, output, runOnStore }: Commands): void {
  const blacklist = program.command('blacklist').description('manage name blacklists');
  addFileCommands(blacklist, { output, runOnStore });
  addListCommands(blacklist, { output, runOnStore });
  blacklist
    .command('export')
    .description('print all patterns, one per line')
    .option('--jsonl', 'one JSON object per line, with pattern, description and non-default settings')
    .action(({ jsonl = false }: { jsonl?: boolean }) =>
      runOnStore((session) => exportAll(session, jsonl, output)),
    );
  blacklist
    .command('test')
    .description('print the patterns that match a name; exit 0 if none match, 1 if any match')
    .argument('<name>')
    .option('--project <id>', 'check as this project, with its exceptions')
    .action((name: string, flags: TestFlags) =>
      runOnStore((session) => testName(session, name, flags, output)),
    );
  blacklist
    .command('preview')
    .description('print the existing zones that a pattern matches; exit 0 if none match, 1 if any match')
    .argument('[pattern]')
    .option('--id <id>', 'preview the pattern of this entry')
    .option('--json', 'one JSON object per line')
    .action((pattern: string | undefined, flags: PreviewFlags) =>
      runOnStore((session) => previewPattern(session, pattern, flags, output)),
    );
}
