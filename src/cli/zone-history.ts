/** `zone history` and `zone restore`: what happened to a zone, and back to a former state. */
import type { CommandSession } from '../assembly/session.ts';
import type { Config } from '../config/options.ts';
import { parseOwnerName } from '../dns/owner-name.ts';
import { actorJson } from '../domain/events/event-json.ts';
import type { ShownChange } from '../domain/history/change-lists.ts';
import type { PastMoment } from '../domain/history/past-zone.ts';
import type { Restore } from '../domain/history/undo.ts';
import type { ChangeOptions } from '../model/changes/change-set.ts';
import type { ChangesPageQuery } from '../model/history/history-filters.ts';
import type { Zone } from '../model/zones/zone.ts';
import { printable, printableJson } from '../runtime/printable.ts';
import type { Commands, Output } from './commands.ts';
import { replyOf } from './contents-senders.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';
import { timeOf } from './time-options.ts';
import { answered, applyChange, maxDeletionsOf, planChange } from './zone-contents.ts';

const MAX_SERIAL = 4_294_967_295;
/** Default number of changes that `zone history` shows. */
const SHOWN = '20';
/** Changes read at a time. */
const PAGE = 100;

/** What a command works on. */
interface ZoneOfCommand {
  readonly session: CommandSession;
  readonly name: string;
  readonly output: Output;
}

interface HistoryFlags {
  readonly limit: string;
  readonly record?: string;
  readonly since?: string;
  readonly json?: true;
}

interface RestoreFlags {
  readonly serial?: string;
  readonly at?: string;
  readonly only?: string;
  readonly maxDeletions?: string;
  readonly description?: string;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

function changeJson(change: ShownChange) {
  const { id, at, fromSerial, toSerial, status, door, description, summary } = change;
  const actor = actorJson(change.actor);
  const serials = { from_serial: fromSerial, to_serial: toSerial };
  return { id, at, ...serials, status, door, actor, description, summary };
}

function changeLine(change: ShownChange): string {
  const { at, fromSerial, toSerial, door, actor, summary, description } = change;
  const who = `${actor.actorProjectId || '-'}/${actor.userId || '-'}`;
  const what = `${summary.create} created, ${summary.update} changed, ${summary.delete} deleted`;
  const texts = [at, `${fromSerial ?? '-'} -> ${toSerial}`, door, who, what, description ?? ''];
  return texts.map(printable).join('\t').trimEnd();
}

function numberOf(option: string, text: string, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw new CommandError(`${option} must be a number up to ${max}`);
}

/** So many changes of a zone, newest first. */
async function* changesOf(
  { session: { context, useCases }, name }: ZoneOfCommand,
  filters: ChangesPageQuery['filters'],
  count: number,
): AsyncGenerator<ShownChange, void> {
  const zone = await useCases.serverStates.findZone(context, name);
  let marker: string | undefined;
  for (let left = count; left > 0; ) {
    const query: ChangesPageQuery = { filters, limit: Math.min(left, PAGE), marker };
    const { items, more } = await useCases.zoneHistory.list(context, zone.id, query);
    yield* items;
    left = more ? left - items.length : 0;
    marker = items.at(-1)?.id;
  }
}

/** As names are stored: with a final dot, and as A-labels unless there are wildcards. */
function nameFilterOf(text: string): string {
  const whole = text.endsWith('.') || text.endsWith('*') ? text : `${text}.`;
  const name = parseOwnerName(whole);
  return name.ok ? name.value : whole.toLowerCase();
}

function showHistory(zone: ZoneOfCommand, { limit, record, since, json }: HistoryFlags): Promise<ExitStatus> {
  const { output } = zone;
  const filters = {
    ...(record === undefined ? {} : { name: nameFilterOf(record) }),
    ...(since === undefined ? {} : { since: timeOf('--since', since) }),
  };
  const count = numberOf('--limit', limit, MAX_SERIAL);
  return answered(output, async () => {
    for await (const change of changesOf(zone, filters, count))
      output.out(json ? printableJson(changeJson(change)) : changeLine(change));
    return EXIT.done;
  });
}

function momentOf({ serial, at }: RestoreFlags): PastMoment {
  if ((serial === undefined) === (at === undefined))
    throw new CommandError('Give either --serial or --at: the state to restore.');
  return serial === undefined
    ? { at: timeOf('--at', at!) }
    : { serial: numberOf('--serial', serial, MAX_SERIAL) };
}

function restoreOf(flags: RestoreFlags): Restore {
  const names = flags.only?.split(',').map((text) => {
    const name = parseOwnerName(text.endsWith('.') ? text : `${text}.`);
    if (!name.ok) throw new CommandError(`--only: ${name.reason}`);
    return name.value;
  });
  return { moment: momentOf(flags), names };
}

/** @throws CommandError for a name that would restore nothing */
function requireInside(zone: Zone, { names = [] }: Restore): void {
  const outside = names.find((name) => name !== zone.name && !name.endsWith(`.${zone.name}`));
  if (outside !== undefined) throw new CommandError(`--only: ${outside} is not in the zone ${zone.name}`);
}

async function restoreZone(
  { session, name, output }: ZoneOfCommand,
  config: Config,
  flags: RestoreFlags,
): Promise<ExitStatus> {
  const { context, useCases } = session;
  const wanted = restoreOf(flags);
  const given = { maxDeletions: maxDeletionsOf(flags.maxDeletions), description: flags.description };
  const restore = (options: ChangeOptions) =>
    replyOf(config, async () => {
      const zone = await useCases.serverStates.findZone(context, name);
      requireInside(zone, wanted);
      return useCases.undo.restore(context, zone.id, wanted, { ...given, ...options });
    });
  if (flags.dryRun) return planChange(restore, flags, output);
  return applyChange(restore, name, flags, output);
}

/** Adds `zone history` and `zone restore`. */
export function addZoneHistoryCommands(zone: Commands['program'], { output, runOnStore }: Commands): void {
  zone
    .command('history')
    .description('list the changes of a zone, newest first: time, serials, way in, actor, what, why')
    .argument('<name>', 'the zone')
    .option('--limit <count>', 'how many to list', SHOWN)
    .option('--record <name>', 'only changes of recordsets with this name; * is a wildcard')
    .option('--since <time>', 'only changes since this time, or in the last 90d, 12h or 30m')
    .option('--json', 'print one JSON object per line')
    .action((name: string, flags: HistoryFlags) =>
      runOnStore((session) => showHistory({ session, name, output }, flags)),
    );
  zone
    .command('restore')
    .description('make a zone what it was; exit 1 if that is refused')
    .argument('<name>', 'the zone')
    .option('--serial <serial>', 'as it was with this serial')
    .option('--at <time>', 'as it was at this time, or 90d, 12h or 30m ago')
    .option('--only <names>', 'only these names, separated by commas')
    .option('--max-deletions <count>', 'refuse to delete more recordsets')
    .option('--description <text>', 'why, for the history')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--yes', 'do not ask')
    .option('--json', 'print the answer of the API')
    .action((name: string, flags: RestoreFlags) =>
      runOnStore((session, config) => restoreZone({ session, name, output }, config, flags)),
    );
}
