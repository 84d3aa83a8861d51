/** Pages of zones by keyset, on even data and on skewed data whose statistics are from before. */
import pg from 'pg';
import { eventually } from '../../test/support/eventually.ts';
import { OWNER } from '../../test/support/everything.ts';
import { type PostgresServer, startPostgres } from '../../test/support/postgres/server.ts';
import { evenFill, INDEXES_BUILT, skewedFill } from '../../test/support/postgres/skewed.ts';
import { type ServiceProcess, startServiceProcess } from '../../test/support/service-process.ts';
import { LeanClient } from './lean-client.ts';
import { SECONDS, WARM_UP } from './options.ts';

/** How often both take turns. */
const ROUNDS = 10;
const FIRST_PAGE = '/v2/zones?limit=20';

interface Filled {
  readonly service: ServiceProcess;
  readonly client: LeanClient;
  next: string;
  pages: number;
}

async function filled(server: PostgresServer, fill: readonly string[], projectId: string): Promise<Filled> {
  const url = await server.createDatabase();
  const service = await startServiceProcess({ ZONEWARDEN_STORAGE__CONNECTION: url });
  const token = service.token(projectId, 'member');
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  await eventually(async () => ((await database.query(INDEXES_BUILT)).rowCount === 1 ? true : undefined));
  for (const statement of ['begin', ...fill, 'commit']) await database.query(statement);
  await database.end();
  return { service, client: new LeanClient(service.url, token), next: FIRST_PAGE, pages: 0 };
}

/** Follows the links for some seconds, from the start again after the last page. */
async function follow(one: Filled, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const { links } = JSON.parse(await one.client.send('GET', one.next));
    one.next = links.next === undefined ? FIRST_PAGE : links.next.slice(one.service.url.length);
    one.pages += 1;
  }
}

export async function measureSkew(): Promise<void> {
  const server = await startPostgres({
    settings: { max_connections: 200, autovacuum: 'off', fsync: 'off', max_wal_size: '4GB' },
  });
  const all: Filled[] = [];
  try {
    all.push(await filled(server, evenFill(), 'p7'), await filled(server, skewedFill(), OWNER));
    for (const one of all) await follow(one, WARM_UP);
    for (const one of all) one.pages = 0;
    for (let round = 0; round < ROUNDS; round++) {
      for (const one of round % 2 === 0 ? all : all.toReversed()) await follow(one, SECONDS / ROUNDS);
    }
    const [even, skewed] = all.map(({ pages }) => pages / SECONDS) as [number, number];
    console.log('\n| pages of 20 zones a second, one connection | even | skewed, old statistics | ratio |');
    console.log('|---|---|---|---|');
    console.log(`| PostgreSQL | ${even.toFixed(0)} | ${skewed.toFixed(0)} | ${(skewed / even).toFixed(2)} |`);
  } finally {
    for (const { client, service } of all) {
      client.close();
      await service.remove();
    }
    await server.remove();
  }
}
