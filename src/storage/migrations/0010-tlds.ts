import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The names below which zones may be created. */
export async function tlds(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .createTable('tlds')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('name', text, (column) => column.notNull().unique())
    .addColumn('description', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute();
}
