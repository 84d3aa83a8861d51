import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The journal of zone changes, and what its upkeep needs. */
export async function history(db: Kysely<unknown>, { text, clustered }: Dialect): Promise<void> {
  let changes = db.schema
    .createTable('zone_changes')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('description', text)
    .addColumn('effects', text);
  for (const name of ['zone_id', 'project_id', 'at', 'door', 'actor', 'zone'])
    changes = changes.addColumn(name, text, (column) => column.notNull());
  for (const name of [
    'number',
    'to_serial',
    'difference_bytes',
    'bytes_until',
    'served_after',
    'served_bytes',
    'size',
  ])
    changes = changes.addColumn(name, sql`bigint`, (column) => column.notNull());
  changes = changes.addColumn('from_serial', sql`bigint`);
  for (const name of ['created', 'updated', 'deleted', 'kept'])
    changes = changes.addColumn(name, 'integer', (column) => column.notNull());
  // Every write adds a row with the newest id.
  await changes.modifyEnd(clustered).execute();
  await db.schema.createIndex('zone_changes_zone').on('zone_changes').columns(['zone_id', 'id']).execute();
  await sql`create index zone_changes_handed_over on zone_changes (zone_id, id)
    where door = 'transfer' and from_serial = to_serial`.execute(db);
  await sql`create index zone_changes_project on zone_changes (project_id, id) where kept = 1`.execute(db);
  await sql`create index zone_changes_served on zone_changes (zone_id, number) where kept = 0`.execute(db);
  await db.schema
    .createTable('history_sizes')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('bytes', sql`bigint`, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('history_sizes_bytes').on('history_sizes').columns(['kind', 'bytes']).execute();
  await db.schema
    .createTable('history_progress')
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .addColumn('up_to', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('forgotten_histories')
    .addColumn('zone_id', text, (column) => column.primaryKey().notNull())
    .execute();
}
