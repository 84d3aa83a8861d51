import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The labels of projects. */
export async function labels(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .createTable('labels')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('project_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('text', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addUniqueConstraint('labels_name_key', ['project_id', 'name'])
    .execute();
}
