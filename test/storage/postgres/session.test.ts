import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConnectionLost } from '../../../src/storage/database/postgres-failure.ts';
import { PostgresSession } from '../../../src/storage/postgres/session.ts';
import { until } from '../../support/eventually.ts';
import { temporaryFolder } from '../../support/process.ts';
import { storeOptions } from '../../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
let client: pg.Client;
let session: PostgresSession;
beforeEach(async () => {
  folder = temporaryFolder();
  const connectionString = storeOptions(folder.path).ZONEWARDEN_STORAGE__CONNECTION!;
  client = new pg.Client({ connectionString, pipeline: true });
  await client.connect();
  await client.query('create table rows (number integer primary key)');
  session = new PostgresSession(client);
});
afterEach(async () => {
  await client.end();
  folder.remove();
});

const insert = (number: number) => sql`insert into rows values (${number})`;
/** Inserts a row, and nobody waits for it. */
const later = (number: number) => session.later(insert(number).compile(session.now));
const stored = async () =>
  (await client.query('select number from rows order by number')).rows.map((row) => row.number);

describe('a transaction', () => {
  it('commits what was written, in the order in which it was executed', async () => {
    session.begin();
    later(1);
    const { rows } = await sql`select count(*)::int as count from rows`.execute(session.now);
    later(2);
    await session.commit();
    expect(rows).toEqual([{ count: 1 }]);
    expect(await stored()).toEqual([1, 2]);
  });

  it('commits nothing where a write that nobody waited for has failed, and tells why', async () => {
    session.begin();
    later(1);
    later(1);
    later(2);
    await expect(session.commit()).rejects.toMatchObject({ code: '23505' });
    await session.rollback();
    expect(await stored()).toEqual([]);
  });

  it('outlasts the limit of idle transactions while its process works', async () => {
    await client.query('set idle_in_transaction_session_timeout = 4000');
    const other = new pg.Client({
      connectionString: storeOptions(folder.path).ZONEWARDEN_STORAGE__CONNECTION!,
    });
    await other.connect();
    session.begin();
    later(1);
    const { rows } = await client.query('select pg_backend_pid() as pid');
    const begun =
      'select query from pg_stat_activity where pid = $1 and xact_start < now() - interval $$5 s$$';
    await until(async () =>
      expect((await other.query(begun, [rows[0].pid])).rows).toEqual([{ query: 'select 1' }]),
    );
    await other.end();
    await session.commit();
    expect(await stored()).toEqual([1]);
  });

  it('leaves nothing open where the failure is known before the commit', async () => {
    session.begin();
    later(1);
    later(1);
    await expect(sql`select 1`.execute(session.now)).rejects.toMatchObject({ code: '23505' });
    await expect(session.commit()).rejects.toMatchObject({ code: '23505' });
    session.begin();
    await insert(2).execute(session.now);
    await session.commit();
    expect(await stored()).toEqual([2]);
  });

  it('is known not to be committed where the connection was lost before', async () => {
    client.on('error', () => {});
    session.begin();
    await insert(1).execute(session.now);
    const other = new pg.Client({
      connectionString: storeOptions(folder.path).ZONEWARDEN_STORAGE__CONNECTION!,
    });
    await other.connect();
    const { rows } = await client.query('select pg_backend_pid() as pid');
    const ended = new Promise((resolve) => client.once('end', resolve));
    await other.query('select pg_terminate_backend($1)', [rows[0].pid]);
    await ended;
    await expect(session.commit()).rejects.toBeInstanceOf(ConnectionLost);
    expect((await other.query('select number from rows')).rows).toEqual([]);
    await other.end();
  });

  it('tells whoever reads on of the first failure, not of those that follow from it', async () => {
    session.begin();
    later(1);
    later(1);
    await expect(sql`select 1`.execute(session.now)).rejects.toMatchObject({ code: '23505' });
    await session.rollback();
  });

  it('that does not begin writes nothing', async () => {
    session.begin('of no such kind');
    later(1);
    await expect(insert(2).execute(session.now)).rejects.toMatchObject({ code: '42601' });
    await expect(session.commit()).rejects.toMatchObject({ code: '42601' });
    expect(await stored()).toEqual([]);
  });

  it('that is taken back before it is known to have begun writes nothing', async () => {
    session.begin();
    later(1);
    await session.rollback();
    expect(await stored()).toEqual([]);
    session.begin();
    await insert(2).execute(session.now);
    await session.commit();
    expect(await stored()).toEqual([2]);
  });

  it('prepares no text that is as long as its list of values: of those there is no end', async () => {
    session.begin();
    const values = sql.join(Array.from({ length: 500 }, (_, number) => sql`(${number})`));
    await sql`insert into rows values ${values}`.execute(session.now);
    await sql`select number from rows where number = ${7}`.execute(session.now);
    await session.commit();
    expect(await stored()).toHaveLength(500);
    const { rows } = await client.query(
      `select statement from pg_prepared_statements where name like 'zw_%'`,
    );
    expect(rows).toEqual([{ statement: 'select number from rows where number = $1' }]);
  });

  it('leaves nothing of its failure to the next one', async () => {
    session.begin();
    await expect(sql`select nothing`.execute(session.now)).rejects.toMatchObject({ code: '42703' });
    await session.rollback();
    session.begin();
    await insert(3).execute(session.now);
    await session.commit();
    expect(await stored()).toEqual([3]);
  });

  it('sees what was committed since it began, whatever the database is set to', async () => {
    await client.query('set default_transaction_isolation to serializable');
    const other = new pg.Client({
      connectionString: storeOptions(folder.path).ZONEWARDEN_STORAGE__CONNECTION!,
    });
    await other.connect();
    session.begin();
    await sql`select number from rows`.execute(session.now);
    await other.query('insert into rows values (7)');
    const { rows } = await sql`select number from rows`.execute(session.now);
    await session.commit();
    await other.end();
    expect(rows).toEqual([{ number: 7 }]);
  });

  it('whose connection ends amid its commit has an unknown outcome', async () => {
    client.on('error', () => {});
    session.begin();
    await insert(1).execute(session.now);
    const commit = session.commit();
    client.connection.stream.destroy();
    await expect(commit).rejects.toMatchObject({
      name: 'Error',
      message: 'The connection was lost during a commit.',
    });
  });
});
