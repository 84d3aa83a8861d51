import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The results of dry runs of imports over HTTP. */
export async function forecasts(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .alterTable('blacklist_tasks')
    .addColumn('forecast', text, (column) => column.notNull().defaultTo(''))
    .execute();
}
