/** `zone deleted` and `zone undelete`. */
import type { CommandSession } from '../assembly/session.ts';
import { parseListedName } from '../dns/names.ts';
import type { ListedDeletedZone } from '../domain/deleted-zones/deleted-zones.ts';
import { printable, printableJson } from '../runtime/printable.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';
import { answered } from './zone-contents.ts';

/** Deleted zones read at a time. */
const PAGE = 100;

interface UndeleteFlags {
  readonly id?: string;
  readonly json?: true;
}

function deletedJson(zone: ListedDeletedZone) {
  const { id, name, projectId, type, serial, recordsets, deletedAt, forgottenAt } = zone;
  const times = { deleted_at: deletedAt, forgotten_at: forgottenAt };
  return { id, name, project_id: projectId, type, serial, recordsets, ...times };
}

function deletedLine({ id, name, projectId, recordsets, deletedAt, forgottenAt }: ListedDeletedZone): string {
  const times = `deleted ${deletedAt}, kept until ${forgottenAt}`;
  return [id, name, projectId, `${recordsets} recordsets`, times].map(printable).join('\t');
}

/** Deleted zones, newest first. */
async function* deletedZones(
  { context, useCases }: CommandSession,
  name: string | undefined,
): AsyncGenerator<ListedDeletedZone, void> {
  const filters = name === undefined ? {} : { name };
  for (let last: string | undefined; ; ) {
    const from = last === undefined ? {} : { marker: last };
    const query = { filters, sortKey: 'deleted_at', sortDir: 'desc', limit: PAGE, ...from } as const;
    const { items, more } = await useCases.deletedZones.list(context, query);
    yield* items;
    if (!more) return;
    last = items.at(-1)!.id;
  }
}

function nameOf(text: string): string {
  const name = parseListedName(text);
  if (!name.ok) throw new CommandError(name.reason);
  return name.value;
}

async function listDeleted(
  session: CommandSession,
  name: string | undefined,
  { json }: Pick<UndeleteFlags, 'json'>,
  { out }: Output,
): Promise<ExitStatus> {
  const wanted = name === undefined ? undefined : nameOf(name);
  for await (const zone of deletedZones(session, wanted))
    out(json ? printableJson(deletedJson(zone)) : deletedLine(zone));
  return EXIT.done;
}

/** The deleted zone that is meant; undefined if there is none. */
async function wantedZone(
  session: CommandSession,
  name: string,
  id: string | undefined,
): Promise<ListedDeletedZone | undefined> {
  const found: ListedDeletedZone[] = [];
  for await (const zone of deletedZones(session, name))
    if (id === undefined || zone.id === id) found.push(zone);
  if (found.length < 2) return found[0];
  throw new CommandError(
    `${found.length} zones ${name} were deleted. Choose one of them with --id: see "zone deleted ${name}".`,
  );
}

function undelete(
  session: CommandSession,
  text: string,
  { id, json }: UndeleteFlags,
  output: Output,
): Promise<ExitStatus> {
  const { context, useCases } = session;
  const name = nameOf(text);
  return answered(output, async () => {
    const deleted = await wantedZone(session, name, id?.toLowerCase());
    if (deleted === undefined) {
      const { name: present } = await useCases.serverStates.findZone(context, name);
      output.err(`${present} is not deleted`);
      return EXIT.done;
    }
    const { zone, bypassed } = await useCases.deletedZones.restore(context, deleted.id);
    if (bypassed !== undefined) output.err(`a name in it matches the blacklist ${bypassed}`);
    const { projectId: project_id, serial, recordsets } = zone;
    if (json) output.out(JSON.stringify({ id: zone.id, name, project_id, serial, recordsets }));
    else output.out(printable(`${name} is back with ${recordsets} recordsets and the serial ${serial}`));
    return EXIT.done;
  });
}

/** Adds `zone deleted` and `zone undelete`. */
export function addDeletedZoneCommands(zone: Commands['program'], { output, runOnStore }: Commands): void {
  zone
    .command('deleted')
    .description('list the deleted zones that can be restored, newest first')
    .argument('[name]', 'only zones with this name')
    .option('--json', 'print one JSON object per line')
    .action((name: string | undefined, flags: UndeleteFlags) =>
      runOnStore((session) => listDeleted(session, name, flags, output)),
    );
  zone
    .command('undelete')
    .description('restore a deleted zone; exit 1 if that is refused')
    .argument('<name>', 'the zone')
    .option('--id <id>', 'which of several deleted zones with this name')
    .option('--json', 'print JSON')
    .action((name: string, flags: UndeleteFlags) =>
      runOnStore((session) => undelete(session, name, flags, output)),
    );
}
