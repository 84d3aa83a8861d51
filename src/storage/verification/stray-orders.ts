/** Orders to publish, and members of catalogs, of zones that do not exist. */
import { type Kysely, sql } from 'kysely';
import { zoneIdOf } from '../../model/publication/publication.ts';
import type { Schema } from '../database/schema.ts';
import { leaveCatalog } from '../publication/catalog.ts';

const PAGE = 1000;

/** @returns the ids of the orders, in ascending order */
export async function findStrayOrders(
  db: Kysely<Schema>,
  after: string | undefined,
): Promise<readonly string[]> {
  // The member of an abandoned zone has its name instead of an id, and stays.
  const { rows } = await sql<{ readonly zone_id: string }>`
    select zone_id from (
      select zone_id from publications
      union select zone_id from catalog_members where to_serial = 0 and zone_id not like '%.'
    ) as orders
    where zone_id > ${after ?? ''} and not exists (
      select 1 from zones where zones.id = replace(orders.zone_id, '/former', ''))
    order by zone_id limit ${PAGE}`.execute(db);
  return rows.map((row) => row.zone_id);
}

/** Removes an order, and marks its member, unless its zone exists by now. */
export async function removeStrayOrder(db: Kysely<Schema>, orderId: string): Promise<void> {
  const zone = db.selectFrom('zones').select('id').where('id', '=', zoneIdOf(orderId));
  if ((await zone.executeTakeFirst()) !== undefined) return;
  await db.deleteFrom('publications').where('zone_id', '=', orderId).execute();
  await leaveCatalog(db, orderId).execute();
}
