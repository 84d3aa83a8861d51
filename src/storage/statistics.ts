import { sql } from 'kysely';
import type { StatisticsReads } from '../domain/statistics/store.ts';
import type { ZoneStatus } from '../domain/zones/zone.ts';
import type { Reads } from './database.ts';
import { ZONE_JOINS, ZONE_STATUS } from './zone-rows.ts';

/** The zones that may have a status other than ACTIVE, by indexes of what waits. The order of a former pool names its zone first. */
const UNSETTLED = sql`select substr(zone_id, 1, 36) from publications where due_at <> ''
  union select id from zones where action = 'DELETE'
  union select zone_id from secondaries where transferred = 0 or expired = 1`;

/** All are long: they cost what waits, and a row for each project. */
export function statisticsReads({ longReads }: Pick<Reads, 'longReads'>): StatisticsReads {
  return {
    async zones(onBehalfOf) {
      const db = longReads(onBehalfOf);
      const { rows } = await sql<{ total: number }>`
        select coalesce(sum(zones), 0) as total from projects`.execute(db);
      const unsettled = await sql<{ status: ZoneStatus; total: number }>`
        select status, count(*) as total from (
          select ${ZONE_STATUS} as status from zones ${ZONE_JOINS} where zones.id in (${UNSETTLED})
        ) as unsettled where status <> 'ACTIVE' group by status`.execute(db);
      const others = unsettled.rows.map(({ status, total }) => [status, Number(total)] as const);
      return { total: Number(rows[0]!.total), others: Object.fromEntries(others) };
    },

    async waiting(onBehalfOf) {
      const row = await longReads(onBehalfOf)
        .selectFrom('publications')
        .select([
          sql<number>`count(*)`.as('orders'),
          sql<string | null>`min(nullif(pending_since, ''))`.as('since'),
        ])
        .where('due_at', '<>', '')
        .executeTakeFirstOrThrow();
      return { orders: Number(row.orders), since: row.since ?? '' };
    },
  };
}
