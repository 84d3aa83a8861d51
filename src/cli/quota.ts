import type { CommandSession } from '../assembly/session.ts';
import type { LimitedProject } from '../model/quotas/store.ts';
import { printable } from '../runtime/printable.ts';
import type { Commands, Output } from './commands.ts';
import { EXIT, type ExitStatus } from './errors.ts';

interface QuotaListFlags {
  readonly json?: true;
}

function jsonOf({ projectId, zones, recordsets, overrides }: LimitedProject): string {
  return JSON.stringify({ project_id: projectId, usage: { zones, recordsets }, limits: overrides });
}

function lineOf({ projectId, zones, recordsets, overrides }: LimitedProject): string {
  const limits = Object.entries(overrides).map(([key, limit]) => `${key}=${limit}`);
  return [printable(projectId), zones, recordsets, limits.join(',')].join('\t');
}

/** Prints one project per line: its usage, and its own limits. */
async function listLimited(
  { context, useCases: { quotas } }: CommandSession,
  { json }: QuotaListFlags,
  { out }: Output,
): Promise<ExitStatus> {
  if (!json) out('project\tzones\trecordsets\tlimits');
  const toLine = json ? jsonOf : lineOf;
  for await (const batch of quotas.limited(context)) {
    if (batch.length > 0) out(batch.map(toLine).join('\n'));
  }
  return EXIT.done;
}

/** `quota list`. */
export function addQuotaCommands({ program, output, runOnStore }: Commands): void {
  const quota = program.command('quota').description('show quotas');
  quota
    .command('list')
    .description('list the projects with their own limits, and their usage')
    .option('--json', 'one JSON object per line')
    .action((flags: QuotaListFlags) => runOnStore((session) => listLimited(session, flags, output)));
}
