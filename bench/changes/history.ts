/** A zone with a long history: pages of it, former states, restores, and its size on disk. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Client, connect, expectSuccess } from '../../test/support/client.ts';
import { type ServiceProcess, startServiceProcess } from '../../test/support/service-process.ts';
import { Probe } from '../../trials/hostile/probe.ts';
import { LeanClient } from '../service/lean-client.ts';
import { medianOf } from '../support/median.ts';
import { ticksOf } from '../support/processor-time.ts';

const MS_OF_A_TICK = 10;
const RECORDSETS = 1000;
/** Single writes at a time, so that they share transactions. */
const WRITERS = 16;
const PAGE = 100;
/** How often a request is sent: the processor time is told in units of 10 ms. */
const TIMES = { page: 100, state: 5 };
const NAME = 'history.example.';
/** No change is forgotten for its size. */
const UNBOUNDED = '1000000000000';

interface Measured {
  readonly store: string;
  readonly service: ServiceProcess;
  readonly probe: Probe;
  readonly token: string;
  readonly zoneId: string;
}

interface ChangeListed {
  readonly id: string;
  readonly to_serial: number;
}

async function prepare(service: ServiceProcess) {
  const admin = connect(service.url, service.admin, 1);
  await expectSuccess(admin, 'PATCH', '/v2/quotas/measured', {
    zone_recordsets: -1,
    zone_records: -1,
    api_export_size: -1,
  });
  admin.close();
  const token = service.token('measured', 'member');
  const client = connect(service.url, token, 1);
  const { id } = await expectSuccess(client, 'POST', '/v2/zones', { name: NAME, email: 'a@example.org' });
  const changes = Array.from({ length: RECORDSETS }, (_, at) => {
    return { action: 'create', name: `host-${at}.${NAME}`, type: 'A', records: ['192.0.2.1'] };
  });
  await expectSuccess(client, 'POST', `/v2/zones/${id}/changes`, { changes });
  const { recordsets } = await expectSuccess(client, 'GET', `/v2/zones/${id}/recordsets?type=A&limit=max`);
  client.close();
  return { token, zoneId: id as string, ids: recordsets.map((one: { id: string }) => one.id) as string[] };
}

/** Makes so many changes, each of one recordset. */
async function fill(measured: Measured, ids: readonly string[], count: number): Promise<void> {
  let made = 0;
  const write = async (): Promise<void> => {
    const client = new LeanClient(measured.service.url, measured.token);
    while (made < count) {
      const number = made++;
      const path = `/v2/zones/${measured.zoneId}/recordsets/${ids[number % ids.length]}`;
      const address = `10.${(number >> 16) % 256}.${(number >> 8) % 256}.${number % 256}`;
      await client.send('PUT', path, `{"records":["${address}"]}`);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/** All changes, newest first. */
async function changesOf({ service, token, zoneId }: Measured): Promise<readonly ChangeListed[]> {
  const client = new LeanClient(service.url, token);
  const all: ChangeListed[] = [];
  for (let marker = ''; ; ) {
    const path = `/v2/zones/${zoneId}/changes?limit=1000${marker}`;
    const { changes } = JSON.parse(await client.send('GET', path));
    if (changes.length === 0) break;
    all.push(...changes);
    marker = `&marker=${all.at(-1)!.id}`;
  }
  client.close();
  return all;
}

/** The bytes of the store, after the service has stopped and started. */
async function bytesOf({ service }: Measured, connection: string | undefined): Promise<number> {
  await service.restart();
  if (connection === undefined) {
    const files = readdirSync(service.dataDir).map((name) => statSync(join(service.dataDir, name)));
    return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  }
  const client = new pg.Client({ connectionString: connection });
  await client.connect();
  const { rows } = await client.query('select pg_database_size(current_database())::float8 as bytes');
  await client.end();
  return rows[0].bytes;
}

/** Sends a request several times, and prints what one of them takes. */
async function cost(
  { store, service, probe, token }: Measured,
  title: string,
  times: number,
  send: (client: Client) => Promise<unknown>,
): Promise<void> {
  const client = connect(service.url, token, 1);
  if (times > 1) await send(client);
  probe.reset(service.pid);
  const before = ticksOf(service.pid);
  const waits: number[] = [];
  for (let time = 0; time < times; time++) {
    const begun = performance.now();
    await send(client);
    waits.push(performance.now() - begun);
  }
  const processor = ((ticksOf(service.pid) - before) * MS_OF_A_TICK) / times;
  client.close();
  // The probe tells every 50 ms.
  await new Promise((resolve) => setTimeout(resolve, 200));
  const cells = [store, title, medianOf(waits).toFixed(1), processor.toFixed(1)];
  console.log(`| ${[...cells, probe.largestTurn.toFixed(0)].join(' | ')} |`);
}

async function measure(measured: Measured, changes: readonly ChangeListed[]): Promise<void> {
  const path = `/v2/zones/${measured.zoneId}`;
  const at = (share: number) => changes[Math.floor((changes.length - 1 - PAGE) * share)]!;
  const [middle, last] = [at(0.5), at(1)];
  const get = (query: string) => (client: Client) => expectSuccess(client, 'GET', `${path}/${query}`);
  const pages = [
    ['first page', ''],
    ['middle page', `&marker=${middle.id}`],
    ['last page', `&marker=${last.id}`],
    ['first page of one name', `&name=host-7.${NAME}`],
  ] as const;
  for (const [title, more] of pages)
    await cost(measured, title, TIMES.page, get(`changes?limit=${PAGE}${more}`));
  const oldest = changes.at(-1)!.to_serial;
  await cost(measured, 'state in the middle', TIMES.state, get(`contents?serial=${middle.to_serial}`));
  await cost(measured, 'first state', TIMES.state, get(`contents?serial=${oldest}`));
  const restore = (more: object) => (client: Client) =>
    expectSuccess(client, 'POST', `${path}/restore`, { serial: middle.to_serial, ...more });
  await cost(measured, 'dry run of a restore to the middle', TIMES.state, restore({ dry_run: true }));
  await cost(measured, 'restore to the middle', 1, restore({}));
}

/** Measures a service of its own. @param count number of changes */
export async function measureHistory(
  store: string,
  environment: Readonly<Record<string, string>>,
  count: number,
): Promise<void> {
  const probe = new Probe();
  const bounds = {
    ZONEWARDEN_HISTORY__MAX_BYTES_PER_ZONE: UNBOUNDED,
    ZONEWARDEN_HISTORY__MAX_BYTES_PER_PROJECT: UNBOUNDED,
  };
  const service = await startServiceProcess({ ...bounds, ...environment }, probe.arguments);
  try {
    const { ids, ...prepared } = await prepare(service);
    const measured = { store, service, probe, ...prepared };
    const connection = environment.ZONEWARDEN_STORAGE__CONNECTION;
    const empty = await bytesOf(measured, connection);
    await fill(measured, ids, count);
    const bytes = ((await bytesOf(measured, connection)) - empty) / count;
    const changes = await changesOf(measured);
    if (changes.length < count) throw new Error(`Only ${changes.length} changes are kept.`);
    await measure(measured, changes);
    console.log(
      `\n${store}: the store grows by ${bytes.toFixed(0)} bytes with each change, its event included.\n`,
    );
  } finally {
    await service.remove();
    probe.remove();
  }
}
