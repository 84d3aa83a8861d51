import type { Kysely, Selectable } from 'kysely';
import { canonicalName, type Fqdn } from '../dns/names.ts';
import type { Catalog, FormerZone, Order, ServedZone } from '../domain/publication/publication.ts';
import { prepared } from './prepared.ts';
import type { Schema } from './schema.ts';

type OrderRow = Selectable<Schema['publications']> & { readonly name: string };

export function orderFromRow(row: OrderRow): Order {
  return {
    zoneId: row.zone_id,
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
  };
}

/** Orders with the names of their zones. */
export function orders(db: Kysely<Schema>) {
  return db
    .selectFrom('publications')
    .innerJoin('zones', 'zones.id', 'publications.zone_id')
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
    .select([
      'zones.id',
      'zones.project_id',
      'zones.pool_id',
      'zones.name',
      'zones.serial',
      'zones.ttl',
      'recordsets.records',
    ])
    .where('publications.removal', '=', 0)
    .where(
      'zones.name',
      '=',
      slot((name) => name),
    ),
);

/** The zone that the hidden primary answers for; undefined for one that is being removed. */
export async function findServed(db: Kysely<Schema>, name: Fqdn): Promise<ServedZone | undefined> {
  const [row] = (await db.executeQuery(served(db, name))).rows;
  if (row === undefined) return undefined;
  return {
    id: row.id,
    projectId: row.project_id,
    poolId: row.pool_id,
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
    // A catalog that no batch has moved yet is empty; 0 is no serial to compare with.
    serial: row.catalog_serial || 1,
  };
}
