/** What the hidden primary reads, in memory, so that a test says what is committed when. */
import { canonicalName, type Fqdn } from '../../src/dns/names.ts';
import type { RecordType } from '../../src/dns/record-types.ts';
import { DEFAULT_POOL_ID, type Pool } from '../../src/model/pools/pool.ts';
import type {
  Catalog,
  CatalogMember,
  JournalEntry,
  ServedZone,
} from '../../src/model/publication/publication.ts';
import type { ZoneTransferReads } from '../../src/model/publication/store.ts';
import type { Recordset } from '../../src/model/recordsets/recordset.ts';
import type { TsigKey } from '../../src/model/tsig-keys/tsig-key.ts';

const AT = '2026-01-01T00:00:00.000000';

/** Owner name, type, records, and a TTL unless it is that of the zone. */
export type RecordsetSketch = readonly [
  name: string,
  type: RecordType,
  records: readonly string[],
  ttl?: number,
];

interface PublishedZone {
  readonly zone: ServedZone;
  readonly recordsets: readonly Recordset[];
  readonly journal: readonly JournalEntry[];
}

interface PublishedCatalog {
  readonly catalog: Catalog;
  readonly members: readonly CatalogMember[];
  readonly left: readonly CatalogMember[];
  readonly joined: readonly CatalogMember[];
  /** The oldest serial from which changes are known. */
  readonly since: number;
}

export const soaOf = (serial: number): string => `ns1.test. hostmaster.test. ${serial} 3600 600 86400 300`;

export function poolWith(changes: Partial<Pool>): Pool {
  return {
    id: DEFAULT_POOL_ID,
    name: 'default',
    description: null,
    projectId: null,
    attributes: {},
    nsRecords: null,
    nameservers: [{ host: '192.0.2.53', port: 53 }],
    alsoNotifies: [],
    catalogZone: null,
    threshold: null,
    tsigKey: null,
    signing: false,
    createdAt: AT,
    updatedAt: null,
    ...changes,
  };
}

export function keyWith(changes: Pick<TsigKey, 'name' | 'scope' | 'resourceId'> & Partial<TsigKey>): TsigKey {
  const secret = Buffer.from(`the secret of ${changes.name}`).toString('base64');
  return { id: changes.name, algorithm: 'hmac-sha256', secret, createdAt: AT, updatedAt: null, ...changes };
}

function recordsetOf(zoneId: string, [name, type, records, ttl]: RecordsetSketch): Recordset {
  return {
    id: `${name} ${type}`,
    zoneId,
    projectId: 'project',
    name: canonicalName(name),
    type,
    ttl: ttl ?? null,
    records,
    spellings: {},
    bytes: 0,
    description: null,
    protection: null,
    expiresAt: null,
    managed: false,
    version: 1,
    createdAt: AT,
    updatedAt: null,
  };
}

/** Zones and catalogs; each of them changes as a whole. */
export class PublishedZones {
  readonly #zones = new Map<string, PublishedZone>();
  readonly #catalogs = new Map<string, PublishedCatalog>();
  /** Transfers whose state of the store is held. */
  openStates = 0;
  /** Waited for before each page of a transfer. */
  beforePage: () => Promise<void> = () => Promise.resolve();
  pageSize = 500;

  /** Commits a zone: its SOA stands among the recordsets, too. */
  publish(
    zone: Pick<ServedZone, 'serial'> & Partial<Omit<ServedZone, 'name'>> & { readonly name: string },
    recordsets: Iterable<RecordsetSketch>,
    journal: readonly JournalEntry[] = [],
  ): ServedZone {
    const name = canonicalName<Fqdn>(zone.name);
    const soa = zone.soa ?? soaOf(zone.serial);
    const pools = { poolId: DEFAULT_POOL_ID, formerPoolId: null };
    const rest = { id: `id-of-${name}`, projectId: 'project', ...pools, ttl: 3600, soa };
    const served = { ...rest, ...zone, name };
    const all = [[name, 'SOA', [soa]] as const, ...recordsets].map((one) => recordsetOf(served.id, one));
    this.#zones.set(name, { zone: served, recordsets: all, journal });
    return served;
  }

  publishCatalog(catalog: Catalog, rest: Partial<PublishedCatalog>): void {
    const none = { members: [], left: [], joined: [], since: catalog.serial };
    this.#catalogs.set(catalog.fqdn, { ...none, ...rest, catalog });
  }

  async served(name: Fqdn): Promise<ServedZone | undefined> {
    return this.#zones.get(name)?.zone;
  }

  async catalog(name: Fqdn): Promise<Catalog | undefined> {
    return this.#catalogs.get(name)?.catalog;
  }

  async atOneState<T>(work: (reads: ZoneTransferReads) => Promise<T>): Promise<T> {
    this.openStates += 1;
    try {
      return await work(this.#state());
    } finally {
      this.openStates -= 1;
    }
  }

  #state(): ZoneTransferReads {
    const zones = new Map(this.#zones);
    const catalogs = new Map(this.#catalogs);
    const zoneWith = (id: string) => [...zones.values()].find(({ zone }) => zone.id === id)!;
    const page = async <T>(all: readonly T[], isAfter: (one: T) => boolean): Promise<readonly T[]> => {
      await this.beforePage();
      const start = all.findIndex(isAfter);
      return start < 0 ? [] : all.slice(start, start + this.pageSize);
    };
    return {
      served: async (name) => zones.get(name)?.zone,
      catalog: async (name) => catalogs.get(name)?.catalog,
      recordsets: async (zoneId, after) => {
        const { recordsets } = zoneWith(zoneId);
        const last = recordsets.findIndex(({ name, type }) => name === after?.name && type === after.type);
        await this.beforePage();
        return recordsets.slice(last + 1, last + 1 + this.pageSize);
      },
      journal: async ({ id }, fromSerial) => {
        const { journal } = zoneWith(id);
        const start = journal.findIndex((entry) => entry.fromSerial === fromSerial);
        return start < 0 ? undefined : journal.slice(start);
      },
      members: ({ fqdn }, after) => page(catalogs.get(fqdn)!.members, ({ label }) => label > after),
      knowsSince: async ({ fqdn }, fromSerial) => fromSerial >= catalogs.get(fqdn)!.since,
      left: ({ fqdn }, _from, after) => page(catalogs.get(fqdn)!.left, ({ label }) => label > after),
      joined: ({ fqdn }, _from, after) => page(catalogs.get(fqdn)!.joined, ({ label }) => label > after),
    };
  }
}
