import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** What a share narrows. */
export async function shareScopes(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .alterTable('zone_shares')
    .addColumn('scope', text, (column) => column.notNull().defaultTo(''))
    .execute();
}
