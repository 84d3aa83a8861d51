import type { Kysely, Selectable } from 'kysely';
import { canonicalName, type Fqdn } from '../dns/names.ts';
import {
  type CatalogZone,
  DEFAULT_POOL_ID,
  type NsRecord,
  type Pool,
  publishes,
} from '../domain/pools/pool.ts';
import type { PoolReads, PoolWrites } from '../domain/pools/store.ts';
import type { OpenTransaction } from './database.ts';
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

export function poolReads(db: Kysely<Schema>): PoolReads {
  return {
    all: () => allPools(db),
    find: async (id) => (await allPools(db)).find((pool) => pool.id === id),
  };
}

export function poolWrites({ now: db }: OpenTransaction): PoolWrites {
  return {
    ...poolReads(db),
    async choose({ pool_id: named, ...attributes }) {
      const pools = await allPools(db);
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
