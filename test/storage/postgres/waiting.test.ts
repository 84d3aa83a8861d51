/** A service that starts before its database does. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts';
import {
  ask,
  type Captured,
  logLines,
  spawnService,
  temporaryFolder,
  written,
} from '../../support/process.ts';

/** Longer than a test takes: what ends before has not waited. */
const DAY_LONG = { ZONEWARDEN_STORAGE__START_TIMEOUT: '86400' };
const WAITING = 'waiting for the database';

let server: PostgresServer;
let folder: ReturnType<typeof temporaryFolder>;
let service: Captured | undefined;
let address: string;
let connection: string;
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off' } });
});
afterAll(() => server.remove());
beforeEach(async () => {
  folder = temporaryFolder();
  address = `127.0.0.1:${await freePort()}`;
  connection = await server.createDatabase();
});
afterEach(async () => {
  service?.child.kill('SIGKILL');
  await service?.ended;
  service = undefined;
  folder.remove();
});

function start(url: string, env: Readonly<Record<string, string>> = {}): Captured {
  service = spawnService({
    dataDir: folder.path,
    env: {
      ZONEWARDEN_SERVICE_API__LISTEN: address,
      ZONEWARDEN_STORAGE__CONNECTION: url,
      ZONEWARDEN_STORAGE__POOL_TIMEOUT: '1',
      ...env,
    },
  });
  return service;
}

/** The connection string with other parts. */
const connectionWith = (parts: Partial<URL>): string => Object.assign(new URL(connection), parts).href;

const get = (path: string) => ask(`http://${address}`, 'GET', path);

async function expectStarting(waiting: Captured): Promise<void> {
  await written(waiting, 'err', new RegExp(WAITING));
  expect(await get('/healthcheck')).toMatchObject({ status: 503, json: { type: 'starting' } });
  expect(await get('/livez')).toMatchObject({ status: 200 });
  const refused = await get('/v2/zones');
  expect(refused).toMatchObject({ status: 503, json: { type: 'service_unavailable' } });
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(waiting.out).toBe('');
}

it('a service that starts before its server waits for it, and then serves', async () => {
  await server.stop();
  const waiting = start(connection);
  await expectStarting(waiting);
  await server.start();
  await written(waiting, 'out', /^listening on /);
  expect(await get('/healthcheck')).toMatchObject({ status: 200 });
  const told = logLines(waiting.err).filter(({ msg }) => msg === WAITING);
  expect(told[0]).toMatchObject({ reason: expect.stringContaining('ECONNREFUSED') });
  // A reason is told when it is a new one.
  expect(new Set(told.map(({ reason }) => reason)).size).toBe(told.length);
});

it('a service that starts on a server which accepts no writes waits until it does', async () => {
  await server.configure({ default_transaction_read_only: 'on' });
  const waiting = start(connection);
  await expectStarting(waiting);
  await server.configure({ default_transaction_read_only: 'off' });
  await written(waiting, 'out', /^listening on /);
});

it('a server that answers nothing is waited for, too', async () => {
  const silent: Server = createServer((client) => client.on('error', () => {}).resume());
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const waiting = start(connectionWith({ port: String(port) }));
  await expectStarting(waiting);
  waiting.child.kill('SIGTERM');
  expect(await waiting.ended).toMatchObject({ status: 0, signal: null, out: '' });
  silent.close();
});

it.each([
  ['refuses connections', { port: '1' }],
  ['has a name that is not known', { hostname: 'database.invalid' }],
  ['has several addresses, none of which answers', { host: 'localhost:1' }],
])('SIGTERM ends at once the wait for a server that %s: status 0', async (_, parts) => {
  const waiting = start(connectionWith(parts), DAY_LONG);
  await expectStarting(waiting);
  waiting.child.kill('SIGTERM');
  const { status, out, err } = await waiting.ended;
  expect({ status, out }).toEqual({ status: 0, out: '' });
  expect(logLines(err).at(-1)).toMatchObject({ msg: 'stopped' });
});

it.each(['0', '1'])('start_timeout = %s: when the time is over, one line and status 2', async (seconds) => {
  const waiting = start(connectionWith({ port: '1' }), { ZONEWARDEN_STORAGE__START_TIMEOUT: seconds });
  const { status, out, err } = await waiting.ended;
  expect({ status, out }).toEqual({ status: 2, out: '' });
  const lines = err.trimEnd().split('\n');
  expect(lines.at(-1)).toMatch(
    /^zonewarden: PostgreSQL at 127\.0\.0\.1:1, database \w+ cannot be used: .*ECONNREFUSED/,
  );
  const waits = lines.slice(0, -1).map((line) => JSON.parse(line).msg);
  expect(waits).toEqual(seconds === '0' ? [] : [WAITING]);
});

/** Ended by itself, with one line. */
async function expectEnd(waiting: Captured, reason: RegExp): Promise<void> {
  const { status, out, err } = await waiting.ended;
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/^zonewarden: [^\n]+\n$/);
  expect(err).toMatch(reason);
}

/** The schema of a program that does not exist yet. */
async function makeSchemaTooNew(): Promise<void> {
  const first = start(connection);
  await written(first, 'out', /^listening on /);
  first.child.kill('SIGTERM');
  await first.ended;
  const database = new URL(connection).pathname.slice(1);
  await server.query('update schema_version set version = 9000, oldest_reader = 9000', [], database);
}

it.each([
  ['a wrong password', { password: 'wrong' }, /password/],
  ['a database that does not exist', { pathname: '/none' }, /does not exist/],
  ['a role that does not exist', { username: 'nobody' }, /password/],
  ['TLS, which the server does not have', { search: '?sslmode=verify-full' }, /SSL/],
])('%s is not waited for', async (_, parts, reason) => {
  await expectEnd(start(connectionWith(parts), DAY_LONG), reason);
});

it('a schema that is too new is not waited for', async () => {
  await makeSchemaTooNew();
  await expectEnd(start(connection, DAY_LONG), /schema version 9000/);
});

it('a server that goes away while the service starts is waited for', async () => {
  const first = start(connection);
  await written(first, 'out', /^listening on /);
  first.child.kill('SIGTERM');
  await first.ended;
  const database = new URL(connection).pathname.slice(1);
  const holder = new pg.Client({ connectionString: connection });
  holder.on('error', () => {});
  await holder.connect();
  // The store can be opened; what comes after that has to wait, and loses its connection.
  await holder.query('begin; lock table pools');
  const waiting = start(connection, { ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '3600' });
  await eventually(async () => {
    const rows = await server.query(
      `select 1 from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`,
      [database],
    );
    return rows.length > 0 ? true : undefined;
  });
  await server.kill();
  await expectStarting(waiting);
  await server.start();
  await written(waiting, 'out', /^listening on /);
});
