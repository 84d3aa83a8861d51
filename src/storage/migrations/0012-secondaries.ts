import { type ColumnDataType, type Kysely, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The state of each secondary zone's masters. */
export async function secondaries(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  let table = db.schema
    .createTable('secondaries')
    .addColumn('zone_id', text, (column) => column.primaryKey());
  const texts = ['project_id', 'due_at', 'leased_until', 'asked_at', 'contact_at', 'expires_at', 'fault'];
  const numbers = ['retry', 'attempts', 'wants_whole', 'transferred', 'expired'];
  const columns: readonly (readonly [string, ColumnDataType | Dialect['text'], string | number])[] = [
    ['masters', text, '[]'],
    ...texts.map((name) => [name, text, ''] as const),
    ...numbers.map((name) => [name, 'integer', 0] as const),
  ];
  for (const [name, type, initial] of columns) {
    table = table.addColumn(name, type, (column) => column.notNull().defaultTo(initial));
  }
  await table.execute();
  await sql`create index secondaries_due on secondaries (due_at) where due_at <> ''`.execute(db);
  await sql`create index secondaries_projects on secondaries (project_id, due_at) where due_at <> ''`.execute(
    db,
  );
  await sql`create index secondaries_expiring on secondaries (expires_at)
    where expires_at <> '' and expired = 0`.execute(db);
}
