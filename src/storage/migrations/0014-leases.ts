import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** Work that only one process at a time may do. */
export async function leases(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  let table = db.schema
    .createTable('leases')
    .addColumn('name', text, (column) => column.notNull().primaryKey());
  for (const name of ['holder', 'held_until', 'next_at']) {
    table = table.addColumn(name, text, (column) => column.notNull().defaultTo(''));
  }
  await table.execute();
}
