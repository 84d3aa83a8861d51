/** Pools as rows. */
import type { Selectable } from 'kysely';
import { canonicalName, type Fqdn } from '../../dns/names.ts';
import {
  type CatalogZone,
  DEFAULT_POOL_ID,
  type NsRecord,
  type Pool,
  publishes,
  type ZonePool,
} from '../../model/pools/pool.ts';
import type { Schema } from '../database/schema.ts';
import { nameServersOf } from '../zones/rows.ts';

export type PoolRow = Selectable<Schema['pools']>;

function catalogOf(row: PoolRow): CatalogZone | null {
  if (row.catalog_fqdn === '') return null;
  const fqdn = canonicalName<Fqdn>(row.catalog_fqdn);
  return { fqdn, refresh: row.catalog_refresh, tsigKey: row.catalog_tsig_key || null };
}

function nsRecordsOf(text: string): readonly NsRecord[] | null {
  if (text === '') return null;
  const stored = JSON.parse(text) as readonly { hostname: string; priority: number }[];
  return stored.map(({ hostname, priority }) => ({ hostname: canonicalName<Fqdn>(hostname), priority }));
}

export function poolFromRow(row: PoolRow): Pool {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    projectId: row.project_id,
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

/** The columns that an operator sets. The others belong to the publication of the pool's zones. */
export function toColumns(pool: Pool) {
  return {
    name: pool.name,
    description: pool.description,
    project_id: pool.projectId,
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

export function zonePoolOf({ id, ns_records, option_ns_records, publishes }: PoolRow): ZonePool {
  return { id, nameServers: nameServersOf(ns_records || option_ns_records), publishes: publishes === 1 };
}

/** The stored name servers of the option `ns_records`. */
export function optionOf(rows: readonly PoolRow[]): readonly string[] | undefined {
  const kept = rows.find(({ id }) => id === DEFAULT_POOL_ID)?.option_ns_records ?? '';
  return nameServersOf(kept) ?? undefined;
}
