import type { Kysely } from 'kysely';

/** Indexes for lists across all projects, which were sorted for every page, and for recordsets by name. */
export async function lists(db: Kysely<unknown>): Promise<void> {
  for (const table of ['recordsets', 'zone_transfer_requests', 'zone_transfer_accepts']) {
    await db.schema.createIndex(`${table}_created`).on(table).columns(['created_at', 'id']).execute();
  }
  await db.schema
    .createIndex('recordsets_named')
    .on('recordsets')
    .columns(['subtree_key', 'project_id'])
    .execute();
}
