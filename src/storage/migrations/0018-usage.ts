import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The usage of each project at the last aggregation, and the start of the last full one. */
export async function usage(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .createTable('project_usage')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('zones', 'bigint', (column) => column.notNull())
    .addColumn('recordsets', 'bigint', (column) => column.notNull())
    .addColumn('zone_recordsets', 'bigint', (column) => column.notNull())
    .addColumn('zone_records', 'bigint', (column) => column.notNull())
    .addColumn('zone_bytes', 'bigint', (column) => column.notNull())
    .addColumn('limits', text, (column) => column.notNull())
    .addColumn('percentage', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('project_usage_sorted')
    .on('project_usage')
    .columns(['percentage', 'id'])
    .execute();
  await db.schema
    .createTable('usage_passes')
    .addColumn('name', text, (column) => column.notNull().primaryKey())
    .addColumn('started_at', text, (column) => column.notNull())
    .execute();
}
