import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** What TSIG keys of zones may do. */
export async function keyPermissions(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .alterTable('tsig_keys')
    .addColumn('transfer', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  await db.schema
    .alterTable('tsig_keys')
    .addColumn('update_scope', text, (column) => column.notNull().defaultTo(''))
    .execute();
  await sql`create index tsig_keys_zone on tsig_keys (resource_id, name) where scope = 'ZONE'`.execute(db);
}
