import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { domainSettings } from '../../src/assembly/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { canonicalName } from '../../src/dns/names.ts';
import type { ZonePublication } from '../../src/domain/publication/server-states.ts';
import { type UseCases, useCasesOver } from '../../src/domain/use-cases.ts';
import { patternLanguage } from '../../src/matcher/language.ts';
import { PatternChecker } from '../../src/matcher/pattern-checker.ts';
import { PatternScanner } from '../../src/matcher/scan/pattern-scanner.ts';
import { everythingAllowed } from '../../src/model/access/policy.ts';
import { systemClock } from '../../src/model/clock.ts';
import { commandContext } from '../../src/model/context/request-context.ts';
import { NO_METRICS } from '../../src/model/metrics/metrics-recorder.ts';
import { DEFAULT_POOL_ID, type NameServer, type ServerAddress } from '../../src/model/pools/pool.ts';
import type { Order } from '../../src/model/publication/publication.ts';
import type { Store } from '../../src/model/store.ts';
import type { TsigKey } from '../../src/model/tsig-keys/tsig-key.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { loadPolicy } from '../../src/policy/enforcer.ts';
import type { WorkerDeps } from '../../src/publisher/worker/deps.ts';
import { type WorkerSettings, workerSettings } from '../../src/publisher/worker/settings.ts';
import { startWorker, type Worker } from '../../src/publisher/worker/worker.ts';
import type { Log } from '../../src/runtime/log.ts';
import { openEventKeys } from '../../src/storage/events/event-keys.ts';
import { openStore } from '../../src/storage/open.ts';
import { jobsOfTest } from './jobs.ts';
import { inStoreOf, storeOptions, storeSettings } from './store.ts';

/** Short waits, so that tests need not wait; none of them decides whether a test passes. */
const QUICK: WorkerSettings = {
  ...workerSettings({ errorAfter: 300, maxQuestions: 200, sweepHours: 24, sweepRate: 1000, formerDays: 7 }),
  pollMs: 20,
  queryBackoff: { firstMs: 2, factor: 1.5, maxMs: 50 },
  udpTimeout: { firstMs: 100, factor: 1, maxMs: 100 },
  tcpTimeoutMs: 200,
  confirmForMs: 1000,
  retryBackoff: { firstMs: 50, factor: 1, maxMs: 50 },
  stragglerBackoff: { firstMs: 50, factor: 1, maxMs: 50 },
  notifyBackoff: { firstMs: 50, factor: 1, maxMs: 50 },
  openAfterMs: 200,
  probeIntervalMs: 50,
  settleDelayMs: 1,
  storeBackoff: { firstMs: 5, factor: 1, maxMs: 5 },
};

interface PoolOfTest {
  readonly nameservers: readonly NameServer[];
  readonly alsoNotifies?: readonly ServerAddress[];
  readonly catalog?: string;
  readonly threshold?: number;
  readonly tsigKey?: string;
  readonly signing?: boolean;
}

interface Options {
  readonly settings?: Partial<WorkerSettings>;
  readonly keys?: readonly TsigKey[];
  readonly meter?: WorkerDeps['meter'];
  /** In the place of what comes after orders. */
  readonly finish?: WorkerDeps['finish'];
  /** In the place of the store's transactions. */
  readonly transaction?: (store: Store) => Store['transaction'];
}

export interface WorkerOfTest extends Worker {
  stop(): Promise<void>;
}

/** A store with a pool that publishes, and a worker over it. */
export interface Publishing {
  readonly store: Store;
  readonly useCases: UseCases;
  readonly logged: readonly {
    readonly fields: Readonly<Record<string, unknown>>;
    readonly message: string;
  }[];
  create(name: string): Promise<Zone>;
  update(zone: Zone): Promise<Zone>;
  remove(zone: Zone): Promise<Zone>;
  order(zone: Zone): Promise<Order | undefined>;
  status(zone: Zone): Promise<string>;
  /** @param id the default one */
  setPool(pool: PoolOfTest, id?: string): Promise<void>;
  /** Adds a pool whose zones have one name server in their apex, and returns its id. */
  addPool(pool: PoolOfTest, nameServer: string): Promise<string>;
  /** Begins to move a zone to another pool. */
  move(zone: Zone, poolId?: string): Promise<void>;
  /** A zone as it stands; undefined if it is gone. */
  look(zone: Zone): Promise<Zone | undefined>;
  /** What is shown of its servers. */
  shown(zone: Zone): Promise<ZonePublication>;
  readonly finish: WorkerDeps['finish'];
  /** Deletes a zone without waiting for servers. */
  removeAtOnce(zone: Zone): Promise<void>;
  abandon(zone: Zone): Promise<void>;
  /** Runs statements behind the product's back. */
  inStore(...statements: readonly string[]): Promise<unknown>;
  startWorker(options?: Options): WorkerOfTest;
  close(): Promise<void>;
}

const WITHOUT_QUOTA = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };
const text = (value: unknown): string => `'${JSON.stringify(value)}'`;

function poolStatement(pool: PoolOfTest, id: string): string {
  const { nameservers, alsoNotifies = [], catalog = '', threshold, tsigKey = '', signing = false } = pool;
  const plain = (servers: readonly NameServer[]) =>
    servers.map(({ host, port, tsigKey: key }) => ({ host, port, tsigKey: key }));
  return `update pools set nameservers = ${text(plain(nameservers))}, also_notifies = ${text(plain(alsoNotifies))},
    catalog_fqdn = '${catalog}', threshold = ${threshold ?? 'null'}, tsig_key = '${tsigKey}',
    signing = ${signing ? 1 : 0}, publishes = ${nameservers.length > 0 ? 1 : 0} where id = '${id}'`;
}

/** Collects what is logged. */
function collectingLog(lines: { fields: Readonly<Record<string, unknown>>; message: string }[]): Log {
  const write = (fields: object, message: string) =>
    void lines.push({ fields: fields as Readonly<Record<string, unknown>>, message });
  return { debug: write, info: write, warn: write, error: write };
}

export async function startPublishing(pool: PoolOfTest): Promise<Publishing> {
  const dataDir = mkdtempSync(join(tmpdir(), 'publishing-'));
  const store = await openStore(storeSettings(dataDir), true);
  const index = new PatternChecker();
  const clock = systemClock();
  const logged: { fields: Readonly<Record<string, unknown>>; message: string }[] = [];
  const log = collectingLog(logged);
  const useCases = useCasesOver({
    store,
    index,
    scanner: new PatternScanner(),
    clock,
    log,
    policy: everythingAllowed(() => loadPolicy()),
    sinks: [],
    eventKeys: openEventKeys({ dataDir, keyFile: '' }),
    language: patternLanguage,
    newFilter: () => new PatternChecker(),
    settings: domainSettings(loadConfig(undefined, { ...storeOptions(dataDir), ...WITHOUT_QUOTA })),
  });
  await useCases.checker.catchUp();
  const context = commandContext('test');
  const workers: WorkerOfTest[] = [];
  const wake = () => {
    for (const worker of workers) worker.wake();
  };
  const setPool = async (wanted: PoolOfTest, id: string = DEFAULT_POOL_ID) =>
    void (await inStoreOf(dataDir, poolStatement(wanted, id)));
  await setPool(pool);
  return {
    store,
    useCases,
    logged,
    setPool,
    async create(name) {
      const created = await useCases.zones.create(context, {
        name: canonicalName(name),
        email: 'host@example.com',
      });
      wake();
      return created.zone;
    },
    async update({ id, version }) {
      const zone = await useCases.zones.update(context, id, { description: `after version ${version}` });
      const changed = await useCases.zones.update(context, id, { email: `host${zone.version}@example.com` });
      wake();
      return changed;
    },
    async remove({ id }) {
      const zone = await useCases.zones.remove(context, id, { endsShares: false });
      wake();
      return zone;
    },
    async addPool(wanted, nameServer) {
      const id = randomUUID();
      const nsRecords = text([{ hostname: nameServer, priority: 1 }]);
      const row = `insert into pools (id, name, ns_records) values ('${id}', '${nameServer}', ${nsRecords})`;
      await inStoreOf(dataDir, row, poolStatement(wanted, id));
      return id;
    },
    async move({ id }, poolId) {
      await useCases.poolMoves.move(context, id, poolId);
      wake();
    },
    look: ({ id }) => store.zones.find(id, 'all projects'),
    shown: ({ id }) => useCases.serverStates.find(context, id),
    finish: useCases.orderEnds.finish,
    removeAtOnce: async ({ id }) =>
      void (await useCases.zones.remove(context, id, { endsShares: false, isHard: true })),
    abandon: ({ id }) => useCases.zones.abandon(context, id, { endsShares: false }),
    order: ({ id }) => store.publications.find(id),
    status: async ({ id }) => (await useCases.zones.get(context, id)).status,
    inStore: (...statements) => inStoreOf(dataDir, ...statements),
    startWorker(options = {}) {
      const { settings, keys = [], meter = NO_METRICS, transaction } = options;
      const { finish = useCases.orderEnds.finish } = options;
      const jobs = jobsOfTest(log);
      const started = startWorker(
        jobs,
        {
          store: transaction === undefined ? store : { transaction: transaction(store) },
          publication: store.publications,
          pools: store.pools,
          tsigKeys: { ofPools: async () => keys },
          clock,
          log,
          finish,
          busy: () => false,
          meter,
        },
        { ...QUICK, ...settings },
      );
      const worker = { wake: () => started.wake(), stop: () => jobs.stop() };
      workers.push(worker);
      return worker;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await index.close();
      await store.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
