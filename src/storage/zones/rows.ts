/** Zones as rows, with the state that follows from their pool and their publication. */
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { canonicalName, subtreeKey } from '../../dns/names.ts';
import type { Zone, ZoneAction, ZoneStatus } from '../../model/zones/zone.ts';
import type { Schema } from '../database/schema.ts';
import { filterOn } from '../lists/list-conditions.ts';
import { protectionColumns, protectionFromRow } from '../protection-columns.ts';
import { HAS_FORMER_ERROR, IS_AWAITED, IS_EXPIRED, isBehind } from '../publication-status.ts';
import { IS_SHARED } from '../shares.ts';

type StoredRow = Selectable<Schema['zones']>;

/** The columns that other tables contribute to a zone. */
interface JoinedColumns {
  readonly pool_ns_records: string | null;
  readonly pool_publishes: number | null;
  readonly pool_moving: string | null;
  /** Null for a primary zone. */
  readonly masters: string | null;
  readonly transferred: number | null;
  readonly current_status: ZoneStatus;
  readonly current_action: ZoneAction;
  readonly is_shared: number;
}

export type ZoneRow = StoredRow & JoinedColumns;

/** The columns that a zone is made of. */
export const ZONE_COLUMNS = [
  'id',
  'name',
  'project_id',
  'pool_id',
  'pool_ns_records',
  'pool_publishes',
  'pool_moving',
  'type',
  'masters',
  'transferred',
  'email',
  'ttl',
  'soa',
  'serial',
  'current_status',
  'current_action',
  'description',
  'protected',
  'protection_reason',
  'guardrails',
  'attributes',
  'version',
  'recordsets',
  'records',
  'bytes',
  'told',
  'created_at',
  'updated_at',
  'transferred_at',
  'is_shared',
] as const satisfies readonly (keyof ZoneRow)[];

export type ListedZoneRow = Pick<ZoneRow, (typeof ZONE_COLUMNS)[number]>;

const behind = isBehind(sql.ref('zones.serial'));

const isMoving = sql<boolean>`(coalesce(publications.moving, '') <> '')`;

/** A zone that is being removed is never ACTIVE, even without an order. */
export const ZONE_STATUS = sql<ZoneStatus>`case
  when zones.action <> 'DELETE' and ${IS_EXPIRED} then 'ERROR'
  when zones.action <> 'DELETE' and ${IS_AWAITED} then 'PENDING'
  when zones.action <> 'DELETE' and not ${behind} and not ${isMoving} then 'ACTIVE'
  when coalesce(publications.error, '') <> '' then 'ERROR'
  when (zones.action = 'DELETE' or ${isMoving}) and ${HAS_FORMER_ERROR} then 'ERROR' else 'PENDING' end`;
/**
 * The ids of all zones whose status may not be ACTIVE, found by indexes on pending work. The order of a former pool
 * starts with its zone's id.
 */
export const UNSETTLED = sql`select substr(zone_id, 1, 36) from publications where due_at <> ''
  union all select id from zones where action = 'DELETE'
  union all select zone_id from secondaries where transferred = 0 or expired = 1`;
/**
 * The filter on the status. PENDING and ERROR are looked up among the few zones that can have them, however many are
 * ACTIVE.
 */
export function hasStatus(text: string): RawBuilder<boolean> {
  const matches = filterOn(ZONE_STATUS)(text);
  const isUnsettled = text === 'PENDING' || text === 'ERROR';
  return isUnsettled ? sql<boolean>`zones.id in (${UNSETTLED}) and ${matches}` : matches;
}

const ZONE_ACTION = sql<ZoneAction>`case
  when zones.action = 'DELETE' then 'DELETE'
  when ${isMoving} then 'UPDATE'
  when ${IS_AWAITED} then 'CREATE'
  when not ${behind} then 'NONE'
  when publications.published_serial is null then 'CREATE' else 'UPDATE' end`;

const NS_RECORDS = sql<
  string | null
>`case when pools.ns_records = '' then pools.option_ns_records else pools.ns_records end`;

export const ZONE_JOINS = sql`left join pools on pools.id = zones.pool_id
  left join publications on publications.zone_id = zones.id
  left join secondaries on secondaries.zone_id = zones.id`;
export const ZONE_STATE = sql`${NS_RECORDS} as pool_ns_records, pools.publishes as pool_publishes,
  secondaries.masters as masters, secondaries.transferred as transferred,
  publications.moving as pool_moving, ${ZONE_STATUS} as current_status, ${ZONE_ACTION} as current_action, ${IS_SHARED} as is_shared`;

/** Zones with their state. */
export function zonesWithState(db: Kysely<Schema>) {
  return db
    .selectFrom('zones')
    .leftJoin('pools', 'pools.id', 'zones.pool_id')
    .leftJoin('publications', 'publications.zone_id', 'zones.id')
    .leftJoin('secondaries', 'secondaries.zone_id', 'zones.id')
    .selectAll('zones')
    .select([
      NS_RECORDS.as('pool_ns_records'),
      'pools.publishes as pool_publishes',
      'publications.moving as pool_moving',
      'secondaries.masters as masters',
      'secondaries.transferred as transferred',
      ZONE_STATUS.as('current_status'),
      ZONE_ACTION.as('current_action'),
      IS_SHARED.as('is_shared'),
    ]);
}

/** The name servers of the last text: most zones of a page are in one pool. */
let lastNameServers: { readonly text: string; readonly names: readonly string[] } = { text: '[]', names: [] };

/** The targets of a pool's NS records; null for those of the option. */
export function nameServersOf(nsRecords: string | null): readonly string[] | null {
  if (!nsRecords) return null;
  if (nsRecords !== lastNameServers.text) {
    const records = JSON.parse(nsRecords) as readonly { hostname: string }[];
    lastNameServers = { text: nsRecords, names: records.map(({ hostname }) => hostname) };
  }
  return lastNameServers.names;
}

const NO_MASTERS: Zone['masters'] = [];
const NO_ATTRIBUTES: Zone['attributes'] = {};

export function zoneFromRow(row: ListedZoneRow): Zone {
  return {
    id: row.id,
    name: canonicalName(row.name),
    projectId: row.project_id,
    pool: {
      id: row.pool_id,
      nameServers: nameServersOf(row.pool_ns_records),
      publishes: row.pool_publishes === 1,
    },
    movesTo: row.pool_moving || null,
    type: row.type,
    masters: row.masters === null ? NO_MASTERS : JSON.parse(row.masters),
    isAwaited: row.transferred === 0,
    email: row.email,
    ttl: row.ttl,
    soa: row.soa === null ? null : JSON.parse(row.soa),
    serial: row.serial,
    status: row.current_status,
    action: row.current_action,
    description: row.description,
    protection: protectionFromRow(row),
    attributes: row.attributes === '{}' ? NO_ATTRIBUTES : JSON.parse(row.attributes),
    version: row.version,
    recordsets: row.recordsets,
    records: row.records,
    bytes: row.bytes,
    notified: row.told,
    guardrails: row.guardrails === null ? null : JSON.parse(row.guardrails),
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
    transferredAt: row.transferred_at || null,
    shared: row.is_shared === 1,
  };
}

export function toZoneRow(zone: Zone): StoredRow {
  return {
    id: zone.id,
    name: zone.name,
    subtree_key: subtreeKey(zone.name),
    project_id: zone.projectId,
    pool_id: zone.pool.id,
    email: zone.email,
    ttl: zone.ttl,
    soa: zone.soa && JSON.stringify(zone.soa),
    serial: zone.serial,
    type: zone.type,
    // Older programs, without pools, show this; here the status follows from publication.
    status: 'ACTIVE',
    action: zone.action === 'DELETE' ? 'DELETE' : 'NONE',
    description: zone.description,
    ...protectionColumns(zone.protection),
    attributes: JSON.stringify(zone.attributes),
    version: zone.version,
    recordsets: zone.recordsets,
    records: zone.records,
    bytes: zone.bytes,
    told: zone.notified,
    guardrails: zone.guardrails && JSON.stringify(zone.guardrails),
    created_at: zone.createdAt,
    updated_at: zone.updatedAt ?? '',
    transferred_at: zone.transferredAt ?? '',
  };
}
