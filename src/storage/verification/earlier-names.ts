/** Rewrites the names in stored recordsets to the form of this version. */
import type { Kysely } from 'kysely';
import { inPresentForm } from '../../model/recordsets/earlier-form.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { areSpellings, isTexts, parsed } from '../database/readable.ts';
import type { Schema } from '../database/schema.ts';
import { type RecordsetRow, recordsetFromRow, toRecordsetRow } from '../recordsets/rows.ts';
import { batchesOfZone } from '../recordsets/zone-batches.ts';

function lowerTtl(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** The recordset, with the records of another recordset of its name and type added. */
function joined(recordset: Recordset, other: Recordset): Recordset {
  return {
    ...recordset,
    ttl: lowerTtl(recordset.ttl, other.ttl),
    records: [...new Set([...recordset.records, ...other.records])],
    spellings: { ...other.spellings, ...recordset.spellings },
  };
}

/** Removes and returns the other recordset of the same name and type, if there is one. */
async function takeTwin(
  db: Kysely<Schema>,
  { id, zone_id, subtree_key, type }: RecordsetRow,
): Promise<Recordset | undefined> {
  const twin = await db
    .deleteFrom('recordsets')
    .where('zone_id', '=', zone_id)
    .where('subtree_key', '=', subtree_key)
    .where('type', '=', type)
    .where('id', '<>', id)
    .returningAll()
    .executeTakeFirst();
  return twin && recordsetFromRow(twin);
}

/**
 * Writes a recordset, merged with its twin.
 * @returns the number of recordsets removed
 */
async function write(db: Kysely<Schema>, recordset: Recordset, serial: number): Promise<number> {
  const twin = await takeTwin(db, toRecordsetRow(recordset, serial));
  const whole = twin === undefined ? recordset : joined(recordset, twin);
  const { id, ...columns } = toRecordsetRow(whole, serial);
  await db.updateTable('recordsets').set(columns).where('id', '=', id).execute();
  return twin === undefined ? 0 : 1;
}

/**
 * Rewrites one row. Leaves unreadable rows unchanged.
 * @returns the number of recordsets removed
 */
async function rewriteRow(db: Kysely<Schema>, row: RecordsetRow, isPrimary: boolean): Promise<number> {
  if (!isTexts(parsed(row.records)) || !areSpellings(row.spellings)) return 0;
  const recordset = recordsetFromRow(row);
  const present = inPresentForm(recordset, isPrimary && !recordset.managed);
  return present === recordset ? 0 : write(db, present, row.serial);
}

/**
 * Rewrites a zone's names. In primary zones, clients still see records in their previous form.
 * @returns the number of recordsets removed
 */
export async function rewriteNames(
  db: Kysely<Schema>,
  { id, type }: Pick<Zone, 'id' | 'type'>,
): Promise<number> {
  let fewer = 0;
  for await (const batch of batchesOfZone(db, id)) {
    const rows = await db.selectFrom('recordsets').selectAll().where(batch).execute();
    for (const row of rows) fewer += await rewriteRow(db, row, type === 'PRIMARY');
  }
  return fewer;
}
