import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/**
 * Recordsets that expire, and the embedded database's indexes of them. For PostgreSQL, the running service creates the
 * indexes.
 */
export async function expiry(db: Kysely<unknown>, { kind, text }: Dialect): Promise<void> {
  await db.schema.alterTable('recordsets').addColumn('expires_at', text).execute();
  if (kind !== 'sqlite') return;
  const may = sql`where expires_at is not null and protected = 0`;
  await sql`create index recordsets_expiring on recordsets (expires_at, id) ${may}`.execute(db);
  await sql`create index recordsets_expiring_of_zone on recordsets (zone_id, expires_at) ${may}`.execute(db);
}
