import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import type { Fqdn } from '../../dns/names.ts';
import { DEFAULT_POOL_ID, type Pool, type PoolQuery } from '../../model/pools/pool.ts';
import type { BacklogKind, PoolChooser, PoolReads, PoolWrites } from '../../model/pools/store.ts';
import type { DatabaseReads, OpenTransaction } from '../database/database.ts';
import { dialectOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { filterOn, nameFilterOn } from '../lists/list-conditions.ts';
import { type Listing, listsOf } from '../lists/lists.ts';
import { lockAllGates } from '../zones/name-gates.ts';
import { optionOf, type PoolRow, poolFromRow, toColumns, zonePoolOf } from './rows.ts';

/** The columns that record the progress of each kind of work. */
const PROGRESS = {
  orders: 'reorder_after',
  apexes: 'apex_after',
} as const satisfies Record<BacklogKind, string>;

const POOLS: Listing<PoolQuery, void, PoolRow, Pool> = {
  table: 'pools',
  order: { created_at: ['created_at'], updated_at: ['updated_at'], id: [], name: ['name'] },
  indexed: ['name'],
  filters: { name: nameFilterOn('name'), description: filterOn('description') },
  within: () => sql`true`,
  fromRow: poolFromRow,
};

/** The default pool first, then the oldest. */
const ordered = prepared<void, PoolRow>((db) =>
  db
    .selectFrom('pools')
    .selectAll()
    .orderBy((eb) => eb.case().when('id', '=', DEFAULT_POOL_ID).then(0).else(1).end())
    .orderBy('created_at')
    .orderBy('id'),
);

async function allRows(db: Kysely<Schema>): Promise<readonly PoolRow[]> {
  return (await db.executeQuery(ordered(db))).rows;
}

export async function allPools(db: Kysely<Schema>): Promise<readonly Pool[]> {
  return (await allRows(db)).map(poolFromRow);
}

function holds(row: PoolRow, attributes: Readonly<Record<string, string>>): boolean {
  const wanted = Object.entries(attributes);
  if (wanted.length === 0) return false;
  const held = JSON.parse(row.attributes) as Readonly<Record<string, string>>;
  return wanted.every(([key, value]) => held[key] === value);
}

function chosenFrom(
  rows: readonly PoolRow[],
  name: Fqdn,
  { pool_id: named, ...attributes }: Readonly<Record<string, string>>,
) {
  const catalogs = rows.map(({ catalog_fqdn }) => catalog_fqdn).filter((fqdn) => fqdn !== '');
  if (catalogs.some((fqdn) => fqdn === name)) return 'name of a catalog';
  if (catalogs.some((fqdn) => name.endsWith(`.${fqdn}`))) return 'name in a catalog';
  const row =
    named === undefined
      ? (rows.find((one) => holds(one, attributes)) ?? rows[0])
      : rows.find(({ id }) => id === named);
  return row && zonePoolOf(row);
}

function findPools(db: Kysely<Schema>) {
  return {
    all: () => allPools(db),
    find: async (id: string) => (await allPools(db)).find((pool) => pool.id === id),
    async chooser(): Promise<PoolChooser> {
      const rows = await allRows(db);
      return (name, attributes) => chosenFrom(rows, name, attributes);
    },
  };
}

export function poolReads(reads: DatabaseReads): PoolReads {
  const { reader: db } = reads;
  const { list } = listsOf(reads, POOLS);
  return {
    ...findPools(db),
    list,
    option: async () => optionOf(await allRows(db)),

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
      await rows.modifyEnd(dialectOf(db).forUpdate).execute();
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
      const done = { reorder_after: null, apex_after: null, option_ns_records: '' };
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

    async keepOption(nameServers, now) {
      const before = optionOf(await allRows(db));
      if (before !== undefined && isDeepStrictEqual(before, nameServers)) return false;
      const kept = nameServers.map((hostname, place) => ({ hostname, priority: place + 1 }));
      // A new time restarts work in progress.
      const changed = before === undefined ? {} : { updated_at: now };
      later(
        db
          .updateTable('pools')
          .set({ option_ns_records: JSON.stringify(kept), ...changed })
          .where('id', '=', DEFAULT_POOL_ID),
      );
      later(
        db
          .updateTable('pools')
          .set({ [PROGRESS.apexes]: '' })
          .where('id', '=', DEFAULT_POOL_ID)
          .where('ns_records', '=', ''),
      );
      return true;
    },

    async findForZone(id) {
      const row = (await allRows(db)).find((one) => one.id === id);
      return row && zonePoolOf(row);
    },
  };
}
