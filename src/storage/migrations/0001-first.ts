import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

async function blacklists(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .createTable('blacklists')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('number', 'bigint', (column) => column.notNull().unique())
    .addColumn('pattern', text, (column) => column.notNull())
    .addColumn('pattern_hash', text, (column) => column.notNull().unique())
    .addColumn('pattern_start', text, (column) => column.notNull())
    .addColumn('description', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('exhausted_count', 'bigint', (column) => column.notNull())
    .addColumn('exhausted_at', text, (column) => column.notNull())
    .execute();
  for (const key of ['created_at', 'updated_at', 'pattern_start']) {
    await db.schema.createIndex(`blacklists_${key}`).on('blacklists').columns([key, 'id']).execute();
  }
  await db.schema
    .createTable('blacklist_removals')
    .addColumn('revision', 'bigint', (column) => column.primaryKey())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('pattern', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('blacklist_revision')
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into blacklist_revision (revision) values (0)`.execute(db);
}

async function projects(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .createTable('projects')
    .addColumn('project_id', text, (column) => column.primaryKey())
    .addColumn('zones', 'bigint', (column) => column.notNull())
    .addColumn('recordsets', 'bigint', (column) => column.notNull())
    .addColumn('quota_zones', 'integer')
    .addColumn('quota_zone_recordsets', 'integer')
    .addColumn('quota_zone_records', 'integer')
    .addColumn('quota_recordset_records', 'integer')
    .addColumn('quota_api_export_size', 'integer')
    .execute();
}

async function zones(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .createTable('zones')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('name', text, (column) => column.notNull().unique())
    .addColumn('subtree_key', text, (column) => column.notNull())
    .addColumn('project_id', text, (column) => column.notNull())
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('ttl', 'integer', (column) => column.notNull())
    .addColumn('serial', 'bigint', (column) => column.notNull())
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('action', text, (column) => column.notNull())
    .addColumn('description', text)
    .addColumn('attributes', text, (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('recordsets', 'bigint', (column) => column.notNull())
    .addColumn('records', 'bigint', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('transferred_at', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('zones_subtree').on('zones').columns(['subtree_key', 'project_id']).execute();
  await db.schema.createIndex('zones_created').on('zones').columns(['created_at', 'id']).execute();
  await db.schema
    .createIndex('zones_of_project_created')
    .on('zones')
    .columns(['project_id', 'created_at', 'id'])
    .execute();
  await db.schema
    .createIndex('zones_of_project_named')
    .on('zones')
    .columns(['project_id', 'name', 'id'])
    .execute();
  // To find a project's zone with the most records.
  await db.schema
    .createIndex('zones_of_project_records')
    .on('zones')
    .columns(['project_id', 'records'])
    .execute();
}

async function recordsets(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .createTable('recordsets')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('zone_id', text, (column) => column.notNull())
    .addColumn('project_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('subtree_key', text, (column) => column.notNull())
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('ttl', 'integer')
    .addColumn('records', text, (column) => column.notNull())
    .addColumn('description', text)
    .addColumn('managed', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .addUniqueConstraint('recordsets_owner', ['zone_id', 'subtree_key', 'type'])
    .execute();
  for (const owner of ['zone_id', 'project_id']) {
    await db.schema
      .createIndex(`recordsets_of_${owner}_created`)
      .on('recordsets')
      .columns([owner, 'created_at', 'id'])
      .execute();
  }
}

async function zoneTransfers(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .createTable('zone_transfer_requests')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('zone_id', text, (column) => column.notNull())
    .addColumn('zone_name', text, (column) => column.notNull())
    .addColumn('project_id', text, (column) => column.notNull())
    .addColumn('target_project_id', text)
    .addColumn('description', text)
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('wrong_keys', 'integer', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('zone_transfer_accepts')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('zone_transfer_request_id', text, (column) => column.notNull())
    .addColumn('zone_id', text, (column) => column.notNull())
    .addColumn('project_id', text, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute();
  // One open request per zone.
  await sql`create unique index zone_transfer_requests_open on zone_transfer_requests (zone_id) where status = 'ACTIVE'`.execute(
    db,
  );
  const indexes = { zone_transfer_requests: ['target_project_id'], zone_transfer_accepts: [] };
  for (const [table, others] of Object.entries(indexes)) {
    await db.schema.createIndex(`${table}_of_zone_id`).on(table).column('zone_id').execute();
    for (const owner of ['project_id', ...others]) {
      const index = db.schema.createIndex(`${table}_of_${owner}`).on(table);
      await index.columns([owner, 'created_at', 'id']).execute();
    }
  }
}

async function apiTokens(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .createTable('api_tokens')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('hash', text, (column) => column.notNull())
    .addColumn('project_id', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.notNull())
    .addColumn('roles', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('expires_at', text, (column) => column.notNull())
    .execute();
}

async function zoneTasks(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .createTable('zone_tasks')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('project_id', text, (column) => column.notNull())
    .addColumn('zone_id', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('message', text)
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute();
  for (const columns of [['project_id', 'kind'], ['kind']]) {
    await db.schema
      .createIndex(`zone_tasks_of_${columns[0]}_created`)
      .on('zone_tasks')
      .columns([...columns, 'created_at', 'id'])
      .execute();
  }
}

/** The first schema: blacklists with their revision, projects with counters and limits, zones, recordsets, transfers, tokens. */
export async function first(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await blacklists(db, dialect);
  await projects(db, dialect);
  await zones(db, dialect);
  await recordsets(db, dialect);
  await zoneTransfers(db, dialect);
  await apiTokens(db, dialect);
  await zoneTasks(db, dialect);
}
