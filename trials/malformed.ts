/**
 * Malformed requests against a running service: each is answered as it should be, nothing grows, and who asks well
 * beside them waits no longer than beside as many well-formed requests. Ends with 1 when anything is off.
 *
 *     npm run trial -- malformed [--requests 100000] [--seed 1] [--parallel 64]
 *         [--rate 200] [--rounds 6] [--seconds 10] [--store sqlite|postgresql]
 *
 * On PostgreSQL it starts a server of its own.
 */
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type Client, connect, expectSuccess } from '../test/support/client.ts';
import { quantile, table } from '../test/support/figures.ts';
import { startPostgres } from '../test/support/postgres/server.ts';
import { startServiceProcess } from '../test/support/service-process.ts';
import { isForLackOfSlots, newTally, sendMalformed, type Tally } from './malformed/campaign.ts';
import { prepareFixture, type Service } from './malformed/fixture.ts';
import type { Flooded, FloodOptions } from './malformed/flood.ts';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    parallel: { type: 'string', default: '64' },
    rate: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '10' },
    store: { type: 'string', default: 'sqlite' },
  },
});
const [requests, seed, parallel, rate, rounds, seconds] = (
  ['requests', 'seed', 'parallel', 'rate', 'rounds', 'seconds'] as const
).map((name) => Number(options[name])) as [number, number, number, number, number, number];

/** How many times the p99 of the normal client may be what it is beside well-formed requests. */
const MOST = 2;
/** Creates, and as many reads, a second of the normal client. */
const NORMAL_RATE = 25;
/**
 * What may be added to memory between a fifth of the requests and all of them: the heap settles within some megabytes,
 * and the allocator keeps what the largest moment took. Half a kilobyte lost a request would be 40 MB of 80,000.
 */
const MAX_GROWTH = { heap: 16 * 2 ** 20, rss: 64 * 2 ** 20 };

const memoryFile = join(tmpdir(), `zonewarden-memory-${process.pid}.json`);
/** Runs in the service: tells what is in memory when all that can be freed is freed. */
const TELL_MEMORY = `
import { renameSync, writeFileSync } from 'node:fs';
process.on('SIGUSR2', () => {
  for (let i = 0; i < 4; i++) gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  writeFileSync('${memoryFile}.new', JSON.stringify({ rss, heap: heapUsed + external }));
  renameSync('${memoryFile}.new', '${memoryFile}');
});`;

interface Memory {
  readonly heap: number;
  readonly rss: number;
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const server = options.store === 'postgresql' ? await startPostgres() : undefined;
const service = await startServiceProcess(
  {
    ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas',
    ZONEWARDEN_SERVICE_API__REQUEST_TIMEOUT: '2',
    ...(server && { ZONEWARDEN_STORAGE__CONNECTION: await server.createDatabase() }),
  },
  ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(TELL_MEMORY)}`],
);

async function memory(): Promise<Memory> {
  // Connections that wait for what does not come are given up by then.
  await pause(5000);
  rmSync(memoryFile, { force: true });
  process.kill(service.pid, 'SIGUSR2');
  while (!existsSync(memoryFile)) await pause(10);
  const told = JSON.parse(readFileSync(memoryFile, 'utf8'));
  rmSync(memoryFile);
  return told;
}

const inMegabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);

/** Sends all requests. Returns whether memory stayed what it was. */
async function sendAll(asked: Service, tally: Tally): Promise<boolean> {
  const before = await memory();
  const first = Math.ceil(requests / 5);
  const start = performance.now();
  await sendMalformed({ service: asked, requests: first, seed, parallel }, tally);
  const early = await memory();
  await sendMalformed(
    { service: asked, requests: requests - first, seed: seed + 1, parallel, round: 1000 },
    tally,
  );
  const late = await memory();
  const took = ((performance.now() - start) / 1000 - 10).toFixed(0);
  console.log(`${requests} malformed requests in ${took} s, seed ${seed}\n`);
  table(
    ['answered', 'times'],
    [...tally.statuses].sort().map(([status, count]) => [status, `${count}`]),
  );
  table(
    ['kind', 'requests'],
    [...tally.kinds].sort().map(([kind, count]) => [kind, `${count}`]),
  );
  table(
    ['memory, MB', 'at the start', `after ${first}`, `after ${requests}`],
    (['heap', 'rss'] as const).map((what) => [
      what,
      inMegabytes(before[what]),
      inMegabytes(early[what]),
      inMegabytes(late[what]),
    ]),
  );
  return late.heap - early.heap < MAX_GROWTH.heap && late.rss - early.rss < MAX_GROWTH.rss;
}

/** What the normal client saw beside one kind of flood. */
interface Seen {
  readonly creates: number[];
  readonly reads: number[];
  readonly faults: string[];
}

const emptySeen = (): Seen => ({ creates: [], reads: [], faults: [] });
let created = 0;

/** Creates a zone and reads it, and notes what both took. */
async function createAndRead(client: Client, seen: Seen): Promise<void> {
  const name = `normal-${++created}.example.net.`;
  const start = performance.now();
  const zone = await client.send('POST', '/v2/zones', { name, email: 'hostmaster@example.net' });
  seen.creates.push(performance.now() - start);
  if (zone.status !== 202) return void seen.faults.push(`the normal client was answered ${zone.text}`);
  const begin = performance.now();
  const read = await client.send('GET', `/v2/zones/${JSON.parse(zone.text).id}`);
  seen.reads.push(performance.now() - begin);
  if (read.status !== 200) seen.faults.push(`the normal client was answered ${read.text}`);
}

/** Creates and reads at a steady rate, until it is told to stop. */
async function askNormally(client: Client, seen: Seen, signal: { isOver: boolean }): Promise<void> {
  const sent: Promise<void>[] = [];
  const start = performance.now();
  while (!signal.isOver) {
    const due = ((performance.now() - start) / 1000) * NORMAL_RATE;
    while (sent.length < due) sent.push(createAndRead(client, seen));
    await pause(1);
  }
  await Promise.all(sent);
}

async function runBeside(flood: FloodOptions, client: Client, seen: Seen): Promise<Flooded> {
  const worker = new Worker(new URL('./malformed/flood.js', import.meta.url), { workerData: flood });
  await once(worker, 'message');
  const signal = { isOver: false };
  const normal = askNormally(client, seen, signal);
  worker.postMessage('start');
  // What is still being waited for when the last one is sent is not part of the flood.
  const over = pause(flood.seconds * 1000).then(() => {
    signal.isOver = true;
  });
  const [flooded] = (await once(worker, 'message')) as [Flooded];
  await Promise.all([over, normal]);
  seen.faults.push(...flooded.faults);
  if (flooded.late > 500) seen.faults.push(`the flood was ${flooded.late.toFixed(0)} ms late`);
  return flooded;
}

/** Measures the normal client in turns beside both floods. Returns what it saw beside each. */
async function takeTurns(asked: Service): Promise<readonly [Seen, Seen]> {
  const admin = connect(service.url, asked.admin, 1);
  await expectSuccess(admin, 'PATCH', '/v2/quotas/normal', { zones: -1 });
  admin.close();
  const client = connect(service.url, service.token('normal', 'member'), 32);
  const seen = [emptySeen(), emptySeen()] as const;
  // The first round warms up, and is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const place of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const fixture = await prepareFixture(asked, 2000 + 2 * round + place);
      const flood = {
        url: service.url,
        fixture,
        isMalformed: place === 1,
        seed: seed + round,
        rate,
        seconds,
      };
      await runBeside(flood, client, round === 0 ? emptySeen() : seen[place]!);
    }
  }
  client.close();
  return seen;
}

/** Prints what the normal client saw. Returns whether it saw the same. */
function compare([wellFormed, malformed]: readonly [Seen, Seen]): boolean {
  const all = ({ creates, reads }: Seen) => [...creates, ...reads];
  const cells = (times: readonly number[]) => [0.5, 0.99].map((share) => quantile(times, share).toFixed(1));
  console.log(`A normal client beside ${rate} requests a second, ms:\n`);
  table(
    ['beside', 'creates, p50', 'p99', 'reads, p50', 'p99', 'all, p50', 'p99'],
    [['well-formed requests', wellFormed] as const, ['malformed requests', malformed] as const].map(
      ([title, seen]) => [title, ...[seen.creates, seen.reads, all(seen)].flatMap(cells)],
    ),
  );
  const ratios = (['creates', 'reads'] as const).map(
    (what) => quantile(malformed[what], 0.99) / quantile(wellFormed[what], 0.99),
  );
  const ratio = quantile(all(malformed), 0.99) / quantile(all(wellFormed), 0.99);
  const [creates, reads] = ratios.map((one) => one.toFixed(2));
  console.log(
    `p99 beside malformed requests: ${ratio.toFixed(2)} times (creates ${creates}, reads ${reads})\n`,
  );
  return [ratio, ...ratios].every((one) => one <= MOST);
}

const project = 'malformed';
const asked = { url: service.url, admin: service.admin, member: service.token(project, 'member'), project };
const tally = newTally();
const isFlat = await sendAll(asked, tally);
const seen = rounds > 0 ? await takeTurns(asked) : undefined;
const isEven = seen === undefined || compare(seen);
const failed = service.logged.filter(
  ({ level, status, reason }) =>
    Number(level) >= 50 || (Number(status) >= 500 && !isForLackOfSlots(status, reason)),
);
const verified = service.command('verify').trim();
console.log(verified);
const faults = [
  ...tally.faults,
  ...(seen ?? []).flatMap(({ faults }) => faults),
  ...failed.map((line) => `logged: ${JSON.stringify(line).slice(0, 600)}`),
  ...(isFlat ? [] : ['memory grew']),
  ...(isEven ? [] : [`the p99 of the normal client is more than ${MOST} times as long`]),
];
for (const fault of faults.slice(0, 50)) console.log(`FAULT ${fault}`);
console.log(`${faults.length} faults`);
await service.remove();
await server?.remove();
process.exit(faults.length === 0 ? 0 : 1);
