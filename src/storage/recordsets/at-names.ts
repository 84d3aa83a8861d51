import type { Kysely } from 'kysely';
import { type OwnerName, subtreeKey } from '../../dns/names.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { cooperativeYield } from '../../runtime/cooperative-yield.ts';
import type { Schema } from '../database/schema.ts';
import { preparedList } from '../lists/prepared-list.ts';
import { type RecordsetRow, recordsetFromRow } from './rows.ts';

/** With the id of the zone, a power of two: see `preparedList`. */
const NAMES_OF_A_QUERY = 511;

/** The list is the id of the zone, followed by the keys of the names. */
const atKeys = preparedList<string, RecordsetRow>((db, [zoneId, ...keys]) =>
  db.selectFrom('recordsets').selectAll().where('zone_id', '=', zoneId!).where('subtree_key', 'in', keys),
);

/** All recordsets of a zone at any of the names, in batches; yields between them. */
export async function findAtNames(
  db: Kysely<Schema>,
  zoneId: string,
  names: readonly OwnerName[],
): Promise<readonly Recordset[]> {
  const found: Recordset[] = [];
  for (let start = 0; start < names.length; start += NAMES_OF_A_QUERY) {
    if (start > 0) await cooperativeYield();
    const keys = names.slice(start, start + NAMES_OF_A_QUERY).map(subtreeKey);
    const { rows } = await db.executeQuery(atKeys(db, [zoneId, ...keys]));
    found.push(...rows.map(recordsetFromRow));
  }
  return found;
}
