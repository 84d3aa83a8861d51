import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CopyProgress, copyStore } from '../../src/storage/copy/copy.ts';
import { compareKeys, TABLES } from '../../src/storage/copy/tables.ts';
import { lockDataDir } from '../../src/storage/sqlite/data-dir-lock.ts';
import { dump, inDatabase, makeFullStore, placeOf, tablesIn } from '../support/copy-stores.ts';
import { giveEventKey } from '../support/event-key.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Captured,
  spawnService,
  spawnZonewarden,
  startProcess,
  temporaryFolder,
} from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { inStoreOf, isOnPostgres, makeStore, storeOptions } from '../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
/** An embedded store, a place of the kind that the tests run on, and one more folder. */
let from: string;
let there: string;
let back: string;
beforeEach(() => {
  folder = temporaryFolder();
  from = join(folder.path, 'from');
  there = join(folder.path, 'there');
  back = join(folder.path, 'back');
});
afterEach(() => folder.remove());

const copy = (one: string, other: string) => runHere(['db', 'copy', one, other]);
const VERIFIED = /^copied \d+ projects, \d+ zones, .*: verified\n$/;

const embedded = (dataDir: string) => ({ dataDir, busyTimeoutMs: 1000, readTimeoutMs: 5000 });

const rowsIn = (contents: Readonly<Record<string, string>>) =>
  Object.values(contents).flatMap((text) => (text === '' ? [] : text.split('\n'))).length;

/** A data folder with an empty file. */
function emptyStore(): string {
  const empty = join(folder.path, 'empty');
  mkdirSync(empty);
  writeFileSync(join(empty, 'zonewarden.db'), '');
  return empty;
}

async function refusal(one: string, other: string): Promise<string> {
  const refused = await copy(one, other);
  expect(refused).toMatchObject({ status: 2, out: '' });
  expect(refused.err).toMatch(/^zonewarden: [^\n]+\n$/);
  return refused.err;
}

/** Keeps a copy into a store of the tests from being finished: one column changes there by itself. */
async function spoil(folder: string): Promise<() => Promise<unknown>> {
  const spoiled =
    "create trigger off after insert on zones begin update zones set email = 'off' where id = new.id; end";
  await makeStore(folder);
  if (!isOnPostgres()) {
    await inStoreOf(folder, spoiled);
    return () => inStoreOf(folder, 'drop trigger off');
  }
  await inStoreOf(
    folder,
    `create function off() returns trigger language plpgsql as $$ begin new.email := 'off'; return new; end $$`,
    'create trigger off before insert on zones for each row execute function off()',
  );
  return () => inStoreOf(folder, 'drop trigger off on zones', 'drop function off');
}

it('knows every table of the store', async () => {
  await makeFullStore(from, 1);
  expect(inDatabase(from, tablesIn).toSorted()).toEqual(TABLES.toSorted());
});

it('puts keys into the order in which both databases have them', async () => {
  await makeFullStore(from, 50);
  expect(await copy(from, placeOf(there))).toMatchObject({ status: 0 });
  const sql = 'select id from zones order by id';
  const ids = (await inStoreOf(there, sql)).map(({ id }) => id as string);
  expect(ids.toSorted(compareKeys)).toEqual(ids);
  const rows = inDatabase(from, (database) => database.prepare(sql).all()) as { id: string }[];
  expect(rows.map(({ id }) => id)).toEqual(ids);
});

it('takes a configuration file for a store, so that no password stands on the command line', async () => {
  await makeFullStore(from, 3);
  const file = join(folder.path, 'there.conf');
  const { ZONEWARDEN_DEFAULT__DATA_DIR, ZONEWARDEN_STORAGE__CONNECTION = '' } = storeOptions(there);
  writeFileSync(
    file,
    `data_dir = ${ZONEWARDEN_DEFAULT__DATA_DIR}\n[storage]\nconnection = ${ZONEWARDEN_STORAGE__CONNECTION}\n`,
  );
  expect(await copy(from, file)).toMatchObject({ status: 0, err: '' });
  expect(await copy(file, back)).toMatchObject({ status: 0, err: '' });
  expect(dump(back)).toEqual(dump(from));
  writeFileSync(file, 'data_dir = /nowhere\nstorage = postgresql\n');
  expect(await refusal(file, back)).toContain(`${file}, line 2: there is no option storage`);
});

it('there and back: every table is the same to the byte, whatever it holds', async () => {
  await makeFullStore(from, 1203);
  expect(await copy(from, placeOf(there))).toMatchObject({ status: 0, err: '' });
  const copied = await copy(placeOf(there), back);
  expect(copied).toMatchObject({ status: 0, err: '' });
  expect(copied.out).toMatch(VERIFIED);
  expect(copied.out).toContain(' 1203 zones, 1203 recordsets,');
  const original = dump(from);
  expect(rowsIn(original)).toBeGreaterThan(1203 * 9);
  expect(dump(back)).toEqual(original);
});

it('a store that a service has filled: verify finds nothing wrong with the copy, and a service goes on with it', async () => {
  const first = await startProcess({ dataDir: from, env: { ZONEWARDEN_STORAGE__CONNECTION: '' } });
  const admin = first.admin;
  expect((await first.create('one.example.', admin)).status).toBe(202);
  const described = { project_id: 'shop', roles: ['member'], description: 'Builds of the shop' };
  const made = await first.request('POST', '/v2/tokens', { token: admin, body: described });
  expect(made.status).toBe(201);
  const pattern = { pattern: '^evil\\.example\\.$' };
  expect((await first.request('POST', '/v2/blacklists', { token: admin, body: pattern })).status).toBe(201);
  await first.end();
  expect(await copy(from, placeOf(there))).toMatchObject({ status: 0, err: '' });
  copyFileSync(join(from, 'events.key'), giveEventKey(there));
  const verified = await runHere(['verify'], storeOptions(there));
  expect(verified).toMatchObject({ status: 0, err: '' });
  expect(verified.out).toContain('verified 1 zones, 2 recordsets,');
  const second = await startProcess({ dataDir: there });
  expect((await second.create('one.example.', admin)).status).toBe(409);
  expect((await second.create('evil.example.', admin)).status).toBe(400);
  expect((await second.create('two.example.', admin)).status).toBe(202);
  const { json: token } = await second.request('GET', `/v2/tokens/${made.json.id}`, { token: admin });
  expect(token.description).toBe('Builds of the shop');
  await second.end('SIGKILL');
});

describe('while it goes on', () => {
  const copyInto = (to: string, progress: Partial<CopyProgress>) =>
    copyStore(embedded(from), embedded(to), { begin: () => {}, advance: () => {}, ...progress });

  it('nobody writes to an embedded original, and no service starts on it, nor on the copy', async () => {
    await makeFullStore(from, 3);
    const ends = new Set<string>();
    const tryToWrite = () => {
      for (const place of [from, back]) {
        expect(() => lockDataDir(place)).toThrow(
          `Another zonewarden process is serving from ${place} or copying it.`,
        );
      }
      try {
        inDatabase(from, (database) => database.exec('pragma busy_timeout = 0; delete from zones'));
      } catch (error) {
        ends.add((error as Error).message);
      }
    };
    const original = dump(from);
    expect(await copyInto(back, { advance: tryToWrite })).toMatchObject({ kind: 'copied' });
    expect([...ends]).toEqual(['database is locked']);
    expect(dump(back)).toEqual(original);
  });

  it('a copy that has become another one is corrected once, and told of when it stays so', async () => {
    await makeFullStore(from, 3);
    let times = 1;
    const change = (verb: string) => {
      if (verb === 'copying' || times-- <= 0) return;
      inDatabase(back, (database) => database.exec("update zones set email = 'off' where rowid = 2"));
    };
    expect(await copyInto(back, { begin: change })).toMatchObject({ kind: 'copied', rows: { zones: 3 } });
    expect(dump(back)).toEqual(dump(from));
    times = 2;
    const again = await copyInto(join(folder.path, 'again'), {
      begin: (verb) => {
        if (verb === 'copying' || times-- <= 0) return;
        inDatabase(join(folder.path, 'again'), (database) =>
          database.exec('delete from zones where rowid > 2'),
        );
      },
    });
    expect(again).toMatchObject({ kind: 'differs', table: 'zones', key: expect.any(String) });
  });
});

/** More rows than a database has when it has just been migrated: gates and the default pool. */
const ROWS_OF_A_MIGRATION = 300;

describe('interrupted', () => {
  /** How many rows a copy has, the tables that are there when nothing is included. */
  async function rowsThere(): Promise<number> {
    const counts = TABLES.map((table) => `(select count(*) from ${table})`).join(' + ');
    const rows = await inStoreOf(there, `select ${counts} as rows`).catch(() => []);
    return Number(rows[0]?.rows ?? 0);
  }

  async function killWhen(process: Captured, rows: number): Promise<void> {
    const ended = process.ended.then(() => true as const);
    let hasEnded = false;
    void ended.then(() => {
      hasEnded = true;
    });
    await eventually(async () => (hasEnded || (await rowsThere()) >= rows ? true : undefined));
    process.child.kill('SIGKILL');
    await ended;
  }

  it('by kill -9, again and again: refused by everything until a last run has finished it; what changed is found', async () => {
    const inEach = 1000;
    await makeFullStore(from, inEach);
    const repair = await spoil(there);
    const total = rowsIn(dump(from));
    for (const part of [0.05, 0.3, 0.6]) {
      await killWhen(
        spawnZonewarden(['db', 'copy', from, placeOf(there)]),
        ROWS_OF_A_MIGRATION + total * part,
      );
      const refused = await runHere(['verify'], storeOptions(there));
      expect(refused).toMatchObject({ status: 2, out: '' });
      expect(refused.err).toMatch(/^zonewarden: [^\n]*unfinished copy[^\n]*\n$/);
      inDatabase(from, (database) => {
        // A name that moves to another zone, one that goes, one that comes, and a text that changes.
        database.exec(`
          update zones set name = 'taken' || name where rowid = 5 + ${inEach * part};
          delete from projects where rowid = 7 + ${inEach * part};
          update zones set name = name || '.moved' where rowid = 1;
          update zones set name = replace(name, '.moved', '') where rowid = 2;
          update recordsets set records = records || 'x' where rowid % 500 = 0;
          insert into api_tokens (id, hash, project_id, user_id, roles, created_at, expires_at, description)
            select 'new${part}', hash, project_id, user_id, roles, created_at, expires_at, description
            from api_tokens limit 1`);
      });
    }
    const spoiled = await copy(from, placeOf(there));
    expect(spoiled).toMatchObject({ status: 1, err: '' });
    expect(spoiled.out).toMatch(/^zones differs at "[^\n]+\n$/);
    await repair();
    const last = await copy(from, placeOf(there));
    expect(last).toMatchObject({ status: 0, err: '' });
    expect(last.out).toMatch(VERIFIED);
    expect(await copy(placeOf(there), back)).toMatchObject({ status: 0 });
    expect(dump(back)).toEqual(dump(from));
  });

  // A folder has no password.
  if (isOnPostgres()) {
    it('the password of the original is not told when it has changed', async () => {
      await makeFullStore(from, 3);
      const original = placeOf(there);
      const { password } = new URL(original);
      expect(await copy(from, original)).toMatchObject({ status: 0 });
      await spoil(back);
      const spoiled = await copy(original, placeOf(back));
      expect(spoiled).toMatchObject({ status: 1, err: '' });
      expect(spoiled.out).toContain('zones differs at ');
      expect(spoiled.out).not.toContain(password);
    });
  }

  it('an unfinished copy is no store: neither the service nor any command opens it, until it is finished', async () => {
    await makeFullStore(from, 3);
    const repair = await spoil(there);
    expect(await copy(from, placeOf(there))).toMatchObject({ status: 1 });
    const service = spawnService({ dataDir: there });
    const served = await service.ended;
    expect(served).toMatchObject({ status: 2, out: '' });
    for (const command of [['token', 'list'], ['verify'], ['blacklist', 'export']]) {
      expect(await runHere(command, storeOptions(there))).toEqual({ status: 2, out: '', err: served.err });
    }
    expect(await refusal(placeOf(there), back)).toBe(served.err);
    expect(served.err).toMatch(/^zonewarden: [^\n]*unfinished copy[^\n]*"zonewarden db copy"[^\n]*\n$/);
    await repair();
    expect(await copy(from, placeOf(there))).toMatchObject({ status: 0, err: '' });
    const exported = await runHere(['blacklist', 'export', '--jsonl'], storeOptions(there));
    expect(exported).toMatchObject({ status: 0, err: '' });
  });

  it('is gone on with from the same store alone', async () => {
    await makeFullStore(from, 3);
    await spoil(there);
    expect(await copy(from, placeOf(there))).toMatchObject({ status: 1 });
    await makeFullStore(back, 2);
    expect(await refusal(back, placeOf(there))).toContain(`contains an unfinished copy of ${from}`);
  });
});

describe('is refused with one line', () => {
  it('into a store that holds something, which stays as it is', async () => {
    await makeFullStore(from, 3);
    await makeStore(there);
    giveEventKey(there);
    const made = await runHere(
      ['token', 'create', '--project', 'p', '--role', 'member'],
      storeOptions(there),
    );
    expect(made.status).toBe(0);
    expect(await refusal(from, placeOf(there))).toContain('is not empty');
    const list = await runHere(['token', 'list'], storeOptions(there));
    expect(list).toMatchObject({ status: 0 });
    expect(list.out.trimEnd().split('\n')).toHaveLength(2);
  });

  it('while a service runs on either folder', async () => {
    await makeFullStore(from, 3);
    const service = await startProcess({ dataDir: back, env: { ZONEWARDEN_STORAGE__CONNECTION: '' } });
    expect(await refusal(back, placeOf(there))).toContain(
      `Another zonewarden process is serving from ${back}`,
    );
    expect(await refusal(from, back)).toContain(`Another zonewarden process is serving from ${back}`);
    await service.end('SIGKILL');
  });

  it.each([
    ['from a folder that holds no store', () => [back, placeOf(there)], 'There is no database'],
    ['from a URL of another kind', () => ['mysql://db.example/zones', placeOf(there)], 'A store is a folder'],
    ['from a file in which no store was made', () => [emptyStore(), placeOf(there)], 'contains no store'],
    ['into itself', () => [from, from], 'cannot be copied into itself'],
    [
      'into a server that nobody runs',
      () => [from, 'postgresql://me:secret@127.0.0.1:1/store'],
      'PostgreSQL at 127.0.0.1:1, database store cannot be used',
    ],
    ['from a URL that is none', () => ['postgresql://me:secret@@/', back], 'cannot be used'],
  ] as const)('%s', async (_, places, reason) => {
    await makeFullStore(from, 3);
    const [one, other] = places() as [string, string];
    const line = await refusal(one, other);
    expect(line).toContain(reason);
    expect(line).not.toContain('secret');
    expect(existsSync(back) ? readdirSync(back) : []).toEqual([]);
  });

  it('from a store that holds what the other one cannot hold, with the table', async () => {
    await makeFullStore(from, 3);
    await makeStore(there);
    const taken =
      "create trigger off after insert on zone_tasks begin select raise(abort, 'no room for it'); end";
    const notTaken = 'alter table zone_tasks add constraint off check (false)';
    await inStoreOf(there, isOnPostgres() ? notTaken : taken);
    expect(await refusal(from, placeOf(there))).toMatch(
      /The rows of zone_tasks from "[^\n]+ cannot be copied: /,
    );
  });

  it('from a store with a newer schema, of which it would leave something out', async () => {
    await makeFullStore(from, 3);
    inDatabase(from, (database) =>
      database.exec('update schema_version set version = 99, oldest_reader = 1'),
    );
    expect(await refusal(from, placeOf(there))).toContain('has schema version 99');
  });
});
