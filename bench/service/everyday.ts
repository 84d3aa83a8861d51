import { connect, expectSuccess } from '../../test/support/client.ts';
import type { ServiceProcess } from '../../test/support/service-process.ts';
import { ticksOf } from '../support/processor-time.ts';
import { LeanClient } from './lean-client.ts';
import { SECONDS } from './options.ts';
import type { Tenant } from './tenants.ts';

/** Zones of the tenant, and recordsets of each of the zones that recordsets are read and changed in. */
const ZONES = 2000;
const RECORDSETS = 40;
const ZONES_WITH_RECORDSETS = 20;
/** Rounds in which the requests take turns. */
const ROUNDS = 5;
const TICKS_A_SECOND = 100;

type Send = (client: LeanClient) => Promise<unknown>;

interface Fixture {
  readonly zones: readonly { readonly id: string; readonly name: string }[];
  readonly recordsets: readonly { readonly id: string; readonly zoneId: string; readonly name: string }[];
}

async function prepareFixture(service: ServiceProcess, { token }: Tenant): Promise<Fixture> {
  const client = connect(service.url, token, 16);
  const numbers = Array.from({ length: ZONES }, (_, number) => number);
  const zones = await Promise.all(
    numbers.map(async (number) => {
      const body = { name: `everyday-${number}.example.`, email: 'hostmaster@example.org' };
      const { id, name } = await expectSuccess(client, 'POST', '/v2/zones', body);
      return { id, name } as Fixture['zones'][number];
    }),
  );
  const recordsets: Fixture['recordsets'][number][] = [];
  for (const { id: zoneId, name: zoneName } of zones.slice(0, ZONES_WITH_RECORDSETS)) {
    for (let number = 0; number < RECORDSETS; number++) {
      const name = `host-${number}.${zoneName}`;
      const body = { name, type: 'A', records: ['192.0.2.1'] };
      const made = await expectSuccess(client, 'POST', `/v2/zones/${zoneId}/recordsets`, body);
      recordsets.push({ id: made.id, zoneId, name });
    }
  }
  client.close();
  return { zones, recordsets };
}

let turn = 0;
const next = <T>(all: readonly T[]): T => all[turn++ % all.length]!;

function requestsOf({ zones, recordsets }: Fixture): Readonly<Record<string, Send>> {
  return {
    'GET /healthcheck': (client) => client.send('GET', '/healthcheck'),
    'GET /v2/zones/{id}': (client) => client.send('GET', `/v2/zones/${next(zones).id}`),
    'GET /v2/zones?name=X': (client) => client.send('GET', `/v2/zones?name=${next(zones).name}`),
    'GET /v2/zones/{id}/recordsets?name=X&type=A': (client) => {
      const { zoneId, name } = next(recordsets);
      return client.send('GET', `/v2/zones/${zoneId}/recordsets?name=${name}&type=A`);
    },
    'GET /v2/recordsets?name=X': (client) =>
      client.send('GET', `/v2/recordsets?name=${next(recordsets).name}`),
    'GET /v2/zones?name=*X*': (client) => {
      const part = next(zones).name.slice('every'.length, -'.example.'.length);
      return client.send('GET', `/v2/zones?name=*${part}.*`);
    },
    'GET /v2/zones?status=PENDING': (client) => client.send('GET', '/v2/zones?status=PENDING'),
    'GET /v2/zones/{id}/recordsets?type=NS': (client) =>
      client.send('GET', `/v2/zones/${next(recordsets).zoneId}/recordsets?type=NS`),
    'GET /v2/zones/{id}/recordsets/{id}': (client) => {
      const { zoneId, id } = next(recordsets);
      return client.send('GET', `/v2/zones/${zoneId}/recordsets/${id}`);
    },
    'GET /v2/zones?limit=20': (client) => client.send('GET', '/v2/zones?limit=20'),
    'GET /v2/zones/{id}/recordsets?limit=20': (client) =>
      client.send('GET', `/v2/zones/${next(recordsets).zoneId}/recordsets?limit=20`),
    'GET /v2/zones?limit=1000': (client) => client.send('GET', '/v2/zones?limit=1000'),
    'PUT a recordset': (client) => {
      const { zoneId, id } = next(recordsets);
      const body = `{"records":["192.0.2.${(turn % 250) + 1}"]}`;
      return client.send('PUT', `/v2/zones/${zoneId}/recordsets/${id}`, body);
    },
    'POST a zone': (client) =>
      client.send('POST', '/v2/zones', `{"name":"new-${turn++}.example.","email":"hostmaster@example.org"}`),
  };
}

interface Sum {
  done: number;
  ms: number;
  ticks: number;
}

async function run(clients: readonly LeanClient[], pid: number, send: Send, sum: Sum): Promise<void> {
  const begun = performance.now();
  const ticks = ticksOf(pid);
  const end = begun + (SECONDS * 1000) / ROUNDS;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        await send(client);
        sum.done += 1;
      }
    }),
  );
  sum.ms += performance.now() - begun;
  sum.ticks += ticksOf(pid) - ticks;
}

function printRows(store: string, connections: number, sums: ReadonlyMap<string, Sum>): void {
  const costOf = ({ done, ticks }: Sum) => (1000 * ticks) / TICKS_A_SECOND / done;
  const zone = costOf(sums.get('GET /v2/zones/{id}')!);
  for (const [name, sum] of sums) {
    const cost = costOf(sum);
    const figures = [Math.round((1000 * sum.done) / sum.ms), cost.toFixed(2), (cost / zone).toFixed(2)];
    console.log(`| ${[store, name, connections, ...figures].join(' | ')} |`);
  }
}

/**
 * The requests that clients make all day, in turns: how often a second, the processor time of the service for each, and
 * that as a multiple of the processor time of `GET /v2/zones/{id}`.
 */
export async function measureEveryday(
  store: string,
  service: ServiceProcess,
  tenant: Tenant,
  connections: readonly number[],
): Promise<void> {
  const requests = Object.entries(requestsOf(await prepareFixture(service, tenant)));
  for (const count of connections) {
    const clients = Array.from({ length: count }, () => new LeanClient(service.url, tenant.token));
    const sums = new Map(requests.map(([name]) => [name, { done: 0, ms: 0, ticks: 0 }]));
    for (const [, send] of requests) await run(clients, service.pid, send, { done: 0, ms: 0, ticks: 0 });
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, send] of requests) await run(clients, service.pid, send, sums.get(name)!);
    for (const client of clients) client.close();
    printRows(store, count, sums);
  }
}

export function printEverydayHead(): void {
  console.log('\n| store | request | connections | a second | processor time, ms | times a zone by id |');
  console.log('|---|---|---|---|---|---|');
}
