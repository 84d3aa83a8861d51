import type { CommandSession } from '../assembly/session.ts';
import { DomainError } from '../model/errors.ts';
import { printable } from '../runtime/printable.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';
import { readFile } from './read-file.ts';

interface ImportFlags {
  readonly psl?: true;
}

const ALL_BY_NAME = { filters: {}, sortKey: 'name', sortDir: 'asc' } as const;

/** Stores all TLDs of a file, or none; TLDs already stored are skipped and counted. */
async function importFile(
  { context, useCases: { tlds } }: CommandSession,
  file: string,
  { psl }: ImportFlags,
  { out }: Output,
): Promise<ExitStatus> {
  const bytes = readFile(file);
  try {
    const { added, present, leftOut } = await tlds.importFile(context, {
      bytes,
      format: psl ? 'psl' : 'names',
    });
    const rest = leftOut === 0 ? '' : `, skipped ${leftOut} exceptions`;
    out(`imported ${added}, already stored ${present}${rest}`);
    return EXIT.done;
  } catch (error) {
    const isRefusal = error instanceof DomainError && error.kind === 'invalid_object';
    throw isRefusal ? new CommandError(`${error.message} Nothing was stored.`) : error;
  }
}

/** Prints one TLD per line, in the format that `tld import` reads. */
async function printAll(
  { context, useCases: { tlds } }: CommandSession,
  { out }: Output,
): Promise<ExitStatus> {
  for await (const batch of tlds.stream(context, ALL_BY_NAME)) {
    if (batch.length > 0) out(batch.map(({ name }) => printable(name)).join('\n'));
  }
  return EXIT.done;
}

export function addTldCommands({ program, output, runOnStore }: Commands): void {
  const tld = program.command('tld').description('manage the TLDs below which zones may be created');
  tld
    .command('import')
    .description('import the TLDs of a file, all or none; one per line, lines that start with # are ignored')
    .argument('<file>', 'the file, or - for standard input')
    .option('--psl', 'a public suffix list: a wildcard adds its parent, exceptions are skipped')
    .action((file: string, flags: ImportFlags) =>
      runOnStore((session) => importFile(session, file, flags, output)),
    );
  tld
    .command('list')
    .description('print all TLDs, one per line')
    .action(() => runOnStore((session) => printAll(session, output)));
}
