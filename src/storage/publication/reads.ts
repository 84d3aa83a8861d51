import { sql } from 'kysely';
import type { PublicationReads } from '../../model/publication/store.ts';
import type { Database } from '../database/database.ts';
import { findCatalog, findServed, formerFromRow, orderFromRow, orders } from './rows.ts';
import { transferReads } from './transfers.ts';

export function publicationReads({ reader: db, atOneState }: Database): PublicationReads {
  return {
    served: (name) => findServed(db, name),
    catalog: (name) => findCatalog(db, name),

    async find(orderId) {
      const row = await orders(db).where('zone_id', '=', orderId).executeTakeFirst();
      return row && orderFromRow(row);
    },

    async page(poolId, after, limit) {
      const rows = await orders(db)
        .where('publications.pool_id', '=', poolId)
        .where('publications.zone_id', '>', after)
        .orderBy('publications.zone_id')
        .limit(limit)
        .execute();
      return rows.map(orderFromRow);
    },

    async formerZones(since, after, limit) {
      const rows = await db
        .selectFrom('former_zones')
        .selectAll()
        .where('name', '>', after)
        .where('gone_at', '>=', since)
        // Servers keep abandoned zones.
        .where('pool_id', '<>', '')
        .orderBy('name')
        .limit(limit)
        .execute();
      return rows.map(formerFromRow);
    },

    transferred: (zoneId) =>
      db
        .selectFrom('transferred_serials')
        .select(['server', 'serial'])
        .where('zone_id', '=', zoneId)
        .orderBy('at', 'desc')
        .execute(),

    async pending() {
      const row = await db
        .selectFrom('publications')
        .select(({ fn }) => [fn.countAll<number>().as('orders'), fn.min('pending_since').as('since')])
        .where('due_at', '<>', sql.lit(''))
        .executeTakeFirstOrThrow();
      return { orders: Number(row.orders), since: row.since ?? '' };
    },

    atOneState: (work) => atOneState((snapshot) => work(transferReads(snapshot))),
  };
}
