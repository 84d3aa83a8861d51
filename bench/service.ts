/**
 * Creates, reads and lists a second, with p50 and p99, at 1, 16 and 64 connections: on the embedded database, and on
 * PostgreSQL with one and with two processes, each with stored patterns; and beside them what the bare driver of
 * PostgreSQL reaches with the statements of creates that come alone. Creates are those of one tenant and of 64; reads and
 * lists are those of the most tenants. Each connection is of one tenant, so there are never more tenants than connections.
 * Last, what a tenant waits who creates one zone a second, at least ten times, while another one creates without pause.
 * Each store is one of its own (under TMPDIR).
 *
 * `--parts everyday` measures the requests that clients make all day, in turns: how many a second, and the processor time
 * of the service for each as a multiple of that of a zone by its id.
 * `--parts skew` follows the pages of zones on PostgreSQL, where one project has nearly all and the statistics are from before
 * that, in turns with even data.
 *
 *     npm run bench -- service [--seconds 5] [--patterns 10000] [--tenants 1,64] [--connections 1,16,64]
 *       [--stores sqlite,postgresql] [--parts load,everyday,skew]
 */
import { startPostgres } from '../test/support/postgres/server.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';
import { measureEveryday, printEverydayHead } from './service/everyday.ts';
import { measureFlood } from './service/flood.ts';
import type { LeanClient } from './service/lean-client.ts';
import { type Creating, creating, measure } from './service/load.ts';
import { CONNECTIONS, PARTS, PATTERNS, SECONDS, STORES, TENANTS, WARM_UP } from './service/options.ts';
import { recordedCreates } from './service/recorded.ts';
import { measureSkew } from './service/skew.ts';
import { print, printHead, type Subject } from './service/table.ts';
import { type Tenant, type Tenants, tenantsOf } from './service/tenants.ts';
import { compare } from './service/turns.ts';
import { importPatterns } from './support/patterns.ts';

/** Measures the creates of a row. */
type MeasureCreates = (subject: Subject, work: Creating, tenants: readonly Tenant[]) => Promise<void>;

let turn = 0;

async function measureReads(subject: Subject, work: Creating): Promise<void> {
  const read = (client: LeanClient) => {
    const ids = work.made.get(client)!;
    return client.send('GET', `/v2/zones/${ids[turn++ % ids.length]}`);
  };
  const list = (client: LeanClient) => client.send('GET', '/v2/zones');
  await measure(work, WARM_UP / 3, read);
  print({ ...subject, what: 'read a zone' }, await measure(work, SECONDS, read), SECONDS);
  await measure(work, WARM_UP / 3, list);
  print({ ...subject, what: 'list 20 zones' }, await measure(work, SECONDS, list), SECONDS);
}

const measureCreates: MeasureCreates = async (subject, work) => {
  await measure(work, WARM_UP, work.create);
  print(subject, await measure(work, SECONDS, work.create), SECONDS);
};

/** The same beside the bare driver. */
function comparedOn(url: string): MeasureCreates {
  return async (subject, work, tenants) => {
    // Those that the connections of the service are of.
    const served = tenants.slice(0, subject.connections);
    await compare(subject, url, work, await recordedCreates(url, served));
  };
}

async function measureStore(
  store: string,
  services: readonly ServiceProcess[],
  { groups }: Tenants,
  creates: MeasureCreates,
): Promise<void> {
  for (const tenants of groups) {
    for (const connections of CONNECTIONS) {
      const subject = { store, what: 'create a zone', tenants: tenants.length, connections };
      const work = creating(services, tenants, connections);
      await creates(subject, work, tenants);
      if (tenants.length === Math.max(...TENANTS)) await measureReads(subject, work);
      work.close();
    }
  }
}

async function measureSqlite(): Promise<void> {
  const service = await startServiceProcess();
  try {
    importPatterns(service, PATTERNS);
    const tenants = await tenantsOf(service, TENANTS);
    await measureStore('embedded', [service], tenants, measureCreates);
    await measureFlood('embedded', [service], tenants);
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
    importPatterns(services[0]!, PATTERNS);
    const tenants = await tenantsOf(services[0]!, TENANTS);
    await measureStore('PostgreSQL, one process', services, tenants, comparedOn(url));
    await measureFlood('PostgreSQL, one process', services, tenants);
    services.push(await startServiceProcess(environment));
    await measureStore('PostgreSQL, two processes', services, tenants, measureCreates);
  } finally {
    for (const service of services) await service.remove();
    await server.remove();
  }
}

/** The everyday requests of one tenant, on a store of its own. */
async function measureEverydayOf(
  store: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const service = await startServiceProcess(environment);
  try {
    const { steady } = await tenantsOf(service, []);
    await measureEveryday(store, service, steady, CONNECTIONS);
  } finally {
    await service.remove();
  }
}

if (PARTS.includes('load')) {
  printHead();
  if (STORES.includes('sqlite')) await measureSqlite();
  if (STORES.includes('postgresql')) await measurePostgres();
}
if (PARTS.includes('skew')) await measureSkew();
if (PARTS.includes('everyday')) {
  printEverydayHead();
  if (STORES.includes('sqlite')) await measureEverydayOf('embedded', {});
  if (STORES.includes('postgresql')) {
    const server = await startPostgres({ settings: { max_connections: 200 } });
    try {
      const url = await server.createDatabase();
      await measureEverydayOf('PostgreSQL', { ZONEWARDEN_STORAGE__CONNECTION: url });
    } finally {
      await server.remove();
    }
  }
}
