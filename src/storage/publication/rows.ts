import { type Kysely, type Selectable, sql } from 'kysely';
import { canonicalName, type Fqdn } from '../../dns/names.ts';
import {
  type Catalog,
  type FormerZone,
  type Order,
  type ServedZone,
  zoneIdOf,
} from '../../model/publication/publication.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { IS_EXPIRED } from '../publication-status.ts';

type OrderRow = Selectable<Schema['publications']> & { readonly name: string };

export function orderFromRow(row: OrderRow): Order {
  return {
    id: row.zone_id,
    zoneId: zoneIdOf(row.zone_id),
    name: canonicalName(row.name),
    poolId: row.pool_id,
    isRemoval: row.removal === 1,
    serial: row.serial,
    publishedSerial: row.published_serial,
    pendingSince: row.pending_since,
    dueAt: row.due_at,
    attempts: row.attempts,
    error: row.error,
    servers: JSON.parse(row.servers),
    move: row.moving === '' ? null : { poolId: row.moving, serial: row.moving_serial },
  };
}

/** `zoneIdOf` in SQL. */
const ZONE_OF_ORDER = sql<string>`replace(publications.zone_id, '/former', '')`;

/** Orders with the names of their zones. */
export function orders(db: Kysely<Schema>) {
  return db
    .selectFrom('publications')
    .innerJoin('zones', (join) => join.on('zones.id', '=', ZONE_OF_ORDER))
    .selectAll('publications')
    .select('zones.name as name');
}

export function formerFromRow(row: Selectable<Schema['former_zones']>): FormerZone {
  return {
    name: canonicalName(row.name),
    poolId: row.pool_id,
    projectId: row.project_id,
    serial: row.serial,
    goneAt: row.gone_at,
  };
}

interface ServedRow {
  readonly id: string;
  readonly project_id: string;
  readonly pool_id: string;
  readonly former_pool_id: string | null;
  readonly name: string;
  readonly serial: number;
  readonly ttl: number;
  readonly records: string;
}

const served = prepared<Fqdn, ServedRow>((db, slot) =>
  db
    .selectFrom('zones')
    .innerJoin('publications', 'publications.zone_id', 'zones.id')
    .innerJoin('recordsets', (join) =>
      join
        .onRef('recordsets.zone_id', '=', 'zones.id')
        .onRef('recordsets.subtree_key', '=', 'zones.subtree_key')
        .on('recordsets.type', '=', 'SOA'),
    )
    .leftJoin('publications as former', (join) =>
      join.on('former.zone_id', '=', sql`zones.id || '/former'`).on('former.removal', '=', 0),
    )
    .leftJoin('secondaries', 'secondaries.zone_id', 'zones.id')
    .select([
      'zones.id',
      'zones.project_id',
      'publications.pool_id',
      'former.pool_id as former_pool_id',
      'zones.name',
      'zones.serial',
      'zones.ttl',
      'recordsets.records',
    ])
    .where('publications.removal', '=', 0)
    .where(sql<boolean>`not ${IS_EXPIRED}`)
    .where(
      'zones.name',
      '=',
      slot((name) => name),
    ),
);

/** The zone that the hidden primary serves; undefined for one that is being removed, or has expired. */
export async function findServed(db: Kysely<Schema>, name: Fqdn): Promise<ServedZone | undefined> {
  const [row] = (await db.executeQuery(served(db, name))).rows;
  if (row === undefined) return undefined;
  return {
    id: row.id,
    projectId: row.project_id,
    poolId: row.pool_id,
    formerPoolId: row.former_pool_id,
    name: canonicalName(row.name),
    serial: row.serial,
    ttl: row.ttl,
    soa: (JSON.parse(row.records) as readonly string[])[0] ?? '',
  };
}

/** The catalog of a pool that publishes. */
export async function findCatalog(db: Kysely<Schema>, name: Fqdn): Promise<Catalog | undefined> {
  const row = await db
    .selectFrom('pools')
    .select(['id', 'catalog_fqdn', 'catalog_refresh', 'catalog_serial'])
    .where('catalog_fqdn', '=', name)
    .where('publishes', '=', 1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    poolId: row.id,
    fqdn: canonicalName(row.catalog_fqdn),
    refresh: row.catalog_refresh,
    // A catalog without any batch yet is empty; 0 is not a valid serial for comparison.
    serial: row.catalog_serial || 1,
  };
}
