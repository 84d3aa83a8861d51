import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/**
 * Limits the stored responses of a project, by their numbers and the bytes of all earlier ones. Responses from before
 * this migration, or of programs that do not know the columns, count for no project until they expire.
 */
export async function idempotencyBounds(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  for (const column of ['project_id', 'resource_id']) {
    await db.schema
      .alterTable('idempotency_keys')
      .addColumn(column, text, (definition) => definition.notNull().defaultTo(''))
      .execute();
  }
  for (const column of ['number', 'bytes_before']) {
    await db.schema
      .alterTable('idempotency_keys')
      .addColumn(column, 'bigint', (definition) => definition.notNull().defaultTo(0))
      .execute();
  }
  await db.schema
    .createTable('idempotency_projects')
    .addColumn('project_id', text, (column) => column.primaryKey())
    .addColumn('last_number', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .execute();
  // Partial: existing rows have no number, so creating the index sorts nothing.
  await sql`create index idempotency_keys_numbered on idempotency_keys (project_id, number) where number > 0`.execute(
    db,
  );
}
