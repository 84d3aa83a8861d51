import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../../src/storage/migrate.ts';
import { ConnectionPool } from '../../../src/storage/postgres/pool.ts';
import {
  longReadsOn,
  readerOver,
  snapshotsOver,
  transactionsOver,
} from '../../../src/storage/postgres/transactions.ts';
import { storeOver } from '../../../src/storage/store.ts';
import { eventually, until } from '../../support/eventually.ts';
import {
  expectSound,
  expectUnavailable,
  newName,
  type Served,
  serveOn,
} from '../../support/postgres/served.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts';
import type { Answer } from '../../support/process.ts';
import { runs } from '../../support/runs.ts';

/** What somebody runs the service with who sets nothing. */
const USUAL = {
  ZONEWARDEN_STORAGE__POOL_SIZE: '16',
  ZONEWARDEN_STORAGE__POOL_TIMEOUT: '5',
  ZONEWARDEN_STORAGE__STATEMENT_TIMEOUT: '15',
  ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '10',
};

let server: PostgresServer;
let served: Served | undefined;
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off' } });
});
afterAll(() => server.remove());
afterEach(async () => {
  await served?.remove();
  served = undefined;
});

async function serve(env: Readonly<Record<string, string>> = {}): Promise<Served> {
  served = await serveOn(server, { env: { ...USUAL, ...env } });
  return served;
}

const databaseOf = (connection: string) => new URL(connection).pathname.slice(1);

async function connectTo(connection: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: connection });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The processes of the server behind the connections of a service: all, or those of which something holds. */
async function backends({ connection }: Served, where = 'true'): Promise<number[]> {
  const rows = await server.query(
    `select pid from pg_stat_activity
     where datname = $1 and application_name = 'zonewarden' and ${where}`,
    [databaseOf(connection)],
  );
  return rows.map(({ pid }) => Number(pid));
}

const statuses = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))];

/** Creates by many clients at a time, for as long as `while` goes on. */
async function createsDuring(to: Served, work: () => Promise<void>): Promise<Answer[]> {
  let isOver = false;
  const answers: Answer[] = [];
  const client = async () => {
    while (!isOver) answers.push(await to.create());
  };
  const clients = Promise.all(Array.from({ length: 16 }, client));
  clients.catch(() => {});
  await work().finally(() => {
    isOver = true;
  });
  await clients;
  return answers;
}

it('prepared statements that are gone are prepared again, and nobody notices', async () => {
  const settings = {
    connection: await server.createDatabase(),
    poolSize: 2,
    transferPoolSize: 1,
    poolQueue: 100,
    poolTimeoutMs: 5000,
    statementTimeoutMs: 15000,
    startTimeoutMs: 0,
    preparedStatements: true,
    readTimeoutMs: 5000,
  };
  const pool = new ConnectionPool(settings, 10000);
  const database = {
    reader: readerOver(pool),
    longReads: longReadsOn(pool),
    transaction: transactionsOver(pool),
    snapshot: snapshotsOver(pool),
    atOneState: snapshotsOver(pool),
    fileFaults: async () => [],
    nameIndex: { isBehind: async () => false, catchUp: async () => ({ more: false }) },
    recordsetIndexes: { isBehind: async () => false, catchUp: async () => ({ more: false }) },
    writeState: () => 'open' as const,
    endCheck() {},
    close: () => pool.close(),
  };
  const store = storeOver(database);
  let forgotten = 0;
  const grow = () => store.transaction(async (tx) => tx.projects.grow('shop', { zones: 1 }));
  try {
    await migrate(database);
    const both = () => Promise.all([grow(), grow()]);
    await both();
    for (let round = 1; round <= 5; round++) {
      const forget = () =>
        pool.use((session) => session.read({ sql: `deallocate all -- ${++forgotten}`, parameters: [] }));
      await Promise.all([forget(), forget()]);
      await both();
      expect((await store.projects.state('shop')).zones).toBe(2 + 2 * round);
      await Promise.all([forget(), forget()]);
      expect((await store.projects.state('shop')).zones).toBe(2 + 2 * round);
    }
  } finally {
    await store.close();
  }
});

it('columns that are added under load make prepared plans invalid, and nobody notices', async () => {
  const to = await serve();
  const migration = await connectTo(to.connection);
  const answers = await createsDuring(to, async () => {
    for (let round = 0; round < 3; round++) {
      const before = to.acknowledged.length;
      await until(() => expect(to.acknowledged.length).toBeGreaterThan(before + 40));
      for (const table of ['zones', 'projects', 'recordsets', 'api_tokens']) {
        await migration.query(`alter table ${table} add column later_${round} text not null default ''`);
      }
    }
  });
  await migration.end();
  expect(statuses(answers)).toEqual([202]);
  await expectSound(to);
});

it('connections that are ended one and all, again and again: whatever was acknowledged is there, nothing is half', async () => {
  const to = await serve();
  const answers = await createsDuring(to, async () => {
    for (let round = 0; round < 5; round++) {
      const before = to.acknowledged.length;
      await until(() => expect(to.acknowledged.length).toBeGreaterThan(before + 20));
      for (const pid of await backends(to)) await server.query('select pg_terminate_backend($1)', [pid]);
    }
  });
  expect(statuses(answers).filter((status) => status !== 202 && status !== 503)).toEqual([]);
  await expectSound(to);
});

it('statements that are cancelled: whatever was acknowledged is there, nothing is half', async () => {
  const to = await serve();
  const canceller = await connectTo(to.connection);
  let cancelled = 0;
  const answers = await createsDuring(to, async () => {
    while (cancelled < runs(200)) {
      const { rows } = await canceller.query(
        `select count(*) filter (where pg_cancel_backend(pid))::int as n from pg_stat_activity
         where datname = current_database() and application_name = 'zonewarden' and state <> 'idle'`,
      );
      cancelled += rows[0].n;
    }
  });
  await canceller.end();
  expect(statuses(answers).filter((status) => status !== 202 && status !== 503)).toEqual([]);
  await expectSound(to);
});

/** Creates a zone in a deadlock with another session; false where the server has taken back that one instead. */
async function createInDeadlock(to: Served, other: pg.Client): Promise<boolean> {
  await other.query('begin');
  await other.query('select * from projects for update');
  const create = to.create();
  // What goes on beside the requests may wait for the projects, too, and holds no gate.
  const waiting = `select 1 from pg_locks join pg_stat_activity using (pid)
    where application_name = 'zonewarden' and wait_event_type = 'Lock' and relation = 'name_gates'::regclass`;
  await until(async () => expect((await other.query(waiting)).rows.length).toBeGreaterThan(0));
  // Whoever has waited for a second looks for a deadlock: that is the service, unless the machine was slow.
  const isTakenBack = await other.query('select * from name_gates for update').then(
    () => true,
    () => false,
  );
  await other.query('rollback');
  expect((await create).status).toBe(202);
  return isTakenBack;
}

it('a deadlock: the transaction is taken back and done again', async () => {
  const to = await serve();
  expect((await to.create()).status).toBe(202);
  const other = new pg.Client({ connectionString: server.url(databaseOf(to.connection)) });
  await other.connect();
  await until(async () => expect(await createInDeadlock(to, other)).toBeTruthy());
  await other.end();
  expect(server.log).toContain('deadlock detected');
  await expectSound(to);
});

it('on a database that is serializable by default everything is as right as on any other', async () => {
  const connection = await server.createDatabase();
  await server.query(
    `alter database ${databaseOf(connection)} set default_transaction_isolation to serializable`,
  );
  served = await serveOn(server, { connection, env: { ...USUAL, ZONEWARDEN_DEFAULT__QUOTA_ZONES: '60' } });
  const to = served;
  const pattern = (name: string) =>
    to.service.request('POST', '/v2/blacklists', { token: to.service.admin, body: { pattern: `^${name}$` } });
  const creates = await Promise.all([
    ...Array.from({ length: 100 }, () => to.create()),
    ...Array.from({ length: 5 }, () => pattern(newName()).then(() => undefined)),
  ]);
  const found = statuses(creates.filter((answer) => answer !== undefined));
  expect(found.filter((status) => ![202, 413, 503].includes(status))).toEqual([]);
  const { json } = await to.list();
  expect(json.metadata.total_count).toBe(to.acknowledged.length);
  expect(to.acknowledged.length).toBeLessThanOrEqual(60);
  await until(async () => expect((await to.create()).status).toBe(413));
  expect(to.acknowledged.length).toBe(60);
  await expectSound(to);
});

it('a process that stands still amid a transaction keeps others from their work for seconds only, and does its own again', async () => {
  const to = await serve();
  const other = await serveOn(server, { connection: to.connection, env: USUAL });
  try {
    expect((await to.create()).status).toBe(202);
    const token = to.service.admin;
    const holder = await connectTo(to.connection);
    await holder.query('begin');
    await holder.query('select * from projects for update');
    const create = to.create();
    await eventually(async () =>
      (await backends(to, `wait_event_type = 'Lock'`)).length > 0 ? true : undefined,
    );
    to.service.child.kill('SIGSTOP');
    await holder.end();
    await eventually(async () =>
      (await backends(to, `state like 'idle in transaction%'`)).length > 0 ? true : undefined,
    );
    expect((await other.service.create(newName(), token)).status).toBe(202);
    to.service.child.kill('SIGCONT');
    // Where its commit was on the way as the connection ended nobody knows what became of it.
    const answer = await create;
    if (answer.status !== 202) expectUnavailable(answer);
    await expectSound(to);
  } finally {
    await other.remove();
  }
});
