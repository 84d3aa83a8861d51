import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The service's processes, and the last heartbeat of each. */
export async function serviceStatuses(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  const columns = ['service_name', 'hostname', 'status', 'stats', 'capabilities'];
  const times = ['heartbeated_at', 'created_at', 'updated_at'];
  let table = db.schema
    .createTable('service_statuses')
    .addColumn('id', text, (column) => column.notNull().primaryKey());
  for (const name of [...columns, ...times]) {
    table = table.addColumn(name, text, (column) => column.notNull().defaultTo(''));
  }
  await table.execute();
}
