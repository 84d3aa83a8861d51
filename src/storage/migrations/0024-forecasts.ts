import type { Kysely } from 'kysely';
import type { Flavour } from '../database/flavour.ts';

/** The results of dry runs of imports over HTTP. */
export async function forecasts(db: Kysely<unknown>, { text }: Flavour): Promise<void> {
  await db.schema
    .alterTable('blacklist_tasks')
    .addColumn('forecast', text, (column) => column.notNull().defaultTo(''))
    .execute();
}
