/** Pools in a file, in the format of Designate's `pools.yaml`. */
import { parseZoneName } from '../../dns/names.ts';
import type { Parsed } from '../../dns/parsed.ts';
import {
  type CatalogZone,
  formatAddress,
  type NameServer,
  type Pool,
  type ServerAddress,
} from '../../model/pools/pool.ts';
import { parseTsigKeyName } from '../../model/tsig-keys/tsig-key.ts';
import {
  distinct,
  flag,
  integer,
  nullable,
  object,
  parsed,
  readAs,
  refined,
  type Shape,
} from '../shapes/shape.ts';
import { parseHost, poolAttributes, poolDescription, poolName, poolNsRecords } from './pool-shapes.ts';

const MAX_POOLS = 1000;
const MAX_SERVERS = 100;
const DNS_PORT = 53;
const CATALOG_REFRESH = 3600;
const DRIVERS =
  'Zonewarden has no drivers: remove "targets", list the servers under "nameservers", and let them fetch their zones by AXFR, IXFR and "catalog_zone".';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A pool as a file describes it. */
export interface PoolSpec extends Omit<Pool, 'id' | 'projectId' | 'createdAt' | 'updatedAt'> {
  /** Undefined to use the id of the pool with this name, or for a new pool. */
  readonly id: string | undefined;
}

/** A UUID in lower case. */
export function parseId(text: string): Parsed<string> {
  const value = text.toLowerCase();
  return UUID.test(value)
    ? { ok: true, value }
    : { ok: false, reason: 'Must be a UUID (8-4-4-4-12 hexadecimal digits), or omitted.' };
}

const server = refined(
  object({ host: parsed(parseHost) }, { port: integer({ minimum: 1, maximum: 65_535 }) }),
  ({ host, port = DNS_PORT }): ServerAddress => ({ host, port }),
);
const keyName = parsed(parseTsigKeyName);
const nameServer = refined(
  object(
    { host: parsed(parseHost) },
    { port: integer({ minimum: 1, maximum: 65_535 }), tsig_key: nullable(keyName) },
  ),
  ({ host, port = DNS_PORT, tsig_key = null }): NameServer => ({
    host,
    port,
    ...(tsig_key === null ? {} : { tsigKey: tsig_key }),
  }),
);

const catalogZone = refined(
  object(
    { fqdn: parsed(parseZoneName) },
    { refresh: integer({ minimum: 1, maximum: 2_147_483_647 }), tsig_key: nullable(keyName) },
  ),
  ({ fqdn, refresh = CATALOG_REFRESH, tsig_key = null }): CatalogZone => ({
    fqdn,
    refresh,
    tsigKey: tsig_key,
  }),
);

/** A key of Designate's files that is not supported. */
const drivers: Shape<null> = { schema: { type: 'array' }, read: (_, faults) => faults.add(DRIVERS) };

const OPTIONAL = {
  id: parsed(parseId),
  description: poolDescription,
  attributes: poolAttributes,
  ns_records: poolNsRecords,
  nameservers: distinct(nameServer, formatAddress, { maxItems: MAX_SERVERS }),
  also_notifies: distinct(server, formatAddress, { maxItems: MAX_SERVERS }),
  catalog_zone: nullable(catalogZone),
  threshold: nullable(integer({ minimum: 1, maximum: MAX_SERVERS })),
  tsig_key: nullable(keyName),
  signing: flag,
  targets: drivers,
};

const pool = refined(object({ name: poolName }, OPTIONAL), (given, faults): PoolSpec | undefined => {
  const { nameservers = [], threshold = null } = given;
  if (threshold !== null && threshold > nameservers.length) {
    return faults.within('threshold', () =>
      faults.add(`It must not be larger than the number of nameservers, which is ${nameservers.length}.`),
    );
  }
  return {
    id: given.id,
    name: given.name,
    description: given.description ?? null,
    attributes: given.attributes ?? {},
    nsRecords: given.ns_records ?? null,
    nameservers,
    alsoNotifies: given.also_notifies ?? [],
    catalogZone: given.catalog_zone ?? null,
    threshold,
    tsigKey: given.tsig_key ?? null,
    signing: given.signing ?? false,
  };
});

const pools = distinct(pool, ({ name }) => name, { maxItems: MAX_POOLS });

/**
 * Reads the pools of a file.
 * @param document its parsed YAML or JSON
 * @throws DomainError `invalid_object` with all faults
 */
export function readPoolFile(document: unknown): readonly PoolSpec[] {
  return readAs(pools, document);
}

function catalogToFile({ fqdn, refresh, tsigKey }: CatalogZone) {
  return { fqdn, refresh, ...(tsigKey === null ? {} : { tsig_key: tsigKey }) };
}

function serverToFile({ host, port, tsigKey }: NameServer) {
  return { host, port, ...(tsigKey === undefined ? {} : { tsig_key: tsigKey }) };
}

const isGiven = (value: unknown): boolean => value !== null && value !== false && !isEmpty(value);

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A pool as a file describes it, without default values. */
export function poolToFile(pool: PoolSpec): Readonly<Record<string, unknown>> {
  const described = {
    id: pool.id ?? null,
    name: pool.name,
    description: pool.description,
    attributes: pool.attributes,
    ns_records: pool.nsRecords,
    nameservers: pool.nameservers.map(serverToFile),
    also_notifies: pool.alsoNotifies,
    catalog_zone: pool.catalogZone && catalogToFile(pool.catalogZone),
    threshold: pool.threshold,
    tsig_key: pool.tsigKey,
    signing: pool.signing,
  };
  return Object.fromEntries(Object.entries(described).filter(([, value]) => isGiven(value)));
}
