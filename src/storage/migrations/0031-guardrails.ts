import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/**
 * The guardrail modes of zones, and the index of the names that recordsets point at. The running service indexes
 * existing recordsets.
 */
export async function guardrails(db: Kysely<unknown>, { text, clustered }: Dialect): Promise<void> {
  await db.schema.alterTable('zones').addColumn('guardrails', text).execute();
  await db.schema
    .createTable('record_targets')
    .addColumn('key', text, (column) => column.notNull().primaryKey())
    .addColumn('recordset_id', text, (column) => column.notNull())
    .addColumn('project_id', text, (column) => column.notNull())
    .addColumn('target', text, (column) => column.notNull())
    .addColumn('type', text, (column) => column.notNull())
    .modifyEnd(clustered)
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on('record_targets');
  await index('record_targets_of_recordset').column('recordset_id').execute();
  await index('record_targets_named').columns(['target', 'project_id', 'type', 'recordset_id']).execute();
  await db.schema
    .createTable('target_index')
    .addColumn('name', text, (column) => column.notNull().primaryKey())
    .addColumn('up_to', text, (column) => column.notNull())
    .addColumn('passes', 'integer', (column) => column.notNull())
    .addColumn('finished_at', text, (column) => column.notNull())
    .execute();
  // A new store needs no pass, and stays empty.
  await sql`insert into target_index (name, up_to, passes, finished_at)
    select 'recordsets', '', 0, '' where exists (select 1 from recordsets)`.execute(db);
}
