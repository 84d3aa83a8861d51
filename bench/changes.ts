/**
 * Sets of changes beside single writes, in turns, at one connection: records a second, and the processor time of the
 * service for each request; and what creates of others wait while one project asks for dry runs of 1,000 changes. Then the
 * whole contents of a zone of 100,000 recordsets, and a zone with a history of 100,000 changes.
 *
 *     npm run bench -- changes [--seconds 5] [--stores sqlite,postgresql] [--parts sets,contents,history]
 *         [--recordsets 100000] [--changes 100000]
 */
import { parseArgs } from 'node:util';
import { connect, expectSuccess } from '../test/support/client.ts';
import { startPostgres } from '../test/support/postgres/server.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';
import { measureBeside } from './changes/beside.ts';
import { measureContents } from './changes/contents.ts';
import { measureHistory } from './changes/history.ts';
import { LeanClient } from './service/lean-client.ts';
import { ticksOf } from './support/processor-time.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    stores: { type: 'string', default: 'sqlite,postgresql' },
    parts: { type: 'string', default: 'sets,contents,history' },
    recordsets: { type: 'string', default: '100000' },
    changes: { type: 'string', default: '100000' },
  },
});
const SECONDS = Number(options.seconds);
const ROUNDS = 11;
const MS_OF_A_TICK = 10;
const NAMES = 400;
const LARGE_SET = 100;

interface Row {
  readonly name: string;
  /** Recordsets of a request. */
  readonly size: number;
  readonly send: (client: LeanClient) => Promise<unknown>;
}

interface Spent {
  done: number;
  ms: number;
  readonly ticks: number[];
  readonly counts: number[];
}

let turn = 0;

function addressNow(): string {
  turn += 1;
  return `192.0.${turn % 250}.${(turn >> 8) % 250}`;
}

async function prepare(service: ServiceProcess, projectId: string) {
  const admin = connect(service.url, service.admin, 1);
  const limits = { zones: -1, zone_recordsets: -1, zone_records: -1 };
  await expectSuccess(admin, 'PATCH', `/v2/quotas/${projectId}`, limits);
  admin.close();
  const token = service.token(projectId, 'member');
  const client = connect(service.url, token, 1);
  const zoneName = `${projectId}.example.`;
  const { id } = await expectSuccess(client, 'POST', '/v2/zones', { name: zoneName, email: 'a@example.org' });
  const names = Array.from({ length: NAMES }, (_, place) => `host-${place}.${zoneName}`);
  const changes = names.map((name) => ({ action: 'create', name, type: 'A', records: ['192.0.2.1'] }));
  await expectSuccess(client, 'POST', `/v2/zones/${id}/changes`, { changes });
  const { recordsets } = await expectSuccess(client, 'GET', `/v2/zones/${id}/recordsets?type=A&limit=max`);
  client.close();
  return {
    token,
    zoneId: id as string,
    zoneName,
    names,
    ids: recordsets.map((one: { id: string }) => one.id),
  };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

function upserts(names: readonly string[], more = ''): string {
  const changes = names.map(
    (name) => `{"action":"upsert","name":"${name}","type":"A","records":["${addressNow()}"]}`,
  );
  return `{"changes":[${changes.join(',')}]${more}}`;
}

function rowsOf({ zoneId, names, ids }: Prepared): readonly Row[] {
  const path = `/v2/zones/${zoneId}/changes`;
  const some = (count: number) => names.slice((turn * 7) % (NAMES - count)).slice(0, count);
  return [
    {
      name: 'PUT of a recordset',
      size: 1,
      send: (client) =>
        client.send(
          'PUT',
          `/v2/zones/${zoneId}/recordsets/${ids[turn % NAMES]}`,
          `{"records":["${addressNow()}"]}`,
        ),
    },
    { name: 'set of 1', size: 1, send: (client) => client.send('POST', path, upserts(some(1))) },
    {
      name: `set of ${LARGE_SET}`,
      size: LARGE_SET,
      send: (client) => client.send('POST', path, upserts(some(LARGE_SET))),
    },
    {
      name: `dry run of ${LARGE_SET}`,
      size: LARGE_SET,
      send: (client) => client.send('POST', path, upserts(some(LARGE_SET), ',"dry_run":true')),
    },
  ];
}

async function run({ send }: Row, client: LeanClient, pid: number, spent: Spent, ms: number): Promise<void> {
  const begun = performance.now();
  const before = ticksOf(pid);
  let done = 0;
  while (performance.now() - begun < ms) {
    await send(client);
    done += 1;
  }
  spent.done += done;
  spent.ms += performance.now() - begun;
  spent.ticks.push(ticksOf(pid) - before);
  spent.counts.push(done);
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

async function measureRows(store: string, service: ServiceProcess, prepared: Prepared): Promise<void> {
  const client = new LeanClient(service.url, prepared.token);
  const rows = rowsOf(prepared).map((row) => ({
    row,
    spent: { done: 0, ms: 0, ticks: [], counts: [] } as Spent,
  }));
  for (const { row } of rows)
    await run(row, client, service.pid, { done: 0, ms: 0, ticks: [], counts: [] }, 1000);
  for (let round = 0; round < ROUNDS; round++)
    for (const { row, spent } of rows) await run(row, client, service.pid, spent, (SECONDS * 1000) / ROUNDS);
  client.close();
  for (const { row, spent } of rows) {
    const cost = (MS_OF_A_TICK * sum(spent.ticks)) / sum(spent.counts);
    const records = Math.round((1000 * spent.done * row.size) / spent.ms);
    console.log(
      `| ${[store, row.name, records, cost.toFixed(2), (cost / row.size).toFixed(3)].join(' | ')} |`,
    );
  }
}

async function measureSets(store: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const service = await startServiceProcess(environment);
  try {
    const prepared = await prepare(service, 'measured');
    await measureRows(store, service, prepared);
    const { token } = await prepare(service, 'other');
    await measureBeside(store, service, prepared, { token, seconds: SECONDS });
  } finally {
    await service.remove();
  }
}

/** Measures one part on each store. */
async function onStores(
  measure: (store: string, environment: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  if (options.stores.includes('sqlite')) await measure('embedded', {});
  if (!options.stores.includes('postgresql')) return;
  const server = await startPostgres({ settings: { max_connections: 200 } });
  try {
    await measure('PostgreSQL', { ZONEWARDEN_STORAGE__CONNECTION: await server.createDatabase() });
  } finally {
    await server.remove();
  }
}

if (options.parts.includes('sets')) {
  console.log('| store | request | records a second | processor time, ms | ms for each record |');
  console.log('|---|---|---|---|---|');
  await onStores(measureSets);
}
if (options.parts.includes('contents')) {
  console.log(
    '| store | PUT of contents | seconds | processor time, s | largest turn, ms | most memory, MB |',
  );
  console.log('|---|---|---|---|---|---|');
  await onStores((store, environment) => measureContents(store, environment, Number(options.recordsets)));
}
if (options.parts.includes('history')) {
  console.log('| store | request | ms (median) | processor time, ms | largest turn, ms |');
  console.log('|---|---|---|---|---|');
  await onStores((store, environment) => measureHistory(store, environment, Number(options.changes)));
}
