import type { Fqdn } from '../../dns/names.ts';
import type { ListQuery } from '../lists.ts';

/** Designate's own id of its default pool: clients show it. */
export const DEFAULT_POOL_ID = '794ccc2c-d751-44fe-b57f-8894c9f5c842';

/** What the option `ns_records` says until somebody sets it. No resolver can follow it. */
export const PLACEHOLDER_NS = 'ns1.invalid.';

/** Where packets go. `host` is an IPv4 or IPv6 address, or a host name. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

export interface NsRecord {
  readonly hostname: Fqdn;
  readonly priority: number;
}

/** The catalog zone (RFC 9432) by which the name servers of a pool learn which zones there are. */
export interface CatalogZone {
  readonly fqdn: Fqdn;
  /** Seconds. */
  readonly refresh: number;
  /** The name of the key for the catalog; null for that of the pool. */
  readonly tsigKey: string | null;
}

/** A set of name servers that serve the same zones. */
export interface Pool {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** The project that it was made for, as clients of Designate may say; null for all. It restricts nothing. */
  readonly projectId: string | null;
  readonly attributes: Readonly<Record<string, string>>;
  /** The apex NS of every zone of the pool, by priority, then name; null in the default pool for the option `ns_records`. */
  readonly nsRecords: readonly NsRecord[] | null;
  readonly nameservers: readonly ServerAddress[];
  readonly alsoNotifies: readonly ServerAddress[];
  readonly catalogZone: CatalogZone | null;
  /** How many of `nameservers` must have a change; null for all. */
  readonly threshold: number | null;
  /** The name of the key for what is exchanged with the servers, or null. */
  readonly tsigKey: string | null;
  /** Whether the servers sign, and so have serials of their own. */
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
 * Whether a pool publishes zones that no resolver can follow: their NS is the placeholder.
 * @param option the name servers of the option `ns_records`
 */
export function publishesPlaceholder(
  { nsRecords, nameservers }: Pick<Pool, 'nsRecords' | 'nameservers'>,
  option: readonly string[],
): boolean {
  const names = nsRecords?.map(({ hostname }) => hostname as string) ?? option;
  return publishes({ nameservers }) && names.includes(PLACEHOLDER_NS);
}

/** How many servers must have a change: at least one, at most all. */
export function thresholdOf({ threshold, nameservers }: Pick<Pool, 'threshold' | 'nameservers'>): number {
  return Math.max(1, Math.min(threshold ?? nameservers.length, nameservers.length));
}

/** `host:port`, with an IPv6 address in brackets. */
export function formatAddress({ host, port }: ServerAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** What a zone knows of its pool. */
export interface ZonePool {
  readonly id: string;
  /** The targets of its apex NS, the first of which is the MNAME of its SOA; null for those of the option `ns_records`. */
  readonly nameServers: readonly string[] | null;
  readonly publishes: boolean;
}
