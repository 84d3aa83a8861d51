/**
 * What a preview of one pattern takes over many zones, and what creates beside it notice: for each store and each pattern
 * the seconds of the preview, the memory of the service before it and at most during it, and creates without and beside
 * it, in turns. Each store is one of its own (under TMPDIR), filled through the storage layer.
 *
 *     npm run bench -- preview [--zones 100000] [--rounds 3] [--seconds 5] [--connections 2] [--stores sqlite,postgresql]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Store } from '../src/model/store.ts';
import { type Client, connect, expectSuccess, forEachInParallel } from '../test/support/client.ts';
import { quantile, table } from '../test/support/figures.ts';
import type { ServiceProcess } from '../test/support/service-process.ts';
import { forgetPeak, peakMemory, residentMemory } from './publication/processes.ts';
import { openBackend, openStage, STORES, type Stage, type StoreName } from './publication/stage.ts';
import { filledZone, inBatches } from './support/filled.ts';

const PROJECTS = 100;
const PREVIEWS = '/v2/blacklists/previews';
const CASES: readonly (readonly [title: string, pattern: string])[] = [
  ['no zone', '(^|\\.)brand-[a-z]+\\.'],
  ['one in ten', '^filled-[0-9]*7\\.'],
  ['every zone', '.'],
];

const { values: options } = parseArgs({
  options: {
    zones: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '2' },
    stores: { type: 'string', default: STORES.join() },
  },
});
const zones = Number(options.zones);
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const connections = Number(options.connections);

function fill(store: Store): Promise<void> {
  return inBatches(store, zones, async (tx, from, to) => {
    for (let number = from; number < to; number++) {
      const projectId = `project-${number % PROJECTS}`;
      tx.zones.insert(filledZone(`filled-${number}.${projectId}.example.`, projectId));
    }
    for (let project = 0; project < PROJECTS; project++) {
      tx.projects.grow(`project-${project}`, {
        zones: Math.ceil((to - project) / PROJECTS) - Math.ceil((from - project) / PROJECTS),
      });
    }
  });
}

interface Run {
  readonly seconds: number;
  readonly megabytes: readonly [before: number, most: number];
  readonly zones: { readonly matched: number; readonly undecided: number; readonly listed: number };
}

/** Over a connection of its own: one that is kept while others are measured is closed. */
async function previewOnce({ url, admin: token, pid }: ServiceProcess, pattern: string): Promise<Run> {
  const admin = connect(url, token, 1);
  try {
    return await timedPreview(admin, pid, pattern);
  } finally {
    admin.close();
  }
}

async function timedPreview(admin: Client, pid: number, pattern: string): Promise<Run> {
  const before = residentMemory(pid);
  forgetPeak(pid);
  const start = performance.now();
  const { id } = await expectSuccess(admin, 'POST', PREVIEWS, { pattern });
  for (;;) {
    const preview = await expectSuccess(admin, 'GET', `${PREVIEWS}/${id}`);
    if (preview.ended_at !== null) {
      if (preview.status !== 'COMPLETE') throw new Error(`The preview has ended: ${preview.message}`);
      const elapsed = (performance.now() - start) / 1000;
      return { seconds: elapsed, megabytes: [before, peakMemory(pid)], zones: preview.zones };
    }
    await delay(100);
  }
}

let drawn = 0;

/** Creates zones as long as it is told to; returns what each took, in milliseconds. */
async function createWhile(client: Client, goesOn: () => boolean): Promise<number[]> {
  const latencies: number[] = [];
  function* names() {
    while (goesOn()) yield `created-${drawn++}.example.`;
  }
  await forEachInParallel(names(), connections, async (name) => {
    const sent = performance.now();
    await expectSuccess(client, 'POST', '/v2/zones', { name, email: 'hostmaster@example.org' });
    latencies.push(performance.now() - sent);
  });
  return latencies;
}

function createFor(client: Client, time: number): Promise<number[]> {
  const start = performance.now();
  return createWhile(client, () => performance.now() - start < time * 1000);
}

/** What came of all turns of one pattern. */
interface Turns {
  readonly without: number[];
  readonly beside: number[];
  readonly runs: Run[];
}

async function takeTurns(service: ServiceProcess, client: Client, pattern: string): Promise<Turns> {
  const turns: Turns = { without: [], beside: [], runs: [] };
  await createFor(client, 1);
  for (let round = 0; round < rounds; round++) {
    turns.without.push(...(await createFor(client, seconds)));
    let isRunning = true;
    const creates = createWhile(client, () => isRunning);
    turns.runs.push(
      await previewOnce(service, pattern).finally(() => {
        isRunning = false;
      }),
    );
    turns.beside.push(...(await creates));
  }
  return turns;
}

const least = (values: readonly number[]): string => Math.min(...values).toFixed(1);
const most = (values: readonly number[]): string => Math.max(...values).toFixed(0);
const times = (latencies: readonly number[]): string =>
  [0.5, 0.99].map((share) => quantile(latencies, share).toFixed(1)).join(' / ');

function row(store: string, title: string, { without, beside, runs }: Turns): string[] {
  const { matched, listed } = runs.at(-1)!.zones;
  const memory = [0, 1].map((at) => most(runs.map(({ megabytes }) => megabytes[at]!)));
  const taken = runs.map((run) => run.seconds);
  return [
    store,
    title,
    String(matched),
    String(listed),
    least(taken),
    ...memory,
    times(without),
    times(beside),
  ];
}

async function rowsOf(store: StoreName, stage: Stage): Promise<string[][]> {
  const client = connect(stage.service.url, stage.token, connections);
  const rows: string[][] = [];
  try {
    for (const [title, pattern] of CASES) {
      rows.push(row(store, title, await takeTurns(stage.service, client, pattern)));
      console.log(rows.at(-1)!.join(' | '));
    }
  } finally {
    client.close();
  }
  return rows;
}

async function measure(store: StoreName): Promise<string[][]> {
  const backend = await openBackend(store, []);
  try {
    const stage = await openStage(backend);
    try {
      await fill(stage.store);
      await stage.service.restart();
      return await rowsOf(store, stage);
    } finally {
      await stage.remove();
    }
  } finally {
    await backend.remove();
  }
}

const rows: string[][] = [];
for (const store of STORES.filter((name) => options.stores.split(',').includes(name)))
  rows.push(...(await measure(store)));
console.log(`\n${zones.toLocaleString('en')} zones; creates of ${connections} connections\n`);
const memory = ['MB before', 'MB at most'];
const creates = ['creates without, p50 / p99 ms', 'creates beside it, p50 / p99 ms'];
table(['store', 'pattern matches', 'matched', 'listed', 'seconds', ...memory, ...creates], rows);
