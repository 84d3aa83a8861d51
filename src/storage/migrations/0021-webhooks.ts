import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The delivery progress of each webhook. */
export async function webhooks(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  let table = db.schema
    .createTable('webhooks')
    .addColumn('name', text, (column) => column.notNull().primaryKey())
    .addColumn('position', sql`bigint`, (column) => column.notNull())
    .addColumn('stopped', 'integer', (column) => column.notNull().defaultTo(0));
  for (const name of ['failing_since', 'last_error', 'last_error_at', 'delivered_at']) {
    table = table.addColumn(name, text, (column) => column.notNull().defaultTo(''));
  }
  await table.execute();
}
