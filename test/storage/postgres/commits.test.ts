import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { eventually, until } from '../../support/eventually.ts';
import { type DatabaseProxy, startProxy } from '../../support/postgres/proxy.ts';
import { expectSound, expectUnavailable, type Served, serveOn } from '../../support/postgres/served.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts';

let server: PostgresServer;
let proxy: DatabaseProxy;
let served: Served;
beforeAll(async () => {
  server = await startPostgres();
  // A role that is told of no warnings has to be told of those that matter here.
  await server.query('alter role zonewarden set client_min_messages = error');
});
afterAll(() => server.remove());
beforeEach(async () => {
  proxy = await startProxy(server.port);
});
afterEach(async () => {
  await served.remove();
  await proxy.close();
  // A test that fails leaves the next one a server that commits.
  await server.configure({ synchronous_standby_names: '' });
});

/** The connections whose commit waits for a standby. */
async function waiting(): Promise<number[]> {
  const rows = await server.query(`select pid from pg_stat_activity where wait_event = 'SyncRep'`);
  return rows.map(({ pid }) => Number(pid));
}

/** Whether one of them is that of a create: the service commits by itself, too. A commit that waits still has its locks. */
async function createWaits(): Promise<boolean> {
  const rows = await server.query(`select pid, datname from pg_stat_activity where wait_event = 'SyncRep'`);
  const locks = `select 1 from pg_locks where pid = $1 and relation = 'zones'::regclass and mode = 'RowExclusiveLock'`;
  for (const { pid, datname } of rows) {
    if ((await server.query(locks, [pid], String(datname))).length > 0) return true;
  }
  return false;
}

async function end(how: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<void> {
  for (const pid of await waiting()) await server.query(`select ${how}($1)`, [pid]);
}

const UNKNOWN = /may or may not have been made/;

/**
 * The statement time-out is what ends the wait where nothing else does. The service's own jobs commit, too, and wait with their
 * connections: more of these, and patience for one, leave the create its own.
 */
const statementTimeout = (seconds: number) => ({
  ZONEWARDEN_STORAGE__STATEMENT_TIMEOUT: String(seconds),
  ZONEWARDEN_STORAGE__POOL_SIZE: '20',
  ZONEWARDEN_STORAGE__POOL_TIMEOUT: '60',
  ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '60',
});

it.each([
  ['cancelled', 3600, () => end('pg_cancel_backend')],
  ['ended with its connection', 3600, () => end('pg_terminate_backend')],
  ['ended by the time-out of statements', 2, async () => {}],
  ['not answered since the network is cut', 2, async () => proxy.cut()],
  ['ended by a reset of the connection', 3600, async () => proxy.reset()],
  [
    'ended with the server',
    3600,
    async () => {
      await server.kill();
      await server.start();
    },
  ],
])(
  'a commit whose wait for a standby is %s: 503 that says that its outcome is unknown',
  async (_, seconds, disturb) => {
    served = await serveOn(server, { through: proxy, env: statementTimeout(seconds) });
    expect((await served.create()).status).toBe(202);
    // There is none of that name: every commit is on the disk of the server, and waits.
    await server.configure({ synchronous_standby_names: 'none_of_this_name' });
    const create = served.create('unsure.example.');
    await until(async () => expect(await createWaits()).toBeTruthy());
    await disturb();
    const answer = await create;
    await proxy.heal();
    await server.configure({ synchronous_standby_names: '' });
    // The server makes a commit visible when its wait is over, whoever still listens.
    await until(async () => expect((await waiting()).length).toBe(0));
    expectUnavailable(answer);
    expect(answer.json.message).toMatch(UNKNOWN);
    // It was made here. Who looks, as the answer says, finds it.
    const { json } = await eventually(async () => {
      const list = await served.list();
      return list.status === 200 ? list : undefined;
    });
    expect(json.zones.map(({ name }: { name: string }) => name)).toContain('unsure.example.');
    await expectSound(served);
  },
);

it('a refusal whose commit is unsure is listed once, and what happens after it is listed too', async () => {
  served = await serveOn(server, { through: proxy, env: statementTimeout(3600) });
  const { service } = served;
  const token = service.admin;
  const listed = async (type: string): Promise<number> => {
    const { json } = await service.request('GET', `/v2/events?type=${type}`, { token });
    return json.events.length;
  };
  await service.request('POST', '/v2/blacklists', { token, body: { pattern: 'taken' } });
  await until(async () => expect(await listed('blacklist.created')).toBe(1));
  await server.configure({ synchronous_standby_names: 'none_of_this_name' });
  expect((await served.create('taken.example.')).status).toBe(400);
  await until(async () => expect((await waiting()).length).toBeGreaterThan(0));
  await end('pg_cancel_backend');
  await server.configure({ synchronous_standby_names: '' });
  await until(async () => expect(await listed('refused.blacklist')).toBe(1));
  expect((await served.create()).status).toBe(202);
  await until(async () => expect(await listed('zone.created')).toBe(1));
  expect(await listed('refused.blacklist')).toBe(1);
  await expectSound(served);
});
