/** What goes wrong behind PgBouncer: statements of others, a server that is not there, an account that is refused. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPooler } from '../../support/postgres/binaries.ts';
import { type Pooler, startPooler } from '../../support/postgres/pgbouncer.ts';
import { expectSound, type Served, serveOn } from '../../support/postgres/served.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts';
import { type Answer, type Captured, spawnService, temporaryFolder, written } from '../../support/process.ts';

const installed = findPooler()!;
/** For what has to succeed, however slow the machine is. */
const ROOMY = {
  ZONEWARDEN_STORAGE__POOL_TIMEOUT: '60',
  ZONEWARDEN_STORAGE__STATEMENT_TIMEOUT: '60',
  ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '60',
};
const OFF = { ZONEWARDEN_STORAGE__PREPARED_STATEMENTS: 'off' };
const WITHOUT = { max_prepared_statements: installed.knowsPreparedStatements ? 0 : undefined };

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off', wal_init_zero: 'off' } });
});
afterAll(() => server.remove());

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();
const range = (count: number) => Array.from({ length: count }, (_, number) => number);

describe('a PgBouncer that keeps no prepared statements', () => {
  let pooler: Pooler;
  let served: Served | undefined;
  beforeAll(async () => {
    pooler = await startPooler(server, installed, WITHOUT);
  });
  afterAll(() => pooler.remove());
  afterEach(() => served?.remove());

  /** How many statements are prepared on the connections that the pooler shares. */
  async function preparedStatements(connection: string): Promise<number> {
    const client = new pg.Client({ connectionString: pooler.through(connection) });
    await client.connect();
    let count = 0;
    for (let asked = 0; asked < 10; asked++) {
      const { rows } = await client.query('select count(*)::int as count from pg_prepared_statements');
      count += rows[0].count;
    }
    await client.end();
    return count;
  }

  it('is given none, by the option', async () => {
    served = await serveOn(server, { through: pooler, env: { ...ROOMY, ...OFF } });
    expect(new Set(statuses(await Promise.all(range(20).map(() => served!.create()))))).toEqual(
      new Set([202]),
    );
    expect(await preparedStatements(served.connection)).toBe(0);
  });

  it('confuses the statements of two sessions without the option, and the service gives them up', async () => {
    served = await serveOn(server, {
      through: pooler,
      env: { ...ROOMY, ZONEWARDEN_STORAGE__POOL_SIZE: '8' },
    });
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(range(30).map(() => served!.create()));
      expect(new Set(statuses(answers))).toEqual(new Set([202]));
    }
    expect(server.log).toMatch(/prepared statement "zw_[^"]+" (already exists|does not exist)/);
    await expectSound(served);
  });
});

describe('a start through PgBouncer', () => {
  let pooler: Pooler;
  let folder: ReturnType<typeof temporaryFolder>;
  let service: Captured;
  beforeEach(async () => {
    pooler = await startPooler(server, installed, { ...WITHOUT, server_login_retry: 1 });
    folder = temporaryFolder();
  });
  afterEach(async () => {
    service.child.kill('SIGKILL');
    await service.ended;
    await pooler.remove();
    folder.remove();
  });

  function start(connection: string): Captured {
    const env = {
      ...OFF,
      ZONEWARDEN_STORAGE__CONNECTION: pooler.through(connection),
      ZONEWARDEN_STORAGE__START_TIMEOUT: '86400',
    };
    service = spawnService({ dataDir: folder.path, env });
    return service;
  }

  it('waits for the server behind it', async () => {
    const connection = await server.createDatabase();
    await server.stop();
    start(connection);
    await written(service, 'err', /waiting for the database/);
    await server.start();
    await written(service, 'out', /^listening on /);
  });

  it.each([
    ['a password that PgBouncer refuses', { password: 'wrong' }, /password|auth/],
    ['a role that PgBouncer does not know', { username: 'nobody' }, /password|auth|no such user/],
    ['a database that the server does not have', { pathname: '/none' }, /does not exist/],
  ])('does not wait for %s', async (_, parts, reason) => {
    start(Object.assign(new URL(await server.createDatabase()), parts).href);
    const { status, out, err } = await service.ended;
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^zonewarden: [^\n]+\n$/);
    expect(err).toMatch(reason);
  });
});
