/**
 * The statements of the embedded database on the event loop that take longest, while each route is asked and each periodic job has
 * its turn. The service has a preloaded recorder. The least time of the executions counts, and of each the processor time if that is less:
 * what else the machine does only adds to it.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bulkProject } from '../../test/support/bulk-zones.ts';
import { type Client, connect } from '../../test/support/client.ts';
import { quantile, table } from '../../test/support/figures.ts';
import type { Subject } from './measures.ts';
import { adminTokenOf, start, stop } from './program.ts';
import type { RecordedStatement } from './recorder.ts';

const RECORDER = fileURLToPath(new URL('./recorder.js', import.meta.url));
const MAX_MS = 10;
const SHOWN = 15;
const ROUNDS = 3;
/** By which the processor time of one execution can be too little. */
const STEP_MS = 4;
const EVERYWHERE = { 'x-auth-all-projects': 'true' };

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: { readonly enum?: readonly string[] };
}

type Paths = Readonly<
  Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>
>;

/** The queries of a list: each sort key in both directions, and each filter. */
function queriesOf(parameters: readonly Parameter[]): readonly string[] {
  const keys = parameters.find(({ name }) => name === 'sort_key')?.schema?.enum ?? [];
  const sorted = keys.flatMap((key) => ['asc', 'desc'].map((dir) => `?sort_key=${key}&sort_dir=${dir}`));
  const known = new Set(['sort_key', 'sort_dir', 'limit', 'marker']);
  const filters = parameters.filter((one) => one.in === 'query' && !known.has(one.name));
  const filtered = filters.flatMap(({ name, schema }) => [`?${name}=${schema?.enum?.[0] ?? 'bulk*'}`]);
  return ['', '?limit=1000', ...sorted, ...filtered];
}

async function askAll(client: Client, paths: Paths, zoneId: string, zones: number): Promise<void> {
  const project = bulkProject(zones >> 1);
  const own = { 'x-auth-sudo-project-id': project };
  for (const [path, methods] of Object.entries(paths)) {
    if (methods.get === undefined) continue;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'zone_id') return zoneId;
      return /project|tenant/.test(name) ? project : randomUUID();
    });
    for (const query of queriesOf(methods.get.parameters ?? [])) {
      for (const headers of [own, EVERYWHERE]) await client.send('GET', filled + query, undefined, headers);
    }
  }
}

/** Changes of each kind; those that are refused have run their statements, too. */
async function changeAll(client: Client, zoneId: string, round: number): Promise<void> {
  const post = (path: string, body?: object) => client.send('POST', path, body);
  const idOf = (text: string) => (JSON.parse(text) as { id: string }).id;
  const email = 'hostmaster@example.org';
  const zone = idOf((await post('/v2/zones', { name: `round-${round}.example.`, email })).text);
  const records = { name: `www.round-${round}.example.`, type: 'A', records: ['192.0.2.1'] };
  const set = idOf((await post(`/v2/zones/${zone}/recordsets`, records)).text);
  await client.send('PUT', `/v2/zones/${zone}/recordsets/${set}`, { records: ['192.0.2.2'] });
  await client.send('PATCH', `/v2/zones/${zone}`, { ttl: 300 });
  await post('/v2/zones/check', { name: `another-${round}.example.` });
  await post('/v2/zones', { name: 'www.first.example.', email });
  await post('/v2/zones', { name: 'example.', email });
  await post(`/v2/zones/${zone}/tasks/export`);
  await post(`/v2/zones/${zone}/tasks/transfer_requests`, {});
  await post(`/v2/zones/${zone}/shares`, { target_project_id: `other-${round}` });
  await post('/v2/tlds', { name: 'example' });
  const pattern = `^blocked-${round}\\.example\\.$`;
  const entry = idOf((await post('/v2/blacklists', { pattern })).text);
  await post('/v2/blacklists/check', { names: [`blocked-${round}.example.`] });
  await post('/v2/blacklists/previews', { pattern: '(^|\\.)bulk00001' });
  await post('/v2/zones', { name: `blocked-${round}.example.`, email });
  await client.send('DELETE', `/v2/blacklists/${entry}`);
  await client.send('PATCH', `/v2/quotas/bulk-0000${round}`, { zones: 1000 + round });
  await client.send('DELETE', `/v2/zones/${zone}/recordsets/${set}`);
  await client.send('DELETE', `/v2/zones/${zone}`);
  await client.send('PATCH', `/v2/zones/${zoneId}`, { ttl: 300 + round });
}

function print(file: string): void {
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as readonly RecordedStatement[];
  const rows = recorded.map(({ sql, times }) => ({
    sql: sql.replace(/\s+/g, ' '),
    runs: times.length,
    least: Math.min(...times.map(({ wall, processor }) => Math.min(wall, processor + STEP_MS))),
    median: quantile(
      times.map(({ wall }) => wall),
      0.5,
    ),
    processor: quantile(
      times.map(({ processor }) => processor),
      0.5,
    ),
  }));
  rows.sort((one, other) => other.least - one.least);
  const slow = rows.filter(({ least }) => least > MAX_MS).length;
  console.log(`${rows.length} statements; ${slow} of them never took less than ${MAX_MS} ms. The longest:\n`);
  table(
    ['least, ms', 'median, ms', 'median of the processor, ms', 'executions', 'statement'],
    rows
      .slice(0, Math.max(SHOWN, slow))
      .map(({ sql, runs, least, median, processor }) => [
        least.toFixed(2),
        median.toFixed(2),
        processor.toFixed(2),
        String(runs),
        sql.slice(0, 600),
      ]),
  );
}

export async function measureStatements({ place, zones, idleSeconds }: Subject): Promise<void> {
  const file = `${place.dataDir}-statements`;
  const running = await start(place, ['--import', RECORDER], { STATEMENTS_FILE: file });
  const client = connect(running.url, adminTokenOf(place), 1);
  try {
    const { text } = await client.send('GET', '/v2/openapi.json');
    const { paths } = JSON.parse(text) as { paths: Paths };
    const body = { name: 'first.example.', email: 'hostmaster@example.org' };
    let made = await client.send('POST', '/v2/zones', body);
    while (made.status === 503) {
      await delay(100);
      made = await client.send('POST', '/v2/zones', body);
    }
    const { id } = JSON.parse(made.text) as { id: string };
    for (let round = 0; round < ROUNDS; round++) {
      await askAll(client, paths, id, zones);
      await changeAll(client, id, round);
    }
    // The sweep and the usage of all projects begin some time after the start.
    await delay(idleSeconds * 1000);
  } finally {
    client.close();
    await stop(running);
  }
  print(file);
}
