/**
 * Two builds of the service in turns, A B A B …: the ratio of creates, reads and lists a second, pair by pair, as a median
 * with its 95 % interval, and that of the processor time that each operation takes of the service. Each build has a store of its own (under TMPDIR); both run on the same PostgreSQL server.
 *
 *     npm run bench -- compare --other FOLDER [--pairs 11] [--seconds 2] [--connections 1,16] [--stores sqlite,postgresql]
 *         [--what 'create a zone']
 *
 * FOLDER is another checkout, built. A ratio above 1 says that this build does more a second than the other one, or with less
 * processor time; the second does not depend on who else uses the machine.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { connect, expectSuccess } from '../test/support/client.ts';
import { startPostgres } from '../test/support/postgres/server.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';
import { LeanClient } from './service/lean-client.ts';
import { importPatterns } from './support/patterns.ts';
import { ticksOf } from './support/processor-time.ts';

const { values: options } = parseArgs({
  options: {
    other: { type: 'string' },
    pairs: { type: 'string', default: '11' },
    seconds: { type: 'string', default: '2' },
    patterns: { type: 'string', default: '10000' },
    connections: { type: 'string', default: '1,16' },
    stores: { type: 'string', default: 'sqlite,postgresql' },
    what: { type: 'string', default: '' },
  },
});
if (options.other === undefined) throw new Error('Name the other checkout: --other FOLDER.');
const OTHER = resolve(options.other, 'dist/main.js');
const PAIRS = Number(options.pairs);
const SECONDS = Number(options.seconds);
const PROJECT = 'tenant';

type Work = (client: LeanClient, place: number) => Promise<unknown>;

/** One build, loaded by so many connections. */
interface Side {
  readonly pid: number;
  readonly clients: readonly LeanClient[];
  readonly works: Readonly<Record<string, Work>>;
}

/** How often the work is done: in a second, and in a tick of the processor. */
async function rate({ clients, pid }: Side, work: Work): Promise<{ second: number; tick: number }> {
  let done = 0;
  const begun = performance.now();
  const ticks = ticksOf(pid);
  const end = begun + SECONDS * 1000;
  await Promise.all(
    clients.map(async (client, place) => {
      while (performance.now() < end) {
        await work(client, place);
        done += 1;
      }
    }),
  );
  const second = (1000 * done) / (performance.now() - begun);
  return { second, tick: done / Math.max(1, ticksOf(pid) - ticks) };
}

let names = 0;

/** All connections work in one zone, the first one that is asked makes it; each changes recordsets of its own. */
function inOneZone(): { readonly createRecordset: Work; readonly changeRecordset: Work } {
  let zone: Promise<{ id: string; name: string }> | undefined;
  const own = new Map<number, string>();
  const zoneOf = async (client: LeanClient) => {
    zone ??= client
      .send('POST', '/v2/zones', `{"name":"shared-${names++}.example.","email":"hostmaster@example.org"}`)
      .then((text) => JSON.parse(text));
    return zone;
  };
  const createRecordset = async (client: LeanClient): Promise<string> => {
    const { id, name } = await zoneOf(client);
    const body = `{"name":"r${names++}.${name}","type":"A","records":["192.0.2.1"]}`;
    return client.send('POST', `/v2/zones/${id}/recordsets`, body);
  };
  return {
    createRecordset,
    async changeRecordset(client, place) {
      const { id } = await zoneOf(client);
      if (!own.has(place)) own.set(place, JSON.parse(await createRecordset(client)).id);
      const body = `{"records":["192.0.2.${names++ % 250}"]}`;
      return client.send('PUT', `/v2/zones/${id}/recordsets/${own.get(place)}`, body);
    },
  };
}

function sideOf(service: ServiceProcess, token: string, connections: number): Side {
  const clients = Array.from({ length: connections }, () => new LeanClient(service.url, token));
  const ids: string[][] = clients.map(() => []);
  const create: Work = async (client, place) => {
    const body = `{"name":"zone-${names++}.example.","email":"hostmaster@example.org"}`;
    ids[place]!.push(JSON.parse(await client.send('POST', '/v2/zones', body)).id);
  };
  const read: Work = (client, place) => {
    const own = ids[place]!;
    return client.send('GET', `/v2/zones/${own[names++ % own.length]}`);
  };
  const list: Work = (client) => client.send('GET', '/v2/zones');
  const find: Work = async (client, place) => {
    const own = ids[place]!;
    const zone = JSON.parse(await client.send('GET', `/v2/zones/${own[0]}`));
    return client.send('GET', `/v2/zones?name=${zone.name}`);
  };
  const createInOwn: Work = async (client, place) => {
    if (ids[place]!.length === 0) await create(client, place);
    const id = ids[place]![0]!;
    const { name } = JSON.parse(await client.send('GET', `/v2/zones/${id}`));
    const body = `{"name":"r${names++}.${name}","type":"A","records":["192.0.2.1"]}`;
    return client.send('POST', `/v2/zones/${id}/recordsets`, body);
  };
  const { createRecordset, changeRecordset } = inOneZone();
  return {
    pid: service.pid,
    clients,
    works: {
      'create a zone': create,
      'read a zone': read,
      'list 20 zones': list,
      'read a zone and find it by name': find,
      'create a recordset of one zone': createRecordset,
      'read a zone for each connection and create a recordset of it': createInOwn,
      'change recordsets of one zone': changeRecordset,
    },
  };
}

/** The least rank whose order statistic bounds the median from below with at least 97.5 % (a binomial of one half). */
function rankOfInterval(count: number): number {
  let probability = 2 ** -count;
  let sum = probability;
  let rank = 0;
  while (sum <= 0.025) {
    rank += 1;
    probability *= (count - rank + 1) / rank;
    sum += probability;
  }
  return rank;
}

function summary(ratios: readonly number[]): string {
  const sorted = [...ratios].sort((a, b) => a - b);
  const rank = Math.max(rankOfInterval(sorted.length) - 1, 0);
  const [low, median, high] = [rank, sorted.length >> 1, sorted.length - 1 - rank].map((at) =>
    sorted[at]!.toFixed(3),
  );
  return `${median} | ${low} to ${high}`;
}

async function comparePair(store: string, services: readonly ServiceProcess[], connections: number) {
  const tokens = services.map((service) => service.token(PROJECT, 'member'));
  const [here, other] = services.map((service, place) => sideOf(service, tokens[place]!, connections));
  for (const what of Object.keys(here!.works).filter((one) => one.includes(options.what))) {
    const ratios: number[] = [];
    const times: number[] = [];
    const rates: number[] = [];
    // The first pair warms both up and is not counted.
    for (let pair = 0; pair <= PAIRS; pair++) {
      const [a, b] = [await rate(here!, here!.works[what]!), await rate(other!, other!.works[what]!)];
      if (pair === 0) continue;
      ratios.push(a.second / b.second);
      times.push(a.tick / b.tick);
      rates.push(a.second);
    }
    const middle = Math.round(rates.sort((a, b) => a - b)[rates.length >> 1]!);
    const cells = [store, what, connections, middle, summary(ratios), summary(times)];
    console.log(`| ${cells.join(' | ')} |`);
  }
  for (const { clients } of [here!, other!]) for (const client of clients) client.close();
}

async function compareOn(store: string, environments: readonly Readonly<Record<string, string>>[]) {
  const services = [
    await startServiceProcess(environments[0]),
    await startServiceProcess(environments[1], [], OTHER),
  ];
  try {
    for (const service of services) {
      importPatterns(service, Number(options.patterns));
      const admin = connect(service.url, service.admin, 1);
      await expectSuccess(admin, 'PATCH', `/v2/quotas/${PROJECT}`, {
        zones: -1,
        zone_recordsets: -1,
        zone_records: -1,
      });
      admin.close();
    }
    for (const connections of options.connections.split(',').map(Number)) {
      await comparePair(store, services, connections);
    }
  } finally {
    for (const service of services) await service.remove();
  }
}

console.log(
  '| store | what | connections | a second, here | ratio, median | 95 % interval | ratio of processor time | 95 % interval |',
);
console.log('|---|---|---|---|---|---|---|---|');
const stores = options.stores.split(',');
if (stores.includes('sqlite')) await compareOn('embedded', [{}, {}]);
if (stores.includes('postgresql')) {
  const server = await startPostgres({ settings: { max_connections: 200 } });
  try {
    const environmentOf = async () => ({ ZONEWARDEN_STORAGE__CONNECTION: await server.createDatabase() });
    await compareOn('PostgreSQL', [await environmentOf(), await environmentOf()]);
  } finally {
    await server.remove();
  }
}
