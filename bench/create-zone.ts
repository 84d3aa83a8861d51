/**
 * Creates a second and their latency at 1 and 16 connections with 0, 1,000 and 10,000 patterns, each number with a
 * service process and a data folder of its own (under TMPDIR), and the time of a durable commit of one row beside it.
 *
 *     npm run bench -- create-zone [--seconds 5] [--patterns 0,1000,10000] [--profile FOLDER]
 *
 * With --profile the service writes a CPU profile into the folder when it ends.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Client, connect, expectSuccess, forEachInParallel } from '../test/support/client.ts';
import { startServiceProcess } from '../test/support/service-process.ts';
import { importPatterns } from './support/patterns.ts';

const CONNECTIONS = [1, 16];
const WARM_UP = 1.5;
const PROJECT = 'tenant';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    patterns: { type: 'string', default: '0,1000,10000' },
    profile: { type: 'string' },
  },
});

/** Latencies in milliseconds, and how long it took to gather them. */
interface Measured {
  readonly latencies: readonly number[];
  readonly elapsed: number;
}

function quantile(sorted: readonly number[], share: number): string {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(2);
}

function row(what: string, connections: number | string, { latencies, elapsed }: Measured): string {
  const sorted = [...latencies].sort((a, b) => a - b);
  const rate = Math.round((latencies.length / elapsed) * 1000);
  return `| ${what} | ${connections} | ${rate} | ${quantile(sorted, 0.5)} | ${quantile(sorted, 0.99)} |`;
}

/** Commits of one row each, as durable as the service's own. */
function measureCommits(seconds: number): Measured {
  const folder = mkdtempSync(join(tmpdir(), 'zonewarden-commits-'));
  const database = new DatabaseSync(join(folder, 'commits.db'));
  database.exec('pragma journal_mode = wal; pragma synchronous = full; create table rows (name text)');
  const insert = database.prepare('insert into rows values (?)');
  const latencies: number[] = [];
  const start = performance.now();
  for (let now = start; now - start < seconds * 1000; ) {
    insert.run(`zone-${latencies.length}.example.`);
    const then = performance.now();
    latencies.push(then - now);
    now = then;
  }
  const elapsed = performance.now() - start;
  database.close();
  rmSync(folder, { recursive: true });
  return { latencies, elapsed };
}

/** Creates zones for some time. */
async function create(
  client: Client,
  connections: number,
  seconds: number,
  prefix: string,
): Promise<Measured> {
  const latencies: number[] = [];
  const start = performance.now();
  function* names() {
    for (let number = 0; performance.now() - start < seconds * 1000; number++)
      yield `${prefix}-${number}.example.`;
  }
  await forEachInParallel(names(), connections, async (name) => {
    const sent = performance.now();
    await expectSuccess(client, 'POST', '/v2/zones', { name, email: 'hostmaster@example.org' });
    latencies.push(performance.now() - sent);
  });
  return { latencies, elapsed: performance.now() - start };
}

async function measureCreates(patterns: number, seconds: number): Promise<string[]> {
  const node = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  const service = await startServiceProcess({}, node);
  try {
    importPatterns(service, patterns);
    const admin = connect(service.url, service.admin, 1);
    await expectSuccess(admin, 'PATCH', `/v2/quotas/${PROJECT}`, { zones: -1 });
    admin.close();
    const token = service.token(PROJECT, 'member');
    const rows: string[] = [];
    for (const connections of CONNECTIONS) {
      const client = connect(service.url, token, connections);
      await create(client, connections, WARM_UP, `warm-up-${connections}`);
      const measured = await create(client, connections, seconds, `zone-${connections}`);
      rows.push(row(`${patterns.toLocaleString('en')} patterns`, connections, measured));
      client.close();
    }
    return rows;
  } finally {
    await service.remove();
  }
}

const seconds = Number(options.seconds);
console.log('| what | connections | a second | p50, ms | p99, ms |');
console.log('|---|---|---|---|---|');
console.log(row('a durable commit of one row, in a loop', '–', measureCommits(seconds)));
for (const count of options.patterns.split(',').map(Number)) {
  for (const line of await measureCreates(count, seconds)) console.log(line);
}
