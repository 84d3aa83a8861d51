import { type ColumnDataType, type Kysely, sql } from 'kysely';
import { formatMicroseconds } from '../../model/clock.ts';
import { DEFAULT_POOL_ID } from '../../model/pools/pool.ts';
import type { Dialect } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

type Column = readonly [name: string, type: ColumnDataType | Dialect['text'], initial?: string | number];

/** Creates a table. A column with an initial value is never null. */
async function makeTable(
  db: Kysely<unknown>,
  name: string,
  key: readonly string[],
  columns: readonly Column[],
): Promise<void> {
  let table = db.schema.createTable(name).addPrimaryKeyConstraint(`${name}_key`, key as never[]);
  for (const [column, type, initial] of columns) {
    table = table.addColumn(column, type, (definition) =>
      initial === undefined ? definition : definition.notNull().defaultTo(initial),
    );
  }
  await table.execute();
}

async function makePools(db: Kysely<unknown>, text: Dialect['text']): Promise<void> {
  await makeTable(
    db,
    'pools',
    ['id'],
    [
      ['id', text, ''],
      ['name', text, ''],
      ['description', text],
      ['attributes', text, '{}'],
      ['ns_records', text, ''],
      ['nameservers', text, '[]'],
      ['also_notifies', text, '[]'],
      ['catalog_fqdn', text, ''],
      ['catalog_refresh', 'integer', 3600],
      ['catalog_tsig_key', text, ''],
      ['threshold', 'integer'],
      ['tsig_key', text, ''],
      ['signing', 'integer', 0],
      ['publishes', 'integer', 0],
      ['catalog_serial', 'bigint', 0],
      ['catalog_kept_from', 'bigint', 0],
      ['reorder_after', text],
      ['apex_after', text],
      ['created_at', text, ''],
      ['updated_at', text, ''],
    ],
  );
  await db.schema.createIndex('pools_name').unique().on('pools').column('name').execute();
  const createdAt = formatMicroseconds(Date.now() * 1000);
  await (db as Kysely<Pick<Schema, 'pools'>>)
    .insertInto('pools')
    .values({ id: DEFAULT_POOL_ID, name: 'default', created_at: createdAt } as Schema['pools'])
    .execute();
}

async function makeTsigKeys(db: Kysely<unknown>, text: Dialect['text']): Promise<void> {
  const texts = ['id', 'name', 'algorithm', 'secret', 'scope', 'resource_id', 'created_at', 'updated_at'];
  await makeTable(
    db,
    'tsig_keys',
    ['id'],
    texts.map((column) => [column, text, '']),
  );
  await db.schema.createIndex('tsig_keys_name').unique().on('tsig_keys').column('name').execute();
}

async function makePublications(db: Kysely<unknown>, text: Dialect['text']): Promise<void> {
  await makeTable(
    db,
    'publications',
    ['zone_id'],
    [
      ['zone_id', text, ''],
      ['pool_id', text, ''],
      ['label', text, ''],
      ['joining', 'integer', 0],
      ['removal', 'integer', 0],
      ['serial', 'bigint', 0],
      ['published_serial', 'bigint'],
      ['pending_since', text, ''],
      ['due_at', text, ''],
      ['attempts', 'integer', 0],
      ['error', text, ''],
      ['servers', text, '[]'],
      ['journal_bytes', 'bigint', 0],
    ],
  );
  await sql`create index publications_due on publications (due_at) where due_at <> ''`.execute(db);
  await sql`create index publications_joining on publications (pool_id, pending_since) where joining = 1`.execute(
    db,
  );
  await db.schema
    .createIndex('publications_pool')
    .on('publications')
    .columns(['pool_id', 'zone_id'])
    .execute();
  await makeTable(
    db,
    'zone_journal',
    ['id'],
    [
      ['id', text, ''],
      ['zone_id', text, ''],
      ['number', 'bigint', 0],
      ['from_serial', 'bigint', 0],
      ['to_serial', 'bigint', 0],
      ['entry', text, ''],
      ['bytes_until', 'bigint', 0],
    ],
  );
  await db.schema
    .createIndex('zone_journal_zone')
    .on('zone_journal')
    .columns(['zone_id', 'number'])
    .execute();
}

async function makeCatalogs(db: Kysely<unknown>, text: Dialect['text']): Promise<void> {
  await makeTable(
    db,
    'catalog_members',
    ['label'],
    [
      ['label', text, ''],
      ['pool_id', text, ''],
      ['zone_id', text, ''],
      ['name', text, ''],
      ['from_serial', 'bigint', 0],
      ['to_serial', 'bigint', 0],
    ],
  );
  await db.schema
    .createIndex('catalog_members_label')
    .on('catalog_members')
    .columns(['pool_id', 'label'])
    .execute();
  await sql`create index catalog_members_left on catalog_members (pool_id, to_serial) where to_serial <> 0`.execute(
    db,
  );
  await db.schema
    .createIndex('catalog_members_joined')
    .on('catalog_members')
    .columns(['pool_id', 'from_serial'])
    .execute();
  await db.schema
    .createIndex('catalog_members_zone')
    .on('catalog_members')
    .columns(['zone_id', 'label'])
    .execute();
}

async function makeMemories(db: Kysely<unknown>, text: Dialect['text']): Promise<void> {
  await makeTable(
    db,
    'former_zones',
    ['name'],
    [
      ['name', text, ''],
      ['pool_id', text, ''],
      ['project_id', text, ''],
      ['serial', 'bigint', 0],
      ['gone_at', text, ''],
    ],
  );
  await db.schema
    .createIndex('former_zones_project')
    .on('former_zones')
    .columns(['project_id', 'gone_at'])
    .execute();
  await makeTable(
    db,
    'transferred_serials',
    ['id'],
    [
      ['id', text, ''],
      ['zone_id', text, ''],
      ['server', text, ''],
      ['serial', 'bigint', 0],
      ['at', text, ''],
    ],
  );
  await db.schema
    .createIndex('transferred_serials_zone')
    .on('transferred_serials')
    .column('zone_id')
    .execute();
}

/** Pools, TSIG keys and publication. Zones belong to the default pool until another is named. */
export async function publication(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await makePools(db, text);
  await makeTsigKeys(db, text);
  await makePublications(db, text);
  await makeCatalogs(db, text);
  await makeMemories(db, text);
  await db.schema
    .alterTable('zones')
    .addColumn('pool_id', text, (column) => column.notNull().defaultTo(DEFAULT_POOL_ID))
    .execute();
  await sql`create index zones_leaving on zones (project_id) where action = 'DELETE'`.execute(db);
  await db.schema.createIndex('zones_pool').on('zones').columns(['pool_id', 'id']).execute();
  await db.schema
    .alterTable('recordsets')
    .addColumn('serial', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}
