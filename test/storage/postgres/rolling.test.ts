import { request as httpRequest } from 'node:http';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { eventually, until } from '../../support/eventually.ts';
import { newName, type Served, serveOn } from '../../support/postgres/served.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts';
import { zoneNames } from '../../support/postgres/zone-names.ts';
import { type Finished, type ServiceProcess, spawnService, temporaryFolder } from '../../support/process.ts';

/** What somebody runs the service with who sets nothing, but for the quota. */
const USUAL = {
  ZONEWARDEN_STORAGE__POOL_SIZE: '8',
  ZONEWARDEN_STORAGE__POOL_TIMEOUT: '5',
  ZONEWARDEN_STORAGE__STATEMENT_TIMEOUT: '15',
  ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '10',
};

let server: PostgresServer;
let connection: string;
const running: Served[] = [];
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off' } });
});
afterAll(() => server.remove());
beforeEach(async () => {
  connection = await server.createDatabase();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.remove()));
});

async function start(): Promise<Served> {
  const served = await serveOn(server, { connection, env: USUAL });
  running.push(served);
  return served;
}

/** Runs statements as somebody else, each as it stands. */
async function others(...statements: readonly string[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: connection });
  await client.connect();
  try {
    let result!: pg.QueryResult;
    for (const statement of statements) result = await client.query(statement);
    return result;
  } finally {
    await client.end();
  }
}

/** Waits until names of zones are indexed, which begins after the start. */
async function isIndexed(): Promise<void> {
  const asked = "select 1 from pg_index where indexrelid = to_regclass('zones_name_trigrams') and indisvalid";
  await until(async () => expect((await others(asked)).rowCount).toBe(1));
}

/** A create on a connection of its own; undefined where there was no answer. */
function createAlone(service: ServiceProcess, token: string, name: string): Promise<number | undefined> {
  const headers = { 'x-auth-token': token, 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const asked = httpRequest(`${service.url}/v2/zones`, { method: 'POST', headers, agent: false });
    asked.on('error', () => resolve(undefined));
    asked.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
      response.on('error', () => resolve(undefined));
    });
    asked.end(JSON.stringify({ name, email: 'hostmaster@example.org' }));
  });
}

/** Creates by eight clients at a time, each until it is told to stop or is not answered. */
function load(service: ServiceProcess, token: string) {
  const acknowledged: string[] = [];
  const statuses: (number | undefined)[] = [];
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const name = newName();
      const status = await createAlone(service, token, name);
      statuses.push(status);
      if (status === 202) acknowledged.push(name);
      if (status === undefined) return;
    }
  };
  const clients = Promise.all(Array.from({ length: 8 }, client));
  return {
    acknowledged,
    statuses,
    /** Waits until so many more are acknowledged. */
    async more(count: number): Promise<void> {
      const enough = acknowledged.length + count;
      await until(() => expect(acknowledged.length).toBeGreaterThanOrEqual(enough));
    },
    async stop(): Promise<void> {
      isOver = true;
      await clients;
    },
  };
}

it('SIGTERM under load: every create that was made has been answered, and the other process goes on', async () => {
  const [leaving, staying] = [await start(), await start()];
  const token = leaving.service.admin;
  const [ending, going] = [load(leaving.service, token), load(staying.service, token)];
  await ending.more(30);
  const ended: Finished = await leaving.service.end();
  await ending.stop();
  await going.more(30);
  await going.stop();
  expect(ended).toMatchObject({ status: 0, signal: null });
  expect(new Set(ending.statuses)).toEqual(new Set([202, undefined]));
  expect(new Set(going.statuses)).toEqual(new Set([202]));
  const names = await zoneNames(staying.service, token);
  expect(names.sort()).toEqual([...ending.acknowledged, ...going.acknowledged].sort());
});

it('SIGTERM while the database stands still: the service ends nevertheless', async () => {
  const served = await start();
  expect((await served.create()).status).toBe(202);
  await server.pause();
  try {
    expect(await served.service.end()).toMatchObject({ status: 0, signal: null });
  } finally {
    server.resume();
  }
});

it('SIGTERM while an index is being made and the database stands still: the service ends nevertheless', async () => {
  const first = await start();
  await isIndexed();
  await first.service.end();
  await others('drop index zones_name_trigrams');
  const writer = new pg.Client({ connectionString: connection });
  writer.on('error', () => {});
  await writer.connect();
  // Until it ends, the index is not made.
  await writer.query('begin; lock table zones in row exclusive mode');
  const served = await start();
  const asked =
    "select 1 from pg_stat_activity where query like 'create index concurrently zones_name_trigrams%'";
  await until(async () => expect((await others(asked)).rowCount).toBe(1));
  await server.pause();
  try {
    expect(await served.service.end()).toMatchObject({ status: 0, signal: null });
  } finally {
    server.resume();
  }
  await writer.end();
});

it('processes that start at the same moment on an empty database all serve, and make one schema and one token', async () => {
  const all = await Promise.all(Array.from({ length: 3 }, start));
  const tokens = all.flatMap(({ service }) => {
    try {
      return [service.admin];
    } catch {
      return [];
    }
  });
  expect(tokens).toHaveLength(1);
  for (const { service } of all) {
    expect((await service.create(newName(), tokens[0])).status).toBe(202);
    expect(service.output.err).not.toMatch(/"level":(50|60)/);
  }
  const { rows } = await others('select count(*)::int as count from schema_version');
  expect(rows).toEqual([{ count: 1 }]);
  expect((await all[0]!.command('verify')).status).toBe(0);
});

/**
 * What a newer version would do: expand, in one transaction that holds the row of the version. It alters tables in the order in which
 * creates take them, the project before its zones: in the other order each create that is on its way would be a deadlock.
 */
const MIGRATION = [
  'begin',
  `set local lock_timeout = '2s'`,
  'select * from schema_version for update',
  'alter table projects add column colour text',
  `alter table zones add column colour text not null default 'green'`,
  'create table colours (name text primary key)',
  'update schema_version set version = version + 1',
  'commit',
];

/** Where somebody is in its way, a migration is taken back and done again, as the program does it. */
async function migrateNext(): Promise<void> {
  await eventually(() =>
    others(...MIGRATION).then(
      () => true,
      ({ code }) => {
        expect(['40P01', '55P03']).toContain(code);
        return undefined;
      },
    ),
  );
}

it('a process goes on without a single failure while a newer version migrates the schema, and another one starts after it', async () => {
  const old = await start();
  const token = old.service.admin;
  const going = load(old.service, token);
  await going.more(40);
  await migrateNext();
  // What takes long is done beside those who write, after the transaction.
  await others('create index concurrently zones_by_colour on zones (colour, name)');
  await going.more(40);
  const next = await start();
  expect((await next.service.create(newName(), token)).status).toBe(202);
  await going.more(40);
  await going.stop();
  expect(new Set(going.statuses)).toEqual(new Set([202]));
  expect((await old.command('verify')).status).toBe(0);
});

it('a process waits with its start for the migration of another one, never long at a time', async () => {
  await (await start()).service.end();
  const migration = new pg.Client({ connectionString: connection });
  await migration.connect();
  await migration.query('update schema_version set version = version - 1');
  await migration.query('begin; select * from schema_version for update');
  const starting = start();
  await until(() => expect(/lock timeout/.test(server.log)).toBeTruthy());
  await migration.query('update schema_version set version = version + 1; commit');
  await migration.end();
  expect((await starting).service.child.exitCode).toBeNull();
});

it('a version that can no longer work on the schema does not start; those that run are for the operator to stop before', async () => {
  const old = await start();
  await others('update schema_version set version = version + 1, oldest_reader = version + 1');
  const folder = temporaryFolder();
  const env = { ZONEWARDEN_STORAGE__CONNECTION: connection };
  const { status, out, err } = await spawnService({ dataDir: folder.path, env }).ended;
  folder.remove();
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/^zonewarden: [^\n]*needs a newer zonewarden[^\n]*\n$/);
  expect((await old.create()).status).toBe(202);
});
