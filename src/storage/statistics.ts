import { sql } from 'kysely';
import type { StatisticsReads } from '../model/statistics/store.ts';
import type { ZoneStatus } from '../model/zones/zone.ts';
import type { DatabaseReads } from './database/database.ts';
import { UNSETTLED, ZONE_JOINS, ZONE_STATUS } from './zones/rows.ts';

/** All are long reads: their cost grows with the number of waiting orders and of projects. */
export function statisticsReads({ longReads }: Pick<DatabaseReads, 'longReads'>): StatisticsReads {
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
        .where('due_at', '<>', sql.lit(''))
        .executeTakeFirstOrThrow();
      return { orders: Number(row.orders), since: row.since ?? '' };
    },
  };
}
