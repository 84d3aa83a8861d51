/**
 * Zone files that are made to take time or memory, sent to a service with a small heap while others ask it. For each it
 * prints the most that one turn of the service's event loop took of the processor, the collector's threads included, what
 * the others waited, the processor's time and the most memory; the first row is the service with nobody attacking.
 *
 *     npm run trial:zone-files [-- --program dist/main.js] [--megabytes 60] [--heap 512]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Client, connect, expectSuccess } from '../../test/support/client.ts';
import { quantile, table } from '../../test/support/figures.ts';
import { startServiceProcess } from '../../test/support/service-process.ts';

const { values: options } = parseArgs({
  options: {
    program: { type: 'string', default: 'dist/main.js' },
    megabytes: { type: 'string', default: '60' },
    heap: { type: 'string', default: '512' },
  },
});
const BYTES = Number(options.megabytes) * 1_000_000;
/** Milliseconds between two requests of the others. */
const ASKED_EVERY = 10;
/** How long others are watched where nobody attacks, in milliseconds. */
const QUIET = 5000;

const DIED = 'none: the service died';

interface Attack {
  readonly title: string;
  readonly quotas: Readonly<Record<string, number>>;
  body(zone: string): string;
}

const soa = (zone: string) => `$ORIGIN ${zone}\n@ 3600 SOA ns1 hostmaster.example.org. 1 2 3 4 5\n`;
const NONE = { zone_recordsets: -1, zone_records: -1, recordset_records: -1 };
const DEFAULT = { zone_recordsets: 500, zone_records: 500, recordset_records: 20 };

function filled(zone: string, bytes: number, line: (at: number) => string): string {
  const lines = [soa(zone)];
  for (let at = 0, size = 0; size < bytes; at += 1) {
    const next = line(at);
    lines.push(next);
    size += Buffer.byteLength(next);
  }
  return lines.join('');
}

/** 12 letters beyond ASCII, different for each number. */
const wide = (at: number) =>
  Array.from({ length: 12 }, (_, place) =>
    String.fromCodePoint(0x4e00 + ((at * 31 + place * place) % 5000)),
  ).join('');

const ATTACKS: readonly Attack[] = [
  { title: 'blank lines', quotas: DEFAULT, body: (zone) => filled(zone, BYTES, () => '\n'.repeat(10_000)) },
  {
    title: 'one line of blanks',
    quotas: DEFAULT,
    body: (zone) => filled(zone, BYTES, () => ' '.repeat(10_000)),
  },
  {
    title: 'NS with names beyond ASCII, 1 MB',
    quotas: NONE,
    body: (zone) => filled(zone, 1_000_000, (at) => `h${at} 60 NS ${wide(at)}.example.\n`),
  },
  {
    title: 'the same, default quotas',
    quotas: DEFAULT,
    body: (zone) => filled(zone, 1_000_000, (at) => `h${at} 60 NS ${wide(at)}.example.\n`),
  },
  {
    title: 'short lines, refused in the last line',
    quotas: NONE,
    body: (zone) => `${filled(zone, BYTES, (at) => `${at.toString(36)} 1 A 1.1.1.1\n`)})\n`,
  },
  {
    title: 'short lines, default quotas',
    quotas: DEFAULT,
    body: (zone) => filled(zone, BYTES, (at) => `${at.toString(36)} 1 A 1.1.1.1\n`),
  },
];

const folder = mkdtempSync(join(tmpdir(), 'zonewarden-hostile-'));
const told = join(folder, 'told');
/**
 * Runs within the service: tells every 50 ms how much of the processor one turn of its event loop took at most. Time of the
 * processor, since on a machine that does other things a turn may take any time.
 */
const WATCH = `
import { renameSync, writeFileSync } from 'node:fs';
let largest = 0;
let last = process.cpuUsage();
process.on('SIGUSR2', () => { largest = 0; });
setInterval(() => {
  const { user, system } = process.cpuUsage(last);
  largest = Math.max(largest, (user + system) / 1000);
  last = process.cpuUsage();
}, 1);
const tell = () => {
  const seen = { largest, cpu: process.cpuUsage(), rss: process.memoryUsage.rss() };
  writeFileSync(${JSON.stringify(`${told}.new`)}, JSON.stringify(seen));
  renameSync(${JSON.stringify(`${told}.new`)}, ${JSON.stringify(told)});
};
tell();
setInterval(tell, 50);`;

const service = await startServiceProcess(
  {},
  [`--max-old-space-size=${options.heap}`, '--import', `data:text/javascript,${encodeURIComponent(WATCH)}`],
  resolve(options.program),
);
const attacker = connect(service.url, service.token('attacker', 'member'), 1);
const other = connect(service.url, service.token('other', 'member'), 64);
const admin = connect(service.url, service.admin, 1);
await expectSuccess(other, 'POST', '/v2/zones', { name: 'other.example.', email: 'a@b.example' });

function look(): { largest: number; cpu: { user: number; system: number }; rss: number } {
  return JSON.parse(readFileSync(told, 'utf8'));
}

/** What others wait for their reads, and the most memory, until the work is done. */
async function askMeanwhile(client: Client, work: Promise<unknown>) {
  const waits: number[] = [];
  const asked: Promise<void>[] = [];
  let isOver = false;
  let rss = 0;
  const done = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const start = performance.now();
    const waited = () => void waits.push(performance.now() - start);
    asked.push(client.send('GET', '/v2/zones').then(waited, () => void waits.push(Number.POSITIVE_INFINITY)));
    rss = Math.max(rss, look().rss);
    await pause(ASKED_EVERY);
  }
  await Promise.all(asked);
  await done;
  return { waits, rss };
}

async function row(title: string, work: () => Promise<string>): Promise<readonly string[]> {
  process.kill(service.pid, 'SIGUSR2');
  const before = look().cpu;
  let answer = '';
  const { waits, rss } = await askMeanwhile(
    other,
    work().then((one) => {
      answer = one;
    }),
  );
  await pause(100);
  const { largest, cpu } = look();
  const seconds = (cpu.user + cpu.system - before.user - before.system) / 1e6;
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(waits, share).toFixed(1));
  return [title, answer, largest.toFixed(1), p50!, p99!, seconds.toFixed(1), (rss / 2 ** 20).toFixed(0)];
}

async function attack({ quotas, body }: Attack, at: number): Promise<string> {
  await expectSuccess(admin, 'PATCH', '/v2/quotas/attacker', { zones: -1, ...quotas });
  const headers = { 'content-type': 'text/dns' };
  const sent = await attacker
    .send('POST', '/v2/zones/tasks/imports', body(`hostile${at}.example.`), headers)
    .catch(() => ({ status: DIED }));
  return String(sent.status);
}

const quiet = () => pause(QUIET).then(() => '');
await quiet();
const rows = [await row('nobody', quiet)];
for (const [at, one] of ATTACKS.entries()) {
  rows.push(await row(one.title, () => attack(one, at)));
  if (rows.at(-1)![1] === DIED) break;
}
table(
  ['attack', 'answer', 'largest turn, ms of processor', 'others, p50', 'p99', 'processor, s', 'memory, MB'],
  rows,
);
for (const client of [attacker, other, admin]) client.close();
await service.remove();
rmSync(folder, { recursive: true, force: true });
