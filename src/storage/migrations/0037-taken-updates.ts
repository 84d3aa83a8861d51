import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The DNS UPDATE messages that were taken lately, so that none is taken twice. */
export async function takenUpdates(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .createTable('taken_updates')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('rcode', 'integer', (column) => column.notNull())
    .addColumn('expires_at', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('taken_updates_expires_at').on('taken_updates').column('expires_at').execute();
}
