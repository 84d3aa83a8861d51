import type { Fqdn } from '../../dns/names.ts';
import type { ListQuery } from '../lists.ts';

/** The id of Designate's default pool, which clients show. */
export const DEFAULT_POOL_ID = '794ccc2c-d751-44fe-b57f-8894c9f5c842';

/** The default of the option `ns_records`. No resolver can follow it. */
export const PLACEHOLDER_NS = 'ns1.invalid.';

/** A network address. `host` is an IPv4 or IPv6 address, or a host name. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** A server that transfers the zones of a pool. */
export interface NameServer extends ServerAddress {
  /** The name of the server's own TSIG key; missing if it has the keys of its pool. */
  readonly tsigKey?: string;
}

export interface NsRecord {
  readonly hostname: Fqdn;
  readonly priority: number;
}

/** The catalog zone (RFC 9432) that lists a pool's zones for its name servers. */
export interface CatalogZone {
  readonly fqdn: Fqdn;
  /** In seconds. */
  readonly refresh: number;
  /** The name of the catalog's TSIG key; null to use the pool's key. */
  readonly tsigKey: string | null;
}

/** A set of name servers that serve the same zones. */
export interface Pool {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** The project that a Designate client set; null for all. It has no effect. */
  readonly projectId: string | null;
  readonly attributes: Readonly<Record<string, string>>;
  /**
   * Apex NS of every zone in the pool, sorted by priority, then name. Null in the default pool to use the option
   * `ns_records`.
   */
  readonly nsRecords: readonly NsRecord[] | null;
  readonly nameservers: readonly NameServer[];
  readonly alsoNotifies: readonly ServerAddress[];
  readonly catalogZone: CatalogZone | null;
  /** Number of `nameservers` that must have a change; null for all. */
  readonly threshold: number | null;
  /** The name of the TSIG key for messages between the service and the servers, or null. */
  readonly tsigKey: string | null;
  /** True if the servers sign, and so use their own serials. */
  readonly signing: boolean;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

export const POOL_SORT_KEYS = ['created_at', 'updated_at', 'id', 'name'] as const;
export const POOL_FILTERS = ['name', 'description'] as const;
export type PoolQuery = ListQuery<(typeof POOL_SORT_KEYS)[number], (typeof POOL_FILTERS)[number]>;

/** Only a pool with name servers publishes its zones. */
export function publishes({ nameservers }: Pick<Pool, 'nameservers'>): boolean {
  return nameservers.length > 0;
}

/**
 * Whether a pool publishes zones with the placeholder NS, which no resolver can follow.
 * @param option the name servers of the option `ns_records`
 */
export function publishesPlaceholder(
  { nsRecords, nameservers }: Pick<Pool, 'nsRecords' | 'nameservers'>,
  option: readonly string[],
): boolean {
  const names = nsRecords?.map(({ hostname }) => hostname as string) ?? option;
  return publishes({ nameservers }) && names.includes(PLACEHOLDER_NS);
}

/** The names of the TSIG keys that a pool uses, each once: its own, that of its catalog zone, and those of its servers. */
export function keyNamesOf({
  tsigKey,
  catalogZone,
  nameservers,
}: Pick<Pool, 'tsigKey' | 'catalogZone' | 'nameservers'>): readonly string[] {
  const names = [tsigKey, catalogZone?.tsigKey ?? null, ...nameservers.map((one) => one.tsigKey ?? null)];
  return [...new Set(names.filter((name) => name !== null))];
}

/** Number of servers that must have a change: between one and all. */
export function thresholdOf({ threshold, nameservers }: Pick<Pool, 'threshold' | 'nameservers'>): number {
  return Math.max(1, Math.min(threshold ?? nameservers.length, nameservers.length));
}

/** `host:port`, with an IPv6 address in brackets. */
export function formatAddress({ host, port }: ServerAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The properties of a pool that its zones use. */
export interface ZonePool {
  readonly id: string;
  /** The targets of the apex NS, of which the first is the MNAME of the SOA. Null to use the option `ns_records`. */
  readonly nameServers: readonly string[] | null;
  readonly publishes: boolean;
}
