import type { CommandSession } from '../assembly/session.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';

interface PurgeOptions {
  readonly project?: string;
  readonly all?: true;
}

async function purge(
  { context, useCases }: CommandSession,
  { project }: PurgeOptions,
  { out }: Output,
): Promise<ExitStatus> {
  out(`purged ${await useCases.idempotencyKeys.purge(context, project)} responses`);
  return EXIT.done;
}

/** `idempotency purge`. */
export function addIdempotencyCommands({ program, output, runOnStore }: Commands): void {
  program
    .command('idempotency')
    .description('manage stored responses to requests with an Idempotency-Key')
    .command('purge')
    .description('remove stored responses; a retry of such a request then creates a second resource')
    .option('--project <id>', 'only those of this project')
    .option('--all', 'those of all projects')
    .action((options: PurgeOptions) => {
      if ((options.project === undefined) === (options.all === undefined)) {
        throw new CommandError('Use either --project <id> or --all.');
      }
      return runOnStore((session) => purge(session, options, output));
    });
}
