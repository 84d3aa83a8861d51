import type { Fqdn } from '../../dns/names.ts';
import type { OwnModes } from '../guardrails/guardrail.ts';
import type { ListQuery } from '../lists.ts';
import type { ServerAddress, ZonePool } from '../pools/pool.ts';
import type { Protection, ProtectionRequest } from '../protection/protection.ts';
import type { ShareScope } from '../scopes/share-scope.ts';
import type { SoaTimers } from './soa-timers.ts';

export type ZoneStatus = 'ACTIVE' | 'PENDING' | 'ERROR';
export type ZoneAction = 'CREATE' | 'UPDATE' | 'DELETE' | 'NONE';

/** A secondary zone is transferred in from external masters (RFC 1034 section 4.3.5). */
export type ZoneType = 'PRIMARY' | 'SECONDARY';

export interface Zone {
  readonly id: string;
  readonly name: Fqdn;
  readonly projectId: string;
  readonly pool: ZonePool;
  /** The id of the pool that it is moving to; null if it is not moving. */
  readonly movesTo: string | null;
  readonly type: ZoneType;
  /** Of a secondary zone; else empty. */
  readonly masters: readonly ServerAddress[];
  /** True for a secondary zone before its first transfer: nothing of it is published yet. */
  readonly isAwaited: boolean;
  readonly email: string;
  /** In seconds. */
  readonly ttl: number;
  /** The zone's own timers; null to use the configured ones, and for a secondary zone, which has its master's SOA. */
  readonly soa: SoaTimers | null;
  readonly serial: number;
  /** Depends on what its name servers have. A zone that waits for its removal has the action DELETE. */
  readonly status: ZoneStatus;
  readonly action: ZoneAction;
  readonly description: string | null;
  /** A protected zone cannot be deleted or given to another project; its records can change. */
  readonly protection: Protection | null;
  readonly attributes: Readonly<Record<string, string>>;
  readonly version: number;
  /** Numbers of recordsets and records, and their size, excluding managed ones. */
  readonly recordsets: number;
  readonly records: number;
  readonly bytes: number;
  /** Notified thresholds for its sizes, as text; '' for none. */
  readonly notified: string;
  /** Guardrail modes of its own; null for the defaults of the service. */
  readonly guardrails: OwnModes | null;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  /** When it last came from another project or from its masters. */
  readonly transferredAt: string | null;
  /** True if another project may see it and write its own recordsets in it. */
  readonly shared: boolean;
  /** For the project of the scope that it was read in: what its share narrows; undefined for nothing, and for its owner. */
  readonly shareScope?: ShareScope | undefined;
}

/** Whether the zone may have orders, which its changes and its deletion must update. */
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
  readonly protection?: Protection | null | undefined;
  readonly attributes?: Readonly<Record<string, string>> | undefined;
}
/** A zone that a request asks for. */
export type RequestedZone = Omit<ZoneDraft, 'protection'> & {
  readonly protection?: ProtectionRequest | undefined;
};
/** Properties of a zone that its owner can change. */
export type ZoneProperties = Partial<
  Pick<Zone, 'email' | 'ttl' | 'soa' | 'description' | 'masters' | 'protection'>
>;
/** A requested change of these properties. Omitted timers stay unchanged. */
export type RequestedProperties = Omit<ZoneProperties, 'soa' | 'protection'> & {
  readonly protection?: ProtectionRequest | undefined;
  readonly soa?: Partial<SoaTimers> | null | undefined;
};
