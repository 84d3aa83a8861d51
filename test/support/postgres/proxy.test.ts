import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { until } from '../eventually.ts';
import { type DatabaseProxy, startProxy } from './proxy.ts';
import { type PostgresServer, startPostgres } from './server.ts';

let server: PostgresServer;
let url: string;
let proxy: DatabaseProxy;
let client: pg.Client;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.createDatabase();
});
afterAll(() => server.remove());
beforeEach(async () => {
  proxy = await startProxy(server.port);
  client = newClient();
  await client.connect();
});
afterEach(() => proxy.close());

function newClient(options: pg.ClientConfig = {}): pg.Client {
  const made = new pg.Client({ connectionString: proxy.through(url), ...options });
  made.on('error', () => {});
  return made;
}

const one = async (asked: pg.Client) => (await asked.query('select 1 as one')).rows[0].one;
const backends = async () => {
  const [row] = await server.query(
    `select count(*)::int as n from pg_stat_activity where usename = 'zonewarden'`,
  );
  return row!.n;
};

it('leads to the database and back', async () => {
  const { rows } = await client.query(`select repeat('x', 3000000) as much`);
  expect(rows[0].much).toHaveLength(3_000_000);
  await client.end();
  await until(async () => expect(await backends()).toBe(0));
  await until(() => expect(proxy.connections).toBe(0));
});

it('cut: nothing comes through either way, the server keeps its end, and healing resets what lost something', async () => {
  proxy.cut();
  const lost = expect(one(client)).rejects.toThrow(/ECONNRESET|terminated/);
  const hanging = newClient({ connectionTimeoutMillis: 200 });
  await expect(hanging.connect()).rejects.toThrow(/timeout/);
  expect(await backends()).toBe(1);
  await proxy.heal();
  await lost;
  await until(async () => expect(await backends()).toBe(0));
  const next = newClient();
  await next.connect();
  expect(await one(next)).toBe(1);
});

it('held: everything comes through once it is healed, also on a connection made meanwhile', async () => {
  proxy.hold();
  const answer = one(client);
  const next = newClient();
  const connected = next.connect();
  await until(() => expect(proxy.connections).toBe(2));
  await proxy.heal();
  expect(await answer).toBe(1);
  await connected;
  expect(await one(next)).toBe(1);
});

it('refused: connections are reset, and new ones refused until it is healed', async () => {
  const asked = client.query('select pg_sleep(60)');
  await Promise.all([expect(asked).rejects.toThrow(/ECONNRESET|terminated/), proxy.refuse()]);
  await expect(newClient().connect()).rejects.toThrow(/ECONNREFUSED/);
  await proxy.heal();
  const next = newClient();
  await next.connect();
  expect(await one(next)).toBe(1);
});

it('reset: connections are reset, and new ones go through at once', async () => {
  const asked = client.query('select pg_sleep(60)');
  proxy.reset();
  await expect(asked).rejects.toThrow(/ECONNRESET|terminated/);
  const next = newClient();
  await next.connect();
  expect(await one(next)).toBe(1);
});

it('delayed: every answer comes later, and in order', async () => {
  proxy.delay(100);
  const start = performance.now();
  const answers = [one(client)];
  answers.push(client.query('select 2 as two').then(({ rows }) => rows[0].two));
  expect(await Promise.all(answers)).toEqual([1, 2]);
  expect(performance.now() - start).toBeGreaterThan(180);
  await proxy.heal();
  expect(await one(client)).toBe(1);
});
