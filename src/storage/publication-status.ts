/** The rule by which statuses follow from the serial that is published and the one that should be. */
import { type RawBuilder, sql } from 'kysely';

/** Whether a name server of the pool that the zone leaves stays away for too long. `publications` and `zones` are joined. */
export const HAS_FORMER_ERROR: RawBuilder<boolean> = sql<boolean>`exists (select 1 from publications as former
  where former.zone_id = ${sql.ref('zones.id')} || '/former' and former.error <> '')`;

/** RFC 1982: how far a serial lies ahead, as a number from 0 to 2^32 - 1; from 2^31 on it lies behind. */
const SPAN = sql.raw('4294967296');
const HALF = sql.raw('2147483648');

/** Where `secondaries` is joined: whether the zone is a secondary one that nothing has come of, or that has expired. */
export const IS_AWAITED = sql<boolean>`coalesce(secondaries.transferred, 1) = 0`;
export const IS_EXPIRED = sql<boolean>`coalesce(secondaries.expired, 0) = 1`;

/** Whether servers do not have the serial yet, where `publications` is joined. Zones without an order wait for nobody. */
export function isBehind(serial: RawBuilder<unknown>): RawBuilder<boolean> {
  const ahead = sql`((${serial} - publications.published_serial + ${SPAN}) % ${SPAN})`;
  return sql<boolean>`(publications.zone_id is not null and (publications.published_serial is null
    or (${ahead} > 0 and ${ahead} < ${HALF})))`;
}
