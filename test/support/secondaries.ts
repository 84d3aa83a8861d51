import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { domainSettings } from '../../src/assembly/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { canonicalName } from '../../src/dns/names.ts';
import { typeNumber } from '../../src/dns/record-types.ts';
import { type UseCases, useCasesOver } from '../../src/domain/use-cases.ts';
import { patternLanguage } from '../../src/matcher/language.ts';
import { PatternChecker } from '../../src/matcher/pattern-checker.ts';
import { PatternScanner } from '../../src/matcher/scan/pattern-scanner.ts';
import { everythingAllowed } from '../../src/model/access/policy.ts';
import { systemClock } from '../../src/model/clock.ts';
import { commandContext } from '../../src/model/context/request-context.ts';
import type { Event } from '../../src/model/event-types/event.ts';
import type {
  DueSecondary,
  IncomingRecord,
  IncomingSoa,
  IncomingTransfer,
} from '../../src/model/secondaries/secondary.ts';
import type { Store } from '../../src/model/store.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { loadPolicy } from '../../src/policy/enforcer.ts';
import { openEventKeys } from '../../src/storage/events/event-keys.ts';
import { openStore } from '../../src/storage/open.ts';
import { inStoreOf, storeOptions, storeSettings } from './store.ts';

export const MASTER = { host: '192.0.2.1', port: 53 };
export const context = commandContext('test');

/** The SOA of a master with round timers. */
export function soaOf(serial: number, more: Partial<IncomingSoa> = {}): IncomingSoa {
  const timers = { refresh: 7200, retry: 900, expire: 86_400, ...more };
  const { refresh, retry, expire } = timers;
  const rdata = `ns.master.example. admin.master.example. ${serial} ${refresh} ${retry} ${expire} 60`;
  return { serial, ttl: 3600, rdata, ...timers };
}

export type RecordType = Parameters<typeof typeNumber>[0];

export function record(name: string, type: RecordType, rdata: string, ttl = 300): IncomingRecord {
  return { name, type: typeNumber(type), ttl, rdata };
}

/** The NS that every zone has at its apex. */
export const apexNs = (name: string): IncomingRecord => record(name, 'NS', 'ns.master.example.', 3600);

async function* inPieces(records: readonly IncomingRecord[]): AsyncGenerator<readonly IncomingRecord[]> {
  for (let at = 0; at < records.length; at += 3) yield records.slice(at, at + 3);
}

export function whole(soa: IncomingSoa, records: readonly IncomingRecord[]): IncomingTransfer {
  return { kind: 'whole', soa, records: inPieces(records) };
}

/** Use cases over a store of their own, with what tests of secondary zones ask of them. */
export interface SecondarySite {
  readonly store: Store;
  readonly useCases: UseCases;
  readonly told: readonly Event[];
  readonly dataDir: string;
  /** By default with a name that no other zone has. */
  create(name?: string): Promise<Zone>;
  look(zone: Pick<Zone, 'id'>): Promise<Zone>;
  /** The zone as it is claimed, made due if it is not. */
  claim(zone: Pick<Zone, 'id'>): Promise<DueSecondary>;
  /** Takes a whole transfer with the apex NS beside the records. */
  fill(zone: Zone, serial: number, records: readonly IncomingRecord[]): Promise<Zone>;
  /** Every recordset, as `name type ttl record record`, in name-tree order. */
  contents(zone: Zone): Promise<readonly string[]>;
  inStore(...statements: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

async function openSecondarySite(): Promise<SecondarySite> {
  const dataDir = mkdtempSync(join(tmpdir(), 'secondaries-'));
  const store = await openStore(storeSettings(dataDir), true);
  const index = new PatternChecker();
  const told: Event[] = [];
  let drawn = 0;
  const quotas = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };
  const useCases = useCasesOver({
    store,
    index,
    scanner: new PatternScanner(),
    clock: systemClock(),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    policy: everythingAllowed(() => loadPolicy()),
    sinks: [(event) => void told.push(event)],
    eventKeys: openEventKeys({ dataDir, keyFile: '' }),
    language: patternLanguage,
    newFilter: () => new PatternChecker(),
    settings: domainSettings(loadConfig(undefined, { ...storeOptions(dataDir), ...quotas })),
  });
  await useCases.checker.catchUp();
  const inStore = (...statements: readonly string[]) => inStoreOf(dataDir, ...statements);
  const look = ({ id }: Pick<Zone, 'id'>): Promise<Zone> => useCases.zones.get(context, id);

  async function claim({ id }: Pick<Zone, 'id'>): Promise<DueSecondary> {
    await inStore(
      `update secondaries set due_at = '', leased_until = '' where due_at <> ''`,
      `update secondaries set due_at = '2000-01-01T00:00:00.000000' where zone_id = '${id}'`,
    );
    const [due] = await useCases.secondaries.claim(1);
    if (due?.id !== id) throw new Error('The zone was not claimed.');
    return due;
  }

  return {
    store,
    useCases,
    told,
    dataDir,
    look,
    claim,
    inStore,
    create: async (name = `z${++drawn}.example.`) =>
      (await useCases.zones.create(context, { name: canonicalName(name), masters: [MASTER] })).zone,
    async fill(zone, serial, records) {
      const transfer = whole(soaOf(serial), [apexNs(zone.name), ...records]);
      await useCases.secondaries.take(await claim(zone), transfer);
      return look(zone);
    },
    async contents(zone) {
      const lines: string[] = [];
      for (let page = await store.recordsets.inTreeOrder(zone); page.length > 0; ) {
        lines.push(...page.map(({ name, type, ttl, records }) => [name, type, ttl, ...records].join(' ')));
        page = await store.recordsets.inTreeOrder(zone, page.at(-1));
      }
      return lines;
    },
    async close() {
      await index.close();
      await store.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** The site of the tests of one file: open while they run. */
export function useSecondarySite(): SecondarySite {
  const site = {} as SecondarySite;
  beforeAll(async () => {
    Object.assign(site, await openSecondarySite());
  });
  afterAll(() => site.close());
  return site;
}
