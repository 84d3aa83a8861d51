/** Gives the names in stored recordsets the form of this version. */
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

/** The recordset with the records of another one at its name. */
function joined(recordset: Recordset, other: Recordset): Recordset {
  return {
    ...recordset,
    ttl: lowerTtl(recordset.ttl, other.ttl),
    records: [...new Set([...recordset.records, ...other.records])],
    spellings: { ...other.spellings, ...recordset.spellings },
  };
}

/** Removes the other recordset of the name and type, if there is one. */
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

/** Returns how many fewer recordsets there are. */
async function write(db: Kysely<Schema>, recordset: Recordset, serial: number): Promise<number> {
  const twin = await takeTwin(db, toRecordsetRow(recordset, serial));
  const whole = twin === undefined ? recordset : joined(recordset, twin);
  const { id, ...columns } = toRecordsetRow(whole, serial);
  await db.updateTable('recordsets').set(columns).where('id', '=', id).execute();
  return twin === undefined ? 0 : 1;
}

/** Rows that cannot be read stay as they are. */
async function rewriteRow(db: Kysely<Schema>, row: RecordsetRow, isPrimary: boolean): Promise<number> {
  if (!isTexts(parsed(row.records)) || !areSpellings(row.spellings)) return 0;
  const recordset = recordsetFromRow(row);
  const present = inPresentForm(recordset, isPrimary && !recordset.managed);
  return present === recordset ? 0 : write(db, present, row.serial);
}

/** Clients are shown the records of primary zones as before. Returns how many fewer recordsets there are. */
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
