import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { eventually, until } from '../../support/eventually.ts';
import { type DatabaseProxy, startProxy } from '../../support/postgres/proxy.ts';
import {
  expectSound,
  expectUnavailable,
  newName,
  type Served,
  serveOn,
} from '../../support/postgres/served.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts';

const POOL_SIZE = 4;
const MAX_CONNECTIONS = 20;
/** Kept for superusers. */
const RESERVED = 3;
let server: PostgresServer;
let proxy: DatabaseProxy;
let served: Served;
beforeAll(async () => {
  server = await startPostgres({
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      max_connections: MAX_CONNECTIONS,
      superuser_reserved_connections: RESERVED,
    },
  });
});
afterAll(() => server.remove());
beforeEach(async () => {
  proxy = await startProxy(server.port);
  served = await serveOn(server, { through: proxy });
  // So that there are connections that can be lost.
  await Promise.all(Array.from({ length: 8 }, () => served.create()));
});
/** Connections of somebody else. */
const taken: pg.Client[] = [];
async function giveBack(): Promise<void> {
  await Promise.all(taken.splice(0).map((client) => client.end()));
}
afterEach(async () => {
  await giveBack();
  await served.remove();
  await proxy.close();
});

const connections = async () => {
  const [row] = await server.query(
    `select count(*)::int as n from pg_stat_activity where usename = 'zonewarden'`,
  );
  return Number(row!.n);
};

/** One request of each kind that needs the store. */
async function everyKind(): Promise<void> {
  const { service, list, create } = served;
  const token = service.admin;
  const answers = await Promise.all([
    list(),
    create(),
    service.request('GET', '/v2/quotas/shop/usage', { token }),
    service.request('PATCH', '/v2/quotas/shop', { token, body: { zones: 7 } }),
    service.request('POST', '/v2/blacklists', { token, body: { pattern: `^${newName()}$` } }),
    service.request('GET', '/v2/blacklists', { token }),
  ]);
  answers.forEach(expectUnavailable);
}

/** The service goes on as if nothing had been, without a restart. */
async function expectRecovery(): Promise<void> {
  await until(async () => expect((await served.create()).status).toBe(202));
  // Answers that are still under way may hold connections for a moment.
  await until(async () => expect((await served.list()).status).toBe(200));
  await eventually(async () =>
    (await served.service.request('GET', '/healthcheck')).status === 200 ? true : undefined,
  );
  await expectSound(served);
  await until(async () => expect(await connections()).toBeLessThanOrEqual(POOL_SIZE));
  expect(served.service.child.exitCode).toBeNull();
}

/** What the log says of the requests that failed. */
function reasons(): string {
  const failed = served.service.log.filter(({ msg }) => msg === 'request failed');
  return failed.map(({ err }) => (err as { message: string }).message).join('\n');
}

/** The log comes by another way than the answers, and may be later than they are. */
const expectReason = (reason: RegExp) => until(() => expect(reasons()).toMatch(reason));

it.each([
  ['shut down', () => server.stop(), () => server.start(), /ECONNRESET/],
  ['killed', () => server.kill(), () => server.start(), /ECONNRESET/],
  ['not reached', () => proxy.refuse(), () => proxy.heal(), /ECONNREFUSED/],
  ['cut off', async () => proxy.cut(), () => proxy.heal(), /time-?out/i],
  ['stopped where it is', () => server.pause(), async () => server.resume(), /time-?out/i],
  [
    'read-only',
    () => server.configure({ default_transaction_read_only: 'on' }),
    () => server.configure({ default_transaction_read_only: 'off' }),
    /read-only|does not accept writes/,
  ],
])(
  'a server that is %s: 503 for whatever needs it, and recovery by itself',
  async (_, fail, mend, reason) => {
    await fail();
    // Whatever ends the connections that there are: a server that does not accept writes still answers those that only read.
    await eventually(async () => {
      await served.create();
      return (await served.list()).status === 503 ? true : undefined;
    });
    for (let round = 0; round < 2; round++) await everyKind();
    await eventually(async () =>
      (await served.service.request('GET', '/healthcheck')).status === 503 ? true : undefined,
    );
    expect((await served.service.request('GET', '/livez')).status).toBe(200);
    await mend();
    await expectReason(reason);
    await expectRecovery();
  },
);

async function take(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: served.connection });
  client.on('error', () => {});
  await client.connect();
  taken.push(client);
  return client;
}

async function takeForever(): Promise<never> {
  for (;;) await take();
}

/** Takes connections until the server gives no more. */
async function takeAll(): Promise<void> {
  await until(async () => {
    await expect(takeForever()).rejects.toMatchObject({ code: '53300' });
    // One that was just ending may have had the place of the one that was refused.
    expect(await connections()).toBe(MAX_CONNECTIONS - RESERVED);
  });
}

/** Ends all connections of the service, and refuses new ones. */
async function withoutConnections(): Promise<void> {
  await proxy.refuse();
  await until(async () => expect(await connections()).toBe(0));
}

it('a server without a free connection: 503 for whatever needs a new one, and recovery by itself', async () => {
  await withoutConnections();
  await takeAll();
  await proxy.heal();
  for (let round = 0; round < 2; round++) await everyKind();
  await giveBack();
  // The last ones are kept for administrators.
  await expectReason(/too many clients|remaining connection slots are reserved/);
  await expectRecovery();
});

it('a server that gives fewer connections than the pool may have: those that there are serve everybody', async () => {
  await withoutConnections();
  await proxy.heal();
  expect((await served.create()).status).toBe(202);
  await takeAll();
  const answers = await Promise.all(Array.from({ length: 20 }, () => served.create()));
  for (const answer of answers) if (answer.status !== 202) expectUnavailable(answer);
  expect(answers.filter(({ status }) => status === 202).length).toBeGreaterThan(0);
  await giveBack();
  await expectRecovery();
});

it('a row that somebody else holds: who needs it waits for busy_timeout, others behind them for pool_timeout', async () => {
  const holder = await take();
  await holder.query('begin');
  // What every create needs.
  await holder.query(`select * from projects where project_id = 'admin' for update`);
  const creates = Array.from({ length: 12 }, () => served.create());
  (await Promise.all(creates)).forEach(expectUnavailable);
  await expectReason(/lock timeout/);
  await giveBack();
  await expectRecovery();
});

it('answers that come 5 s late: each request is answered in the end, and recovery by itself', async () => {
  await served.remove();
  // As they are when nobody sets them.
  const env = {
    ZONEWARDEN_STORAGE__POOL_TIMEOUT: '5',
    ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '10',
    ZONEWARDEN_STORAGE__STATEMENT_TIMEOUT: '15',
  };
  served = await serveOn(server, { through: proxy, env });
  await Promise.all(Array.from({ length: 8 }, () => served.create()));
  proxy.delay(5000);
  const creates = Promise.all(Array.from({ length: 5 }, () => served.create()));
  const lists = Promise.all(Array.from({ length: 3 }, () => served.list()));
  // One that waits for its turn among reads that all take so long is told so.
  for (const { status } of await lists) expect([200, 503]).toContain(status);
  for (const answer of await creates) if (answer.status !== 202) expectUnavailable(answer);
  proxy.delay(0);
  await expectRecovery();
});
