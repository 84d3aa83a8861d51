/** `blacklist lists`, `blacklist set` and `blacklist remove`. */
import type { Command } from 'commander';
import type { BlacklistList } from '../model/blacklist-lists/blacklist-list.ts';
import { termsOf } from './blacklist-files.ts';
import type { Commands } from './commands.ts';
import { CommandError, EXIT } from './errors.ts';

function lineOf({ name, entries, createdAt, updatedAt, sha256 }: BlacklistList): string {
  return [name, entries, `changed ${updatedAt ?? createdAt}`, `sha256 ${sha256 || '-'}`].join('  ');
}

/** The commands for whole lists. */
export function addListCommands(
  blacklist: Command,
  { output, runOnStore }: Pick<Commands, 'output' | 'runOnStore'>,
): void {
  blacklist
    .command('lists')
    .description('print the lists and their pattern counts')
    .action(() =>
      runOnStore(async ({ context, useCases }) => {
        for (const list of await useCases.blacklistLists.all(context)) output.out(lineOf(list));
        return EXIT.done;
      }),
    );
  blacklist
    .command('set')
    .description('set the mode or expiry of all patterns in a list')
    .requiredOption('--list <name>', 'the list')
    .option('--mode <mode>', 'enforce, warn or audit')
    .option('--expires-at <time>', 'when they expire, such as 2030-01-31T12:00:00Z')
    .action((flags: { list: string; mode?: string; expiresAt?: string }) =>
      runOnStore(async ({ context, useCases }) => {
        const terms = termsOf(flags);
        if (Object.keys(terms).length === 0) throw new CommandError('Give --mode or --expires-at.');
        const { list, changed } = await useCases.blacklistLists.setTerms(context, flags.list, terms, true);
        output.out(`changed ${changed} of ${list.entries}`);
        return EXIT.done;
      }),
    );
  blacklist
    .command('remove')
    .description('remove a list, and the patterns that nothing else holds')
    .requiredOption('--list <name>', 'the list')
    .action(({ list }: { list: string }) =>
      runOnStore(async ({ context, useCases }) => {
        const { removed, released } = await useCases.blacklistLists.removeNow(context, list);
        output.out(`removed ${removed}, held by others ${released - removed}`);
        return EXIT.done;
      }),
    );
}
