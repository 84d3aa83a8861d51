import type { Fqdn } from '../../dns/names.ts';
import type { ListQuery } from '../lists.ts';
import type { ServerAddress, ZonePool } from '../pools/pool.ts';
import type { SoaTimers } from './soa-timers.ts';

export type ZoneStatus = 'ACTIVE' | 'PENDING' | 'ERROR';
export type ZoneAction = 'CREATE' | 'UPDATE' | 'DELETE' | 'NONE';

/** A secondary zone is transferred in from masters of its own (RFC 1034 section 4.3.5). */
export type ZoneType = 'PRIMARY' | 'SECONDARY';

export interface Zone {
  readonly id: string;
  readonly name: Fqdn;
  readonly projectId: string;
  readonly pool: ZonePool;
  /** The id of the pool that it is being moved to; null for none. */
  readonly movesTo: string | null;
  readonly type: ZoneType;
  /** Of a secondary zone. */
  readonly masters: readonly ServerAddress[];
  /** Whether it is a secondary zone whose first transfer has not come: nothing of it is published. */
  readonly isAwaited: boolean;
  readonly email: string;
  /** Seconds. */
  readonly ttl: number;
  /** Its own timers; null for those of the options. Null for a secondary zone, too, whose SOA is its master's. */
  readonly soa: SoaTimers | null;
  readonly serial: number;
  /** By what its name servers have; a zone that waits for its removal has the action DELETE. */
  readonly status: ZoneStatus;
  readonly action: ZoneAction;
  readonly description: string | null;
  readonly attributes: Readonly<Record<string, string>>;
  readonly version: number;
  /** The numbers of recordsets and records, and their size, without the managed ones. */
  readonly recordsets: number;
  readonly records: number;
  readonly bytes: number;
  /** What was told of the limits of its sizes, as text; '' for nothing. */
  readonly told: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  /** When it came from another project, or from its masters. */
  readonly transferredAt: string | null;
  /** Whether another project may see it, and write recordsets of its own in it. */
  readonly shared: boolean;
}

/** Whether there may be orders for the zone, which its changes and its end have to reach. */
export function mayHaveOrders({ pool, movesTo, action }: Pick<Zone, 'pool' | 'movesTo' | 'action'>): boolean {
  return pool.publishes || movesTo !== null || action === 'DELETE';
}

export type FullestZone = Pick<Zone, 'id' | 'name' | 'recordsets' | 'records' | 'bytes'>;

export const ZONE_SORT_KEYS = [
  'created_at',
  'id',
  'updated_at',
  'name',
  'tenant_id',
  'serial',
  'ttl',
  'status',
] as const;
export const ZONE_FILTERS = ['name', 'email', 'status', 'description', 'ttl', 'type', 'shared'] as const;
export type ZoneQuery = ListQuery<(typeof ZONE_SORT_KEYS)[number], (typeof ZONE_FILTERS)[number]>;

export interface ZoneDraft {
  readonly name: Fqdn;
  /** Undefined for a secondary zone. */
  readonly email?: string | undefined;
  /** Of a secondary zone; else undefined. */
  readonly masters?: readonly ServerAddress[] | undefined;
  readonly ttl?: number | undefined;
  readonly soa?: SoaTimers | null | undefined;
  readonly description?: string | null | undefined;
  readonly attributes?: Readonly<Record<string, string>> | undefined;
}
/** The properties of a zone that its owner can change. */
export type ZoneProperties = Partial<Pick<Zone, 'email' | 'ttl' | 'soa' | 'description' | 'masters'>>;
/** A change of them as it is asked for: timers that are left out stay. */
export type AskedProperties = Omit<ZoneProperties, 'soa'> & {
  readonly soa?: Partial<SoaTimers> | null | undefined;
};
