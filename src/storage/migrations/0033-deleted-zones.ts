import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** Deleted zones, with their contents. The index on TSIG keys finds those of a zone; there are few keys. */
export async function deletedZones(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  let zones = db.schema.createTable('deleted_zones').addColumn('id', text, (column) => column.primaryKey());
  for (const name of ['name', 'project_id', 'type', 'deleted_at', 'contents_id', 'zone'])
    zones = zones.addColumn(name, text, (column) => column.notNull());
  for (const name of ['serial', 'size'])
    zones = zones.addColumn(name, sql`bigint`, (column) => column.notNull());
  for (const name of ['recordsets', 'settled'])
    zones = zones.addColumn(name, 'integer', (column) => column.notNull());
  await zones.execute();
  const indexes = {
    deleted_zones_at: ['deleted_at', 'id'],
    deleted_zones_project: ['project_id', 'deleted_at', 'id'],
    deleted_zones_name: ['name', 'deleted_at'],
  };
  for (const [name, columns] of Object.entries(indexes))
    await db.schema.createIndex(name).on('deleted_zones').columns(columns).execute();
  await sql`create index deleted_zones_unsettled on deleted_zones (project_id) where settled = 0`.execute(db);
  await db.schema
    .createTable('deleted_contents')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('part', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('forgotten_contents')
    .addColumn('contents_id', text, (column) => column.primaryKey().notNull())
    .execute();
  await db.schema.createIndex('tsig_keys_resource').on('tsig_keys').column('resource_id').execute();
}
