/**
 * Creates, reads and lists a second, with p50 and p99, at 1, 16 and 64 connections: on the embedded database, and on
 * PostgreSQL with one and with two processes, each with stored patterns; and beside them what the bare driver of
 * PostgreSQL reaches with the statements of a create. Each store is one of its own (under TMPDIR).
 *
 *     npm run bench:service [-- --seconds 5] [--patterns 10000] [--connections 1,16,64] [--stores sqlite,postgresql]
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { connect, expectSuccess, forEachInParallel } from '../test/support/client.ts';
import { startPostgres } from '../test/support/postgres/server.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';
import { BareClient } from './service/bare.ts';
import { LeanClient } from './service/lean-client.ts';
import { type RoundTrip, recorderOf } from './service/statements.ts';
import { importPatterns } from './support/patterns.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    patterns: { type: 'string', default: '10000' },
    connections: { type: 'string', default: '1,16,64' },
    stores: { type: 'string', default: 'sqlite,postgresql' },
  },
});
const SECONDS = Number(options.seconds);
const WARM_UP = 1.5;
const CONNECTIONS = options.connections.split(',').map(Number);
const TENANTS = 64;
/** How often the service and the bare driver take turns. */
const ROUNDS = 4;
/** More than any of them creates. */
const MOST_A_SECOND = 4000;

function quantile(sorted: readonly number[], share: number): string {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(2);
}

function print(store: string, what: string, connections: number, latencies: readonly number[]): number {
  const sorted = [...latencies].sort((a, b) => a - b);
  const rate = Math.round(latencies.length / SECONDS);
  console.log(
    `| ${store} | ${what} | ${connections} | ${rate} | ${quantile(sorted, 0.5)} | ${quantile(sorted, 0.99)} |`,
  );
  return rate;
}

/** Tenants whose clients take turns over the processes. */
interface Load {
  readonly clients: readonly LeanClient[];
  close(): void;
}

function loadOf(services: readonly ServiceProcess[], tokens: readonly string[], connections: number): Load {
  const clients = Array.from(
    { length: connections },
    (_, place) => new LeanClient(services[place % services.length]!.url, tokens[place % tokens.length]!),
  );
  const close = () => {
    for (const client of clients) client.close();
  };
  return { clients, close };
}

/** Does something again and again on every client; returns the time each took, in milliseconds. */
async function measure(
  load: Load,
  seconds: number,
  work: (client: LeanClient) => Promise<unknown>,
): Promise<number[]> {
  const latencies: number[] = [];
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    load.clients.map(async (client) => {
      for (let begun = performance.now(); begun < end; ) {
        await work(client);
        const now = performance.now();
        latencies.push(now - begun);
        begun = now;
      }
    }),
  );
  return latencies;
}

let drawn = 0;
const freshName = () => `zone-${drawn++}.example.`;

/** A load, and the zones that each of its clients has created. */
interface Creating {
  readonly load: Load;
  readonly made: ReadonlyMap<LeanClient, string[]>;
  create(client: LeanClient): Promise<void>;
}

function creating(
  services: readonly ServiceProcess[],
  tokens: readonly string[],
  connections: number,
): Creating {
  const load = loadOf(services, tokens, connections);
  const made = new Map<LeanClient, string[]>(load.clients.map((client) => [client, []]));
  const create = async (client: LeanClient) => {
    const body = `{"name":"${freshName()}","email":"hostmaster@example.org"}`;
    made.get(client)!.push(JSON.parse(await client.send('POST', '/v2/zones', body)).id);
  };
  return { load, made, create };
}

async function measureReads(store: string, { load, made }: Creating): Promise<void> {
  const read = (client: LeanClient) => {
    const ids = made.get(client)!;
    return client.send('GET', `/v2/zones/${ids[drawn++ % ids.length]}`);
  };
  const list = (client: LeanClient) => client.send('GET', '/v2/zones');
  await measure(load, WARM_UP / 3, read);
  print(store, 'read a zone', load.clients.length, await measure(load, SECONDS, read));
  await measure(load, WARM_UP / 3, list);
  print(store, 'list 20 zones', load.clients.length, await measure(load, SECONDS, list));
}

async function measureStore(store: string, services: readonly ServiceProcess[], tokens: readonly string[]) {
  for (const connections of CONNECTIONS) {
    const work = creating(services, tokens, connections);
    await measure(work.load, WARM_UP, work.create);
    print(store, 'create a zone', connections, await measure(work.load, SECONDS, work.create));
    await measureReads(store, work);
    work.load.close();
  }
}

/** A tenant's token each, and no limit on zones. */
async function tenantsOf(service: ServiceProcess): Promise<string[]> {
  const admin = connect(service.url, service.admin, 4);
  const tokens: string[] = [];
  for (let tenant = 0; tenant < TENANTS; tenant++) {
    await expectSuccess(admin, 'PATCH', `/v2/quotas/tenant-${tenant}`, { zones: -1 });
  }
  await forEachInParallel(
    Array.from({ length: TENANTS }, (_, tenant) => tenant),
    2,
    async (tenant) => {
      tokens.push(service.token(`tenant-${tenant}`, 'member'));
    },
  );
  admin.close();
  return tokens;
}

/** The statements of creates, made ahead of the time that is taken. */
async function recorded(url: string, token: string): Promise<() => Promise<Iterator<readonly RoundTrip[]>>> {
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  const { rows } = await reader.query('select * from api_tokens where id = $1', [token.split('_')[1]]);
  await reader.end();
  // One tenant for each connection, as the service is loaded.
  const recorders = Array.from({ length: TENANTS }, (_, tenant) =>
    recorderOf({ text: token, row: { ...rows[0], project_id: `tenant-${tenant}` } }),
  );
  return async () => {
    const creates: (readonly RoundTrip[])[] = [];
    const wanted = Math.ceil((SECONDS / ROUNDS) * MOST_A_SECOND);
    for (let number = 0; number < wanted; number++) {
      creates.push(await recorders[number % TENANTS]!(freshName()));
    }
    return creates[Symbol.iterator]();
  };
}

/** The service and the bare driver in turns, on one database, so that both meet the same of it. */
async function compare(store: string, url: string, service: ServiceProcess, tokens: readonly string[]) {
  const creates = await recorded(url, tokens[0]!);
  for (const connections of CONNECTIONS) {
    const work = creating([service], tokens, connections);
    const bare = new BareClient(url);
    await bare.open(connections);
    await bare.run(await creates(), WARM_UP);
    await measure(work.load, WARM_UP, work.create);
    const taken: { bare: number[]; service: number[] } = { bare: [], service: [] };
    for (let round = 0; round < ROUNDS; round++) {
      taken.bare.push(...(await bare.run(await creates(), SECONDS / ROUNDS)));
      taken.service.push(...(await measure(work.load, SECONDS / ROUNDS, work.create)));
    }
    const bareRate = print('bare driver', 'create a zone', connections, taken.bare);
    const rate = print(store, 'create a zone', connections, taken.service);
    console.log(
      `| ratio to the bare driver | create a zone | ${connections} | ${(rate / bareRate).toFixed(2)} | | |`,
    );
    await bare.close();
    await measureReads(store, work);
    work.load.close();
  }
}

async function measureSqlite(): Promise<void> {
  const service = await startServiceProcess();
  try {
    importPatterns(service, Number(options.patterns));
    await measureStore('embedded', [service], await tenantsOf(service));
  } finally {
    await service.remove();
  }
}

async function measurePostgres(): Promise<void> {
  const server = await startPostgres({ settings: { max_connections: 200 } });
  const url = await server.createDatabase();
  const environment = { ZONEWARDEN_STORAGE__CONNECTION: url };
  const services = [await startServiceProcess(environment)];
  try {
    importPatterns(services[0]!, Number(options.patterns));
    const tokens = await tenantsOf(services[0]!);
    await compare('PostgreSQL, one process', url, services[0]!, tokens);
    services.push(await startServiceProcess(environment));
    await measureStore('PostgreSQL, two processes', services, tokens);
  } finally {
    for (const service of services) await service.remove();
    await server.remove();
  }
}

console.log('| store | what | connections | a second | p50, ms | p99, ms |');
console.log('|---|---|---|---|---|---|');
const stores = options.stores.split(',');
if (stores.includes('sqlite')) await measureSqlite();
if (stores.includes('postgresql')) await measurePostgres();
