/** How a zone's status follows from its published and its current serial. */
import { type RawBuilder, sql } from 'kysely';

/**
 * True if a name server of the pool that the zone is leaving has lagged for too long. Needs `publications` and
 * `zones`.
 */
export const HAS_FORMER_ERROR: RawBuilder<boolean> = sql<boolean>`exists (select 1 from publications as former
  where former.zone_id = ${sql.ref('zones.id')} || '/former' and former.error <> '')`;

/** RFC 1982: how far a serial is ahead, from 0 to 2^32 - 1; from 2^31 on it is behind. */
const SPAN = sql.raw('4294967296');
const HALF = sql.raw('2147483648');

/** Where `secondaries` is joined: true for a secondary zone that has not been transferred yet, or that has expired. */
export const IS_AWAITED = sql<boolean>`coalesce(secondaries.transferred, 1) = 0`;
export const IS_EXPIRED = sql<boolean>`coalesce(secondaries.expired, 0) = 1`;

/** True if servers do not have the serial yet. Needs `publications` joined. A zone without an order is never behind. */
export function isBehind(serial: RawBuilder<unknown>): RawBuilder<boolean> {
  const ahead = sql`((${serial} - publications.published_serial + ${SPAN}) % ${SPAN})`;
  return sql<boolean>`(publications.zone_id is not null and (publications.published_serial is null
    or (${ahead} > 0 and ${ahead} < ${HALF})))`;
}
