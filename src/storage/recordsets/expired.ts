/** Recordsets that have expired. Protected ones wait: the indexes do not have them. */
import { type Kysely, sql } from 'kysely';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { ExpiredRecordset } from '../../model/recordsets/store.ts';
import type { Schema } from '../database/schema.ts';
import { recordsetFromRow } from './rows.ts';

const ROWS_OF_A_PAGE = 500;

const MAY_EXPIRE = sql<boolean>`expires_at is not null and protected = 0`;

/** The next ones of all zones, in the order in which they expired. */
export async function findExpired(
  db: Kysely<Schema>,
  now: string,
  after: ExpiredRecordset | undefined,
): Promise<readonly ExpiredRecordset[]> {
  const rows = await db
    .selectFrom('recordsets')
    .select(['id', 'zone_id', 'expires_at'])
    .where(MAY_EXPIRE)
    .where('expires_at', '<=', now)
    .where(sql<boolean>`(expires_at, id) > (${after?.expiresAt ?? ''}, ${after?.id ?? ''})`)
    .orderBy('expires_at')
    .orderBy('id')
    .limit(ROWS_OF_A_PAGE)
    .execute();
  return rows.map((row) => ({ id: row.id, zoneId: row.zone_id, expiresAt: row.expires_at! }));
}

/** Those of one zone that expired first. */
export async function findExpiredIn(
  db: Kysely<Schema>,
  zoneId: string,
  now: string,
  limit: number,
): Promise<readonly Recordset[]> {
  const rows = await db
    .selectFrom('recordsets')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .where(MAY_EXPIRE)
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  return rows.map(recordsetFromRow);
}
