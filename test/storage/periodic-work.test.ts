/** What goes on beside the requests costs no more because more is stored, as long as nothing changes. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forgetSome } from '../../src/domain/deleted-zones/deleted-zone-job.ts';
import { historyUpkeep } from '../../src/domain/history/history-job.ts';
import { metricsReader } from '../../src/domain/metrics/store-metrics.ts';
import { usageJob } from '../../src/domain/usage/usage-job.ts';
import { type Clock, earlier, epochSeconds, later, systemClock } from '../../src/model/clock.ts';
import { DEFAULT_POOL_ID } from '../../src/model/pools/pool.ts';
import type { Store } from '../../src/model/store.ts';
import type { Job } from '../../src/runtime/jobs.ts';
import { openStore } from '../../src/storage/open.ts';
import { addBulkZones } from '../support/bulk-zones.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/process.ts';
import { runs } from '../support/runs.ts';
import { inStoreOf, isOnPostgres, makeStore, storeSettings } from '../support/store.ts';

type Figures = ReturnType<typeof metricsReader>;

const DAY = 86_400_000;
const BATCH = 500;
const QUOTAS = {
  zones: 10,
  zone_recordsets: 500,
  zone_records: 500,
  recordset_records: 20,
  api_export_size: 1000,
};
const SERVER = '[{"host":"127.0.0.1","port":53}]';
const ENTRY = '00000000-0000-4000-9000-000000000001';
const NO_HITS = { refused: 0, warned: 0, audited: 0 };
const PROCESS = {
  id: '00000000-0000-4000-9000-000000000002',
  serviceName: 'central',
  hostname: 'localhost',
  status: 'UP',
  jobs: {},
  createdAt: '2026-01-01T00:00:00.000000',
} as const;
/** Pages that the sweep reads in the time of one turn: it has a rate, and goes on from where it was. */
const SWEPT_PAGES = 3;
const SWEPT = 100;
const TRIES = 3;
/** The long run has no more than the full one. */
const MANY_ZONES = Math.min(99_000, runs(99_000, 19_000));
const silent = { debug() {}, info() {}, warn() {}, error() {} };
let folder: ReturnType<typeof temporaryFolder>;
beforeAll(async () => {
  folder = temporaryFolder();
  await makeStore(folder.path);
  await inStoreOf(
    folder.path,
    `update pools set publishes = 1, catalog_fqdn = 'catalog.invalid.', nameservers = '${SERVER}'`,
  );
});
afterAll(() => folder.remove());

/** Each pass of the usage is due again at once: time goes on by a minute with each of them. */
let minutes = 0;
const clock: Clock = { now: () => later(systemClock().now(), minutes * 60_000) };

const upkeep = historyUpkeep({
  clock,
  history: { days: 90, maxBytesPerZone: 1000, maxBytesPerProject: 1000 },
});

const usageOf = (store: Store): Job =>
  usageJob({ store, clock, log: silent, defaults: QUOTAS, maxZoneSize: 8_388_608 });

async function usagePass(usage: Job): Promise<void> {
  minutes += 1;
  const { signal } = new AbortController();
  const isDone = await usage.lease!.lease.run(0, signal, async (held) => {
    while (await usage.slice(held));
    await usage.release!();
  });
  expect(isDone).toBe(true);
}

async function sweepPages({ publications }: Store, before: string): Promise<void> {
  let after = '';
  for (let page = 0; page < SWEPT_PAGES; page++) {
    const orders = await publications.page(DEFAULT_POOL_ID, after, SWEPT);
    after = orders.at(-1)!.id;
    expect(await publications.find(after)).toBeDefined();
  }
  await publications.formerZones(before, '', SWEPT);
}

/** One turn of each job. Whether one of them has more to do. */
async function turnOfAll(store: Store, usage: Job, figures: Figures): Promise<boolean> {
  const now = clock.now();
  const before = earlier(now, 30 * DAY);
  const jobs: readonly (() => Promise<unknown>)[] = [
    () => store.pools.all(),
    () => store.tsigKeys.ofPools(),
    () => store.pools.backlog('orders'),
    () => store.pools.backlog('apexes'),
    () => store.transaction((tx) => tx.publications.claim(now, later(now, 1000), BATCH)),
    () => store.transaction((tx) => tx.publications.moveCatalog(DEFAULT_POOL_ID, epochSeconds(now), BATCH)),
    () => sweepPages(store, before),
    () => store.transaction((tx) => tx.publications.pruneFormer(before, '', BATCH)),
    () => store.transaction((tx) => tx.publications.pruneCatalogs(epochSeconds(before), BATCH)),
    () => store.blacklists.hasExpired(now),
    () => store.blacklists.revision(),
    () =>
      store.transaction(async (tx) =>
        tx.blacklists.addHits([{ ...NO_HITS, id: ENTRY, refused: 1, lastAt: now }]),
      ),
    () => store.blacklistLists.openTasks(),
    () => store.transaction((tx) => tx.blacklistLists.forgetTasks(before)),
    () => store.secondaries.hasWork(now),
    () => store.transaction((tx) => tx.secondaries.claim(now, later(now, 1000), BATCH, undefined)),
    () => store.transaction((tx) => tx.secondaries.expire(now, BATCH)),
    () => store.previews.waiting(now, 10),
    () => store.previews.outdated(before),
    () => store.events.isWaiting(),
    () => store.events.head(),
    () => store.transaction((tx) => tx.events.oldest(BATCH)),
    () => store.transaction(async (tx) => tx.events.forgetRefusals(before.slice(0, 13))),
    () => store.transaction(async (tx) => tx.idempotencyKeys.removeLater({ upTo: before }, 1000)),
    () =>
      store.transaction(async (tx) =>
        tx.serviceStatuses.put([{ ...PROCESS, heartbeatedAt: now, updatedAt: now }]),
      ),
    () => store.transaction(async (tx) => tx.serviceStatuses.removeSilent(before)),
    () => store.transaction((tx) => tx.leases.take('sweep', 'me', now, 1000)),
    () => store.transaction((tx) => upkeep(tx.history)),
    () => store.transaction((tx) => forgetSome(tx.deletedZones, { clock, deletedZoneDays: 30 })),
    () => store.webhooks.all(),
    () => store.nameIndex.isBehind(),
    () => store.recordsetIndexes.isBehind(),
    () => usagePass(usage),
    figures.counts,
    figures.limits,
  ];
  for (const job of jobs) await job();
  return (await store.transaction((tx) => tx.publications.reconcile(BATCH, now))).isMore;
}

type ReadCounts = Readonly<Record<string, number>>;

/** Rows that the server has read so far of each table, when nobody is connected any more: then all are counted. */
async function rowsRead(): Promise<ReadCounts> {
  await eventually(async () => {
    const [others] = await inStoreOf(
      folder.path,
      `select count(*) as total from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    return Number(others!.total) === 0 ? true : undefined;
  });
  const rows = await inStoreOf(
    folder.path,
    'select relname as name, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as total from pg_stat_user_tables',
  );
  return Object.fromEntries(rows.map(({ name, total }) => [String(name), Number(total)]));
}

/** Bytes that this process has read so far, from whatever file. */
function bytesRead(): ReadCounts {
  const [, bytes] = /^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))!;
  return { bytes: Number(bytes) };
}

const read = (): ReadCounts | Promise<ReadCounts> => (isOnPostgres() ? rowsRead() : bytesRead());

function minus(counts: ReadCounts, others: ReadCounts): ReadCounts {
  return Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, count - (others[name] ?? 0)]),
  );
}

const sum = (counts: ReadCounts): number => Object.values(counts).reduce((total, count) => total + count, 0);

async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(storeSettings(folder.path));
  await work(store);
  await store.close();
}

/** Rows, or bytes, by which two turns may differ. */
const MAX_MORE = (): number => (isOnPostgres() ? 200 : 400_000);

/** What so many turns of each job read, in a store that is opened for them. */
async function costOfTurns(turns: number): Promise<ReadCounts> {
  const before = await read();
  await withStore(async (store) => {
    const usage = usageOf(store);
    const figures = metricsReader({ store, clock, quotas: QUOTAS, maxZoneSize: 8_388_608 });
    for (let turn = 0; turn < turns; turn++) expect(await turnOfAll(store, usage, figures)).toBe(false);
  });
  return minus(await read(), before);
}

/** The least of several times: what the server does by itself, such as new statistics, only adds to it. */
async function leastCostOfTurns(turns: number): Promise<ReadCounts> {
  const costs: ReadCounts[] = [];
  while (costs.length < TRIES) costs.push(await costOfTurns(turns));
  return costs.reduce((least, cost) => (sum(cost) < sum(least) ? cost : least));
}

/** What one turn of each job reads once nothing is left to do: rows of PostgreSQL, or bytes of the embedded database. */
async function costOfATurn(): Promise<ReadCounts> {
  await withStore(async (store) => {
    const usage = usageOf(store);
    const figures = metricsReader({ store, clock, quotas: QUOTAS, maxZoneSize: 8_388_608 });
    while (await turnOfAll(store, usage, figures));
  });
  const few = await leastCostOfTurns(2);
  return minus(await leastCostOfTurns(3), few);
}

/** Measures again if a turn has read more: the statistics of the server may have changed while it was measured. */
async function expectNoMoreThan(before: ReadCounts): Promise<void> {
  let more = minus(await costOfATurn(), before);
  for (let tries = 1; tries < TRIES && sum(more) >= MAX_MORE(); tries++)
    more = minus(await costOfATurn(), before);
  expect(sum(more), JSON.stringify(more)).toBeLessThan(MAX_MORE());
}

it('reads no more with very many zones than with 1,000', async () => {
  await addBulkZones(folder.path, 1000, { isPublished: true, hasApex: false });
  const few = await costOfATurn();
  const more = { first: 1000, isPublished: true, hasApex: false, zonesOfProject: 9900 };
  await addBulkZones(folder.path, MANY_ZONES, more);
  if (isOnPostgres()) await inStoreOf(folder.path, 'vacuum analyze');
  await expectNoMoreThan(few);
});

it('reads no more with 10,000 projects more', async () => {
  const few = await costOfATurn();
  const projects = Array.from({ length: 10_000 }, (_, number) => `('tenant-${number}', 0, 0)`);
  await inStoreOf(
    folder.path,
    `insert into projects (project_id, zones, recordsets) values ${projects.join(', ')}`,
  );
  if (isOnPostgres()) await inStoreOf(folder.path, 'vacuum analyze');
  await expectNoMoreThan(few);
});
