import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The named lists that hold blacklists, and staged imports. */
export async function blacklistLists(db: Kysely<unknown>, { text, clustered }: Dialect): Promise<void> {
  const counts = { arrives: 0, leaves: 0, by_hand: 1 };
  for (const [name, initial] of Object.entries(counts))
    await db.schema
      .alterTable('blacklists')
      .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(initial))
      .execute();
  await db.schema
    .alterTable('blacklists')
    .addColumn('event_id', text, (column) => column.notNull().defaultTo(''))
    .execute();
  // Empty at creation, so only creates of blacklists wait for it.
  await sql`create index blacklists_leaving on blacklists (leaves, number) where leaves <> 0`.execute(db);
  await db.schema
    .createTable('blacklist_lists')
    .addColumn('name', text, (column) => column.notNull().primaryKey())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('entries', 'bigint', (column) => column.notNull())
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('event_id', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('blacklist_holders')
    .addColumn('key', text, (column) => column.notNull().primaryKey())
    .addColumn('list', text, (column) => column.notNull())
    .addColumn('blacklist_id', text, (column) => column.notNull())
    .addColumn('arrives', 'bigint', (column) => column.notNull())
    .addColumn('leaves', 'bigint', (column) => column.notNull())
    .addColumn('mark', 'bigint', (column) => column.notNull())
    .modifyEnd(clustered)
    .execute();
  await db.schema
    .createIndex('blacklist_holders_blacklist_id')
    .on('blacklist_holders')
    .column('blacklist_id')
    .execute();
  let tasks = db.schema
    .createTable('blacklist_tasks')
    .addColumn('id', text, (column) => column.notNull().primaryKey());
  const texts = [
    'kind',
    'list',
    'status',
    'message',
    'faults',
    'sha256',
    'event_id',
    'project_id',
    'holder',
    'held_until',
    'created_at',
    'updated_at',
  ];
  for (const name of texts) tasks = tasks.addColumn(name, text, (column) => column.notNull());
  const numbers = [
    'number',
    'lines',
    'added',
    'present',
    'kept',
    'removed',
    'fault_count',
    'first',
    'last',
    'revision',
    'swept',
    'is_over',
  ];
  for (const name of numbers) tasks = tasks.addColumn(name, 'bigint', (column) => column.notNull());
  await tasks.execute();
  await sql`create index blacklist_tasks_open on blacklist_tasks (number) where is_over = 0`.execute(db);
  await db.schema.createIndex('blacklist_tasks_revision').on('blacklist_tasks').column('revision').execute();
}
