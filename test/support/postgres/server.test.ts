import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isStopped, processesOf } from './keeper.ts';
import { type PostgresServer, startPostgres, startStandby } from './server.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.remove());

async function ask(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

it('gives databases of their own to a role that is no superuser', async () => {
  const url = await server.createDatabase();
  expect(await ask(url, 'show is_superuser')).toEqual([{ is_superuser: 'off' }]);
  await ask(url, 'create table kept (n int)');
  await ask(url, 'insert into kept values (1)');
  expect(await ask(url, 'select n from kept')).toEqual([{ n: 1 }]);
});

it('sorts otherwise than by code point, unless a statement says so', async () => {
  const words = `select w from (values ('B'), ('a')) v(w) order by w`;
  expect(await server.query(words)).toEqual([{ w: 'a' }, { w: 'B' }]);
  expect(await server.query(`${words} collate "C"`)).toEqual([{ w: 'B' }, { w: 'a' }]);
});

it('starts again after its postmaster was killed, on the same port, with what was committed', async () => {
  const url = await server.createDatabase();
  await ask(url, 'create table kept (n int)');
  const client = new pg.Client({ connectionString: url });
  const broken = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  for (let round = 1; round <= 3; round++) {
    await server.kill('SIGKILL');
    await server.start();
    await ask(url, `insert into kept values (${round})`);
  }
  await broken;
  expect(await ask(url, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

it('stands still while it is paused, and goes on after it', async () => {
  const url = await server.createDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await server.pause();
  const answer = client.query('select 1 as one');
  const processes = processesOf(server.dataDir);
  expect(processes.length).toBeGreaterThan(2);
  expect(processes.filter((pid) => !isStopped(pid))).toEqual([]);
  server.resume();
  expect((await answer).rows).toEqual([{ one: 1 }]);
  await client.end();
});

it('changes settings while it runs', async () => {
  await server.configure({ statement_timeout: '7s' });
  expect(await server.query('show statement_timeout')).toEqual([{ statement_timeout: '7s' }]);
  await server.configure({ statement_timeout: 0 });
});

it('has a standby, with all that the primary acknowledged, that can be promoted when the primary is killed', async () => {
  const primary = await startPostgres();
  const standby = await startStandby(primary);
  await primary.configure({ synchronous_standby_names: '*' });
  const url = await primary.createDatabase('kept');
  await ask(url, 'create table kept as select generate_series(1, 1000) as n');
  expect(await standby.query('select pg_is_in_recovery() as is_standby')).toEqual([{ is_standby: true }]);
  await primary.kill('SIGKILL');
  await standby.promote();
  await ask(standby.url('kept'), 'insert into kept values (1001)');
  expect(await ask(standby.url('kept'), 'select count(*)::int from kept')).toEqual([{ count: 1001 }]);
  await Promise.all([primary.remove(), standby.remove()]);
});

/** The shared memory that the system keeps for a server, as the server itself has noted it. */
function segmentOf({ dataDir }: PostgresServer): string {
  const noted = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[6]!;
  return noted.trim().split(/\s+/)[1]!;
}

const segments = () =>
  readFileSync('/proc/sysvipc/shm', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/)[1]);

it('leaves nothing behind when it is removed, running, paused or killed', async () => {
  for (const leave of ['run', 'pause', 'kill'] as const) {
    const other = await startPostgres();
    if (leave === 'pause') await other.pause();
    if (leave === 'kill') await other.kill();
    const segment = segmentOf(other);
    expect(segments()).toContain(segment);
    await other.remove();
    expect(processesOf(other.dataDir)).toEqual([]);
    expect(existsSync(dirname(other.dataDir))).toBe(false);
    expect(segments()).not.toContain(segment);
  }
});
