/**
 * The differences that IXFR serves. Those of primary zones come from the journal of changes; transfers of secondary
 * zones, and changes by a program of an earlier version, have their own table.
 */
import type { Kysely } from 'kysely';
import { effectsIn } from '../../model/history/effects-text.ts';
import { recordsDifference } from '../../model/publication/difference.ts';
import type { JournalEntry, JournalRecord } from '../../model/publication/publication.ts';
import type { Schema } from '../database/schema.ts';
import { zoneFactsIn } from '../history/rows.ts';

interface SerialRange {
  readonly zoneId: string;
  readonly fromSerial: number;
  /** The serial up to which differences are wanted. */
  readonly serial: number;
}

/** True if the entries form a gapless chain from one serial to another. */
function chained(
  entries: readonly Pick<JournalEntry, 'fromSerial' | 'toSerial'>[],
  from: number,
  to: number,
): boolean {
  let at = from;
  for (const { fromSerial, toSerial } of entries) {
    if (fromSerial !== at) return false;
    at = toSerial;
  }
  return entries.length > 0 && at === to;
}

/** From the table of differences. */
async function storedDifferences(
  db: Kysely<Schema>,
  { zoneId, fromSerial, serial }: SerialRange,
): Promise<readonly JournalEntry[] | undefined> {
  const own = db.selectFrom('zone_journal').where('zone_id', '=', zoneId);
  const start = await own
    .select('number')
    .where('from_serial', '=', fromSerial)
    .orderBy('number', 'desc')
    .executeTakeFirst();
  if (start === undefined) return undefined;
  const rows = await own
    .select(['from_serial as fromSerial', 'to_serial as toSerial', 'entry'])
    .where('number', '>=', start.number)
    .orderBy('number')
    .execute();
  return chained(rows, fromSerial, serial) ? rows.map(({ entry }) => JSON.parse(entry)) : undefined;
}

/** What is known of a change without reading its effects. */
interface ServedChange {
  readonly id: string;
  readonly fromSerial: number;
  readonly toSerial: number;
}

/** The changes of a zone that IXFR serves, without a gap, newest first. */
async function servedChanges(
  db: Kysely<Schema>,
  { zoneId, serial, fromSerial }: SerialRange,
): Promise<readonly ServedChange[]> {
  const own = db.selectFrom('zone_changes').where('zone_id', '=', zoneId).orderBy('id', 'desc');
  const newest = await own
    .select(['number', 'bytes_until', 'served_after', 'served_bytes'])
    .limit(1)
    .executeTakeFirst();
  if (newest === undefined || newest.number <= newest.served_after) return [];
  const rows = await own
    .select(['id', 'from_serial', 'to_serial', 'difference_bytes', 'bytes_until'])
    .limit(newest.number - newest.served_after)
    .execute();
  const served: ServedChange[] = [];
  let at = serial;
  for (const row of rows) {
    // Neither a new description nor a new owner is a change of data.
    if (row.from_serial === row.to_serial) continue;
    const isWithin = row.bytes_until > newest.bytes_until - newest.served_bytes;
    if (row.from_serial === null || row.to_serial !== at || row.difference_bytes === 0 || !isWithin) break;
    at = row.from_serial;
    served.push({ id: row.id, fromSerial: row.from_serial, toSerial: row.to_serial });
    if (at === fromSerial) break;
  }
  return served;
}

async function differenceOf(db: Kysely<Schema>, zoneId: string, change: ServedChange): Promise<JournalEntry> {
  const row = await db
    .selectFrom('zone_changes')
    .select(['zone', 'effects'])
    .where('id', '=', change.id)
    .executeTakeFirstOrThrow();
  const { before, after } = zoneFactsIn(row.zone);
  const removed: JournalRecord[] = [];
  const added: JournalRecord[] = [];
  for (const effect of effectsIn(row.effects ?? '', zoneId)) {
    const difference = recordsDifference(effect.before, effect.after, after.ttl);
    removed.push(...difference.removed);
    added.push(...difference.added);
  }
  const { fromSerial, toSerial } = change;
  return { fromSerial, toSerial, soa: [before.soa, after.soa], removed, added };
}

/** The differences between two serials, oldest first; undefined if not all of them are kept. */
export async function differencesSince(
  db: Kysely<Schema>,
  range: SerialRange,
): Promise<readonly JournalEntry[] | undefined> {
  const { zoneId, fromSerial, serial } = range;
  const served = [...(await servedChanges(db, range))].reverse();
  const start = served[0]?.fromSerial ?? serial;
  const earlier = start === fromSerial ? [] : await storedDifferences(db, { ...range, serial: start });
  if (earlier === undefined || earlier.length + served.length === 0) return undefined;
  const entries = [...earlier];
  for (const change of served) entries.push(await differenceOf(db, zoneId, change));
  return entries;
}
