import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** Zones that other projects may see and write their own recordsets in. */
export async function shares(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .createTable('zone_shares')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('zone_id', text, (column) => column.notNull())
    .addColumn('project_id', text, (column) => column.notNull())
    .addColumn('target_project_id', text, (column) => column.notNull())
    .addColumn('recordsets', 'integer', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on('zone_shares');
  await index('zone_shares_of_zone').unique().columns(['zone_id', 'target_project_id']).execute();
  await index('zone_shares_listed').columns(['zone_id', 'created_at', 'id']).execute();
  await index('zone_shares_given').columns(['project_id', 'recordsets']).execute();
  await index('zone_shares_received').columns(['target_project_id', 'zone_id', 'recordsets']).execute();
}
