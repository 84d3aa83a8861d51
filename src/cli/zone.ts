import type { CommandSession } from '../assembly/session.ts';
import { parseListedName } from '../dns/names.ts';
import { isProjectId, PROJECT_ID_RULE } from '../model/project-id.ts';
import { hiddenSentence } from '../model/zones/hidden-records.ts';
import { printable } from '../runtime/printable.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';
import { addZoneContentsCommands } from './zone-contents.ts';
import { addDeletedZoneCommands } from './zone-deleted.ts';
import { addZoneHistoryCommands } from './zone-history.ts';

interface CheckFlags {
  readonly project: string;
}

/** Prints what would happen to a create of a zone. Exits with 0 if it would succeed, 1 if it would be refused. */
async function checkZone(
  { context, useCases }: CommandSession,
  text: string,
  { project }: CheckFlags,
  { out }: Output,
): Promise<ExitStatus> {
  const name = parseListedName(text);
  if (!name.ok) throw new CommandError(name.reason);
  if (!isProjectId(project)) throw new CommandError(`--project: ${PROJECT_ID_RULE}`);
  const check = await useCases.zoneChecks.run({ ...context, projectId: project }, name.value);
  const { refusal, isWarned, hides, zonesLeft } = check;
  const verdict = isWarned || hides !== undefined ? 'would succeed with a warning' : 'would succeed';
  out(printable(`${check.name} ${refusal === undefined ? verdict : `would be refused: ${refusal.message}`}`));
  if (refusal?.hint !== undefined) out(printable(refusal.hint));
  if (hides !== undefined) out(printable(hiddenSentence(hides)));
  out(zonesLeft === undefined ? 'zones left: unlimited' : `zones left: ${zonesLeft}`);
  return refusal === undefined ? EXIT.done : EXIT.no;
}

/** The commands about zones. */
export function addZoneCommands(commands: Commands): void {
  const { program, output, runOnStore } = commands;
  const zone = program.command('zone').description('check zone names, make zones match files, and go back');
  zone
    .command('check')
    .description('check whether a project could create a zone; exit 0 if it could, 1 if not')
    .argument('<name>')
    .requiredOption('--project <id>', 'the project that would own the zone')
    .action((name: string, flags: CheckFlags) =>
      runOnStore((session) => checkZone(session, name, flags, output)),
    );
  addZoneContentsCommands(zone, commands);
  addZoneHistoryCommands(zone, commands);
  addDeletedZoneCommands(zone, commands);
}
