import { type Kysely, type Selectable, sql } from 'kysely';
import { canonicalName, type Fqdn } from '../dns/names.ts';
import {
  type CatalogZone,
  DEFAULT_POOL_ID,
  type NsRecord,
  type Pool,
  type PoolQuery,
  publishes,
} from '../domain/pools/pool.ts';
import type { BacklogKind, PoolReads, PoolWrites } from '../domain/pools/store.ts';
import type { OpenTransaction, Reads } from './database.ts';
import { flavourOf } from './flavour.ts';
import { filterOn } from './list-conditions.ts';
import { type Listing, listsOf } from './lists.ts';
import { lockAllGates } from './name-gates.ts';
import { prepared } from './prepared.ts';
import type { Schema } from './schema.ts';

type Row = Selectable<Schema['pools']>;

function catalogOf(row: Row): CatalogZone | null {
  if (row.catalog_fqdn === '') return null;
  const fqdn = canonicalName<Fqdn>(row.catalog_fqdn);
  return { fqdn, refresh: row.catalog_refresh, tsigKey: row.catalog_tsig_key || null };
}

function nsRecordsOf(text: string): readonly NsRecord[] | null {
  if (text === '') return null;
  const stored = JSON.parse(text) as readonly { hostname: string; priority: number }[];
  return stored.map(({ hostname, priority }) => ({ hostname: canonicalName<Fqdn>(hostname), priority }));
}

export function poolFromRow(row: Row): Pool {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    attributes: JSON.parse(row.attributes),
    nsRecords: nsRecordsOf(row.ns_records),
    nameservers: JSON.parse(row.nameservers),
    alsoNotifies: JSON.parse(row.also_notifies),
    catalogZone: catalogOf(row),
    threshold: row.threshold,
    tsigKey: row.tsig_key || null,
    signing: row.signing === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
  };
}

/** What an operator decides of a pool. The other columns belong to the publication of its zones. */
function toColumns(pool: Pool) {
  return {
    name: pool.name,
    description: pool.description,
    attributes: JSON.stringify(pool.attributes),
    ns_records: pool.nsRecords === null ? '' : JSON.stringify(pool.nsRecords),
    nameservers: JSON.stringify(pool.nameservers),
    also_notifies: JSON.stringify(pool.alsoNotifies),
    catalog_fqdn: pool.catalogZone?.fqdn ?? '',
    catalog_refresh: pool.catalogZone?.refresh ?? 0,
    catalog_tsig_key: pool.catalogZone?.tsigKey ?? '',
    threshold: pool.threshold,
    tsig_key: pool.tsigKey ?? '',
    signing: Number(pool.signing),
    publishes: Number(publishes(pool)),
    updated_at: pool.updatedAt ?? '',
  };
}

/** The columns that tell how far the work of each kind has come. */
const PROGRESS = {
  orders: 'reorder_after',
  apexes: 'apex_after',
} as const satisfies Record<BacklogKind, string>;

const POOLS: Listing<PoolQuery, void, Row, Pool> = {
  table: 'pools',
  order: { created_at: ['created_at'], updated_at: ['updated_at'], id: [], name: ['name'] },
  indexed: ['name'],
  filters: { name: filterOn('name'), description: filterOn('description') },
  within: () => sql`true`,
  fromRow: poolFromRow,
};

/** The default pool first, then the oldest. */
const ordered = prepared<void, Row>((db) =>
  db
    .selectFrom('pools')
    .selectAll()
    .orderBy((eb) => eb.case().when('id', '=', DEFAULT_POOL_ID).then(0).else(1).end())
    .orderBy('created_at')
    .orderBy('id'),
);

async function allPools(db: Kysely<Schema>): Promise<readonly Pool[]> {
  return (await db.executeQuery(ordered(db))).rows.map(poolFromRow);
}

function holds(pool: Pool, attributes: Readonly<Record<string, string>>): boolean {
  const wanted = Object.entries(attributes);
  return wanted.length > 0 && wanted.every(([key, value]) => pool.attributes[key] === value);
}

function findPools(db: Kysely<Schema>) {
  return {
    all: () => allPools(db),
    find: async (id: string) => (await allPools(db)).find((pool) => pool.id === id),
  };
}

export function poolReads(reads: Reads): PoolReads {
  const { reader: db } = reads;
  const { list } = listsOf(reads, POOLS);
  return {
    ...findPools(db),
    list,

    async backlog(kind) {
      const column = PROGRESS[kind];
      const row = await db
        .selectFrom('pools')
        .select(['id', 'updated_at', column])
        .where(column, 'is not', null)
        .orderBy('id')
        .limit(1)
        .executeTakeFirst();
      return row && { poolId: row.id, updatedAt: row.updated_at, after: row[column] ?? '' };
    },

    async zonesAfter(poolId, after, limit) {
      const rows = await db
        .selectFrom('zones')
        .select('id')
        .where('pool_id', '=', poolId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

export function poolWrites({ now: db, later }: OpenTransaction): PoolWrites {
  return {
    ...findPools(db),

    async lockAll() {
      const rows = db.selectFrom('pools').select('id').orderBy('id');
      await rows.modifyEnd(flavourOf(db).forUpdate).execute();
      await lockAllGates(db);
      return allPools(db);
    },

    async hasZones(id) {
      const zone = db.selectFrom('zones').select('id').where('pool_id', '=', id).limit(1);
      if ((await zone.executeTakeFirst()) !== undefined) return true;
      const moving = db
        .selectFrom('publications')
        .select('zone_id')
        .where((eb) => eb.or([eb('pool_id', '=', id), eb('moving', '=', id)]))
        .limit(1);
      return (await moving.executeTakeFirst()) !== undefined;
    },

    insert(pool) {
      const row = { id: pool.id, created_at: pool.createdAt, catalog_serial: 0, catalog_kept_from: 0 };
      const done = { reorder_after: null, apex_after: null };
      later(db.insertInto('pools').values({ ...row, ...done, ...toColumns(pool) }));
    },

    update(pool, { reorders, renewsApexes }) {
      const columns = {
        ...toColumns(pool),
        ...(reorders ? { [PROGRESS.orders]: '' } : {}),
        ...(renewsApexes ? { [PROGRESS.apexes]: '' } : {}),
      };
      later(db.updateTable('pools').set(columns).where('id', '=', pool.id));
    },

    remove: (id) => later(db.deleteFrom('pools').where('id', '=', id)),

    async advance(kind, { poolId, updatedAt, after }, to) {
      const column = PROGRESS[kind];
      const { numUpdatedRows } = await db
        .updateTable('pools')
        .set({ [column]: to })
        .where('id', '=', poolId)
        .where('updated_at', '=', updatedAt)
        .where(column, '=', after)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    async choose(name, { pool_id: named, ...attributes }) {
      const pools = await allPools(db);
      if (pools.some(({ catalogZone }) => catalogZone?.fqdn === name)) return 'name of a catalog';
      const pool =
        named === undefined
          ? (pools.find((one) => holds(one, attributes)) ?? pools[0])
          : pools.find(({ id }) => id === named);
      if (pool === undefined) return undefined;
      const nameServers = pool.nsRecords?.map(({ hostname }) => hostname) ?? null;
      return { id: pool.id, nameServers, publishes: publishes(pool) };
    },
  };
}
