/** The service behind PgBouncer in transaction mode, where each transaction may get another connection of the server. */

import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually, until } from '../../support/eventually.ts';
import { findPooler } from '../../support/postgres/binaries.ts';
import { CountingProxy } from '../../support/postgres/counting-proxy.ts';
import { type Pooler, startPooler } from '../../support/postgres/pgbouncer.ts';
import {
  expectSound,
  expectUnavailable,
  newName,
  type Served,
  serveOn,
} from '../../support/postgres/served.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts';
import type { Answer } from '../../support/process.ts';
import { runHere } from '../../support/run-here.ts';

const installed = findPooler()!;
/** For what has to succeed, however slow the machine is. */
const ROOMY = {
  ZONEWARDEN_STORAGE__POOL_TIMEOUT: '60',
  ZONEWARDEN_STORAGE__STATEMENT_TIMEOUT: '60',
  ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '60',
};
const OFF = { ZONEWARDEN_STORAGE__PREPARED_STATEMENTS: 'off' };
const WITHOUT = { max_prepared_statements: installed.knowsPreparedStatements ? 0 : undefined };

/** What an operator may choose, by what the version knows. */
const MODES = [
  ...(installed.knowsPreparedStatements
    ? [{ mode: 'that keeps prepared statements', settings: { max_prepared_statements: 100 }, env: {} }]
    : []),
  { mode: 'that keeps none, by the option prepared_statements', settings: WITHOUT, env: OFF },
];

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off', wal_init_zero: 'off' } });
  // What each transaction has to set for itself.
  await server.query('alter role zonewarden set synchronous_commit = off');
  await server.query('alter role zonewarden set client_min_messages = error');
});
afterAll(() => server.remove());

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();
const range = (count: number) => Array.from({ length: count }, (_, number) => number);

describe.each(MODES)('a PgBouncer $mode', ({ settings, env }) => {
  let pooler: Pooler;
  let served: Served;
  let second: Served;

  const serve = (connection?: string, more: Readonly<Record<string, string>> = {}) =>
    serveOn(server, {
      ...(connection === undefined ? {} : { connection }),
      through: pooler,
      env: { ...ROOMY, ...env, ...more },
    });

  beforeAll(async () => {
    pooler = await startPooler(server, installed, settings);
  });
  afterAll(() => pooler.remove());
  // Both begin on an empty database, which the first one there migrates.
  beforeEach(async () => {
    const connection = await server.createDatabase();
    served = await serve(connection);
    second = await serve(connection);
  });
  afterEach(async () => {
    await served.remove();
    await second.remove();
  });

  const create = (process: Served, name = newName()) => process.service.create(name, served.service.admin);
  const onBoth = (count: number, name?: string) =>
    Promise.all(range(count).map((number) => create(number % 2 === 0 ? served : second, name)));
  const throughPooler = (...args: string[]) =>
    runHere(args, {
      ...env,
      ZONEWARDEN_STORAGE__CONNECTION: pooler.through(served.connection),
      ZONEWARDEN_EVENTS__KEY_FILE: served.keyFile,
    });
  /** What the log says of the requests that failed. */
  const reasons = () => {
    const failed = served.service.log.filter(({ msg }) => msg === 'request failed');
    return failed.map(({ err }) => (err as { message: string }).message);
  };

  /** How many requests failed: of failures of one kind within a second, the log has one line. */
  const failures = () => {
    const failed = served.service.log.filter(({ msg }) => msg === 'request failed');
    return failed.reduce((sum, { left_out: others = 0 }) => sum + 1 + Number(others), 0);
  };

  it('serves the creates of many clients on two processes, and a store that is whole', async () => {
    for (let round = 0; round < 3; round++)
      expect(new Set(statuses(await onBoth(40)))).toEqual(new Set([202]));
    expect((await served.list()).json.metadata.total_count).toBe(120);
    await expectSound(served);
  });

  it('lets one of many create a zone of one name', async () => {
    for (let round = 0; round < 5; round++) {
      expect(statuses(await onBoth(10, newName()))).toEqual([202, ...Array(9).fill(409)]);
    }
  });

  it('lets exactly as many creates succeed as the quota has room for', async () => {
    const token = served.service.admin;
    const body = { zones: 17 };
    expect((await served.service.request('PATCH', '/v2/quotas/admin', { token, body })).status).toBe(200);
    expect(statuses(await onBoth(40))).toEqual([...Array(17).fill(202), ...Array(23).fill(413)]);
  });

  it('refuses a name on both processes once its pattern is stored', async () => {
    const token = served.service.admin;
    for (let round = 0; round < 5; round++) {
      const body = { pattern: String.raw`\.round${round}\.org\.$` };
      expect((await second.service.request('POST', '/v2/blacklists', { token, body })).status).toBe(201);
      expect(new Set(statuses(await onBoth(6, `www.round${round}.org.`)))).toEqual(new Set([400]));
    }
  });

  it('imports and exports a zone', async () => {
    const hosts = range(2000).map((number) => `h${number} 300 IN A 192.0.2.${number % 250}\n`);
    const file = `$ORIGIN imported.example.\n@ 300 IN SOA ns admin 1 3600 600 86400 300\n${hosts.join('')}`;
    const token = served.service.admin;
    const quota = { zone_recordsets: -1, zone_records: -1 };
    await served.service.request('PATCH', '/v2/quotas/admin', { token, body: quota });
    const headers = { 'content-type': 'text/dns' };
    const imported = await served.service.request('POST', '/v2/zones/tasks/imports', {
      token,
      body: file,
      headers,
    });
    expect(imported.json).toMatchObject({ status: 'COMPLETE' });
    const path = `/v2/zones/${imported.json.zone_id}/recordsets?limit=1`;
    const { json } = await second.service.request('GET', path, { token });
    expect(json.metadata.total_count).toBe(2002);
    await expectSound(served);
  });

  it('serves commands: a token, a list of patterns, a check of the whole store', async () => {
    const { status, out } = await throughPooler('token', 'create', '--project', 'admin', '--role', 'admin');
    expect(status).toBe(0);
    expect((await create(second)).status).toBe(202);
    expect((await second.service.create(newName(), out.trim())).status).toBe(202);
    expect((await throughPooler('verify')).status).toBe(0);
  });

  it('shares connections without leaving a setting on one of them', async () => {
    await onBoth(20);
    await Promise.all(range(10).map(() => served.list()));
    const other = new pg.Client({ connectionString: pooler.through(served.connection) });
    await other.connect();
    const seen = new Map<unknown, unknown>();
    for (let asked = 0; asked < 30; asked++) {
      const { rows } = await other.query(
        `select pg_backend_pid() as pid, concat_ws(' ', current_setting('statement_timeout'),
          current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout'),
          current_setting('client_min_messages'), current_setting('synchronous_commit')) as settings`,
      );
      seen.set(rows[0].pid, rows[0].settings);
    }
    await other.end();
    expect(seen.size).toBeGreaterThan(1);
    expect(new Set(seen.values())).toEqual(new Set(['0 0 0 error off']));
  });

  it('knows the time-outs of reads and writes, and of a write with an idempotency key', async () => {
    const token = served.service.admin;
    await served.remove();
    served = await serve(second.connection, {
      ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '1',
      ZONEWARDEN_STORAGE__STATEMENT_TIMEOUT: '30',
    });
    expect((await served.service.create(newName(), token)).status).toBe(202);
    const holder = new pg.Client({ connectionString: served.connection });
    await holder.connect();
    await holder.query('begin');
    await holder.query(`select * from projects where project_id = 'admin' for update`);
    const body = { name: newName(), email: 'a@example.org' };
    const headers = { 'idempotency-key': 'k' };
    expectUnavailable(await served.service.request('POST', '/v2/zones', { token, body, headers }));
    expectUnavailable(await served.service.create(newName(), token));
    await holder.query('lock table zones');
    expectUnavailable(await served.service.request('GET', '/v2/zones', { token }));
    await holder.end();
    // busy_timeout, which is shorter than the time-out of statements.
    await until(() => expect(failures()).toBeGreaterThanOrEqual(3));
    for (const reason of reasons()) expect(reason).toContain('lock timeout');
    expect((await served.service.create(newName(), token)).status).toBe(202);
  });

  it('reports a commit that no standby confirms as one of unknown outcome', async () => {
    await create(served);
    await server.configure({ synchronous_standby_names: 'none_of_this_name' });
    const creating = create(served);
    await eventually(async () => {
      const waiting = await server.query(
        `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
      );
      return waiting.length > 0 ? true : undefined;
    });
    const answer = await creating;
    await server.configure({ synchronous_standby_names: '' });
    expectUnavailable(answer);
    expect(answer.json.message).toMatch(/may or may not have been made/);
  });

  it('goes on when columns are added under load', async () => {
    const migration = new pg.Client({ connectionString: served.connection });
    await migration.connect();
    for (let round = 0; round < 3; round++) {
      const answers = onBoth(40);
      for (const table of ['zones', 'projects', 'recordsets', 'api_tokens']) {
        await migration.query(`alter table ${table} add column later_${round} text not null default ''`);
      }
      expect(new Set(statuses(await answers))).toEqual(new Set([202]));
    }
    await migration.end();
    await expectSound(served);
  });

  it('takes the round trips that a create and a read take without it', async () => {
    const proxy = new CountingProxy();
    const connection = await proxy.start(pooler.through(served.connection));
    const counted = await serveOn(server, { connection, env });
    const token = served.service.admin;
    const make = () => counted.service.create(newName(), token);
    for (let warm = 0; warm < 4; warm++) await make();
    const creates = await proxy.fewestTrips(3, async () => {
      expect((await make()).status).toBe(202);
    });
    expect(creates).toBe(3);
    const { json } = await make();
    const reads = await proxy.fewestTrips(2, async () => {
      const answer = await counted.service.request('GET', `/v2/zones/${json.id}`, { token });
      expect(answer.status).toBe(200);
    });
    expect(reads).toBe(2);
    await counted.remove();
    proxy.stop();
  });
});
