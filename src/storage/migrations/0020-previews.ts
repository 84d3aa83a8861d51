import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

const TEXTS = [
  'project_id',
  'pattern',
  'mode',
  'blacklist_id',
  'status',
  'message',
  'faults',
  'warnings',
  'at_created',
  'at_id',
  'created_at',
  'updated_at',
  'ended_at',
  'holder',
  'held_until',
] as const;
const COUNTS = ['total', 'seen', 'matched', 'undecided', 'kept'] as const;

/** Searches for the existing zones that a pattern matches, and their results. */
export async function previews(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  let table = db.schema
    .createTable('previews')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('running_for', text, (column) => column.unique());
  for (const name of TEXTS) table = table.addColumn(name, text, (column) => column.notNull());
  for (const name of COUNTS) table = table.addColumn(name, 'bigint', (column) => column.notNull());
  await table.execute();
  await db.schema.createIndex('previews_ended').on('previews').columns(['ended_at', 'id']).execute();
  await db.schema
    .createTable('preview_zones')
    .addColumn('preview_id', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('project_id', text, (column) => column.notNull())
    .addColumn('undecided', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('preview_zones_key', ['preview_id', 'id'])
    .execute();
  await db.schema
    .createIndex('preview_zones_named')
    .on('preview_zones')
    .columns(['preview_id', 'name', 'id'])
    .execute();
}
