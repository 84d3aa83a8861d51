import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

const TEXTS = [
  'time',
  'type',
  'error',
  'project_id',
  'actor_project_id',
  'caller_project_id',
  'user_id',
  'origin',
  'request_id',
  'address',
  'target_kind',
  'target_id',
  'target_name',
  'data',
  'key_id',
  'mac',
] as const;

/**
 * Events. An event is written to `event_queue`, as a few texts and with no index except its key, and moves to
 * `events` when it is sealed. There, rows are stored in the order of their positions, and every index except that of
 * the ids ends with the position.
 */
export async function events(db: Kysely<unknown>, { text, clustered }: Dialect): Promise<void> {
  await db.schema
    .createTable('event_queue')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('head', text, (column) => column.notNull())
    .addColumn('data', text, (column) => column.notNull())
    .addColumn('mac', text, (column) => column.notNull())
    .modifyEnd(clustered)
    .execute();
  let sealed = db.schema
    .createTable('events')
    .addColumn('position', sql`bigint`, (column) => column.primaryKey())
    .addColumn('id', text, (column) => column.notNull());
  for (const name of TEXTS) sealed = sealed.addColumn(name, text, (column) => column.notNull());
  await sealed
    .addColumn('shown', 'integer', (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull())
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on('events');
  await index('events_ids').unique().column('id').execute();
  await index('events_projects').columns(['project_id', 'position']).execute();
  await index('events_targets').columns(['target_id', 'position']).execute();
  await index('events_users').columns(['user_id', 'position']).execute();
  await index('events_types').columns(['type', 'position']).execute();
  await sql`create index events_actors on events (actor_project_id, position)
    where actor_project_id <> project_id`.execute(db);
  await db.schema
    .createTable('event_head')
    .addColumn('position', sql`bigint`, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull())
    .addColumn('removed_position', sql`bigint`, (column) => column.notNull())
    .addColumn('removed_hash', text, (column) => column.notNull())
    .addColumn('latest_id', text, (column) => column.notNull())
    .addColumn('lag', sql`bigint`, (column) => column.notNull())
    .execute();
  await sql`insert into event_head values (0, '', 0, '', '', 0)`.execute(db);
  await db.schema
    .createTable('refusals')
    .addColumn('key', text, (column) => column.primaryKey())
    .addColumn('hour', text, (column) => column.notNull())
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('blacklist_id', text, (column) => column.notNull())
    .addColumn('total', sql`bigint`, (column) => column.notNull())
    .execute();
}
