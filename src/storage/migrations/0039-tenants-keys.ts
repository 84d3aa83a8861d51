import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** Whose TSIG keys are, and indexes for many of them: one by resource takes the place of two. */
export async function tenantsKeys(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .alterTable('tsig_keys')
    .addColumn('project_id', text, (column) => column.notNull().defaultTo(''))
    .execute();
  for (const name of ['tsig_keys_zone', 'tsig_keys_resource']) await db.schema.dropIndex(name).execute();
  const indexes = {
    tsig_keys_resource: ['resource_id', 'name'],
    tsig_keys_created_at: ['created_at', 'id'],
    tsig_keys_project_created_at: ['project_id', 'created_at', 'id'],
    tsig_keys_project_name: ['project_id', 'name'],
  };
  for (const [name, columns] of Object.entries(indexes))
    await db.schema.createIndex(name).on('tsig_keys').columns(columns).execute();
  await sql`create index tsig_keys_of_pools on tsig_keys (name) where scope = 'POOL'`.execute(db);
}
