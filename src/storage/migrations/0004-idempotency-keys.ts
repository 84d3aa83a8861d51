import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The stored responses to creates with an Idempotency-Key. */
export async function idempotencyKeys(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('key', text, (column) => column.primaryKey())
    .addColumn('body_hash', text, (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('headers', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('idempotency_keys_created')
    .on('idempotency_keys')
    .column('created_at')
    .execute();
}
