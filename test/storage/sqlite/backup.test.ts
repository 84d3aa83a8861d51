import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backUp } from '../../../src/storage/sqlite/backup.ts';
import { createZones } from '../../support/create-zones.ts';
import { eventually, until } from '../../support/eventually.ts';
import {
  commandsOn,
  PROGRAM,
  run,
  spawnZonewarden,
  startProcess,
  temporaryFolder,
} from '../../support/process.ts';
import { runHere } from '../../support/run-here.ts';
import { makeStoreOf, storeOptions } from '../../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  dataDir = join(folder.path, 'data');
  file = join(folder.path, 'backup.db');
});
afterEach(() => folder.remove());

const zonewarden = (...args: readonly string[]) => runHere(args, storeOptions(dataDir));

async function makeStore(patterns = 5): Promise<void> {
  await makeStoreOf(storeOptions(dataDir));
  const list = join(folder.path, 'list');
  writeFileSync(
    list,
    Array.from({ length: patterns }, (_, number) => `^name${number}\\.example\\.$`).join('\n'),
  );
  expect(await zonewarden('blacklist', 'import', list)).toMatchObject({ status: 0 });
  rmSync(list);
}

/** What is in the folder of the backup beside the data folder. */
const made = () => readdirSync(folder.path).filter((name) => name !== 'data');

it('under a constant write load: ends, holds all that was acknowledged before, and can be restored', async () => {
  await makeStore(20_000);
  const env = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };
  const service = await startProcess({ dataDir, env });
  const clients = ['a', 'b', 'c', 'd'].map((prefix) => createZones(service, prefix));
  const acknowledged = () => clients.flatMap((client) => client.acknowledged);
  try {
    await until(() => expect(acknowledged().length).toBeGreaterThan(100));
    const before = acknowledged();
    const backup = await commandsOn(dataDir)(['db', 'backup', file]);
    expect(backup).toMatchObject({ status: 0, err: '' });
    expect(backup.out).toBe(`backed up to ${file}: ${statSync(file).size} bytes\n`);
    await Promise.all(clients.map((client) => client.stop()));
    expect(acknowledged().length).toBeGreaterThan(before.length);

    const restored = join(folder.path, 'restored');
    mkdirSync(restored, { mode: 0o700 });
    copyFileSync(file, join(restored, 'zonewarden.db'));
    copyFileSync(join(dataDir, 'events.key'), join(restored, 'events.key'));
    const verified = await commandsOn(restored)(['verify'], { env });
    expect(verified).toMatchObject({ status: 0, err: '' });
    expect(verified.out).toContain(' 20000 blacklists,');
    const database = new DatabaseSync(join(restored, 'zonewarden.db'));
    const names = database.prepare('select name from zones').all() as { name: string }[];
    database.close();
    const kept = new Set(names.map(({ name }) => name));
    expect(before.filter((name) => !kept.has(name))).toEqual([]);

    const other = await startProcess({ dataDir: restored, env });
    expect((await other.create(before[0]!, service.admin)).status).toBe(409);
    expect((await other.create('new.example.', service.admin)).status).toBe(202);
    await other.end('SIGKILL');
  } finally {
    await service.end('SIGKILL');
  }
});

it('is of the moment at which it began: what others write meanwhile is not in it, and does not begin it anew', async () => {
  await makeStore(20_000);
  const signal = new AbortController().signal;
  const done = backUp({ dataDir, file, replaces: false, signal, progress: () => {} });
  const writer = new DatabaseSync(join(dataDir, 'zonewarden.db'));
  for (let number = 1; number <= 100; number++) {
    writer.exec(
      `pragma synchronous = off; insert into projects (project_id, zones, recordsets) values ('p${number}', 0, 0)`,
    );
  }
  writer.close();
  await done;
  const copy = new DatabaseSync(file);
  expect(copy.prepare('select project_id from projects').all()).toEqual([]);
  copy.close();
});

it('leaves nothing behind when it is interrupted', async () => {
  await makeStore(20_000);
  const interruption = new AbortController();
  const { signal } = interruption;
  const done = backUp({ dataDir, file, replaces: false, signal, progress: () => {} });
  expect(made()).toContainEqual(expect.stringMatching(/^backup\.db\.[0-9a-f]+\.part$/));
  interruption.abort();
  await expect(done).rejects.toThrow();
  expect(made()).toEqual([]);
});

it('leaves no partial file behind when a signal ends the command', async () => {
  await makeStore(20_000);
  const { child, ended } = spawnZonewarden(['db', 'backup', file], storeOptions(dataDir));
  await eventually(() => (made().length > 0 ? true : undefined));
  child.kill('SIGINT');
  expect((await ended).err).toBe('');
  // A quick machine may have been done already.
  expect(made().filter((name) => name !== 'backup.db')).toEqual([]);
});

it('is one file for its owner alone, with nothing beside it', async () => {
  await makeStore();
  expect(await zonewarden('db', 'backup', file)).toMatchObject({ status: 0 });
  expect(made()).toEqual(['backup.db']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // Neither of the two bytes says that a write-ahead log belongs to it.
  expect([...readFileSync(file).subarray(18, 20)]).toEqual([1, 1]);
});

it('leaves the schema of an older store as it is', async () => {
  await makeStore();
  const older = 'update schema_version set version = 1';
  const database = new DatabaseSync(join(dataDir, 'zonewarden.db'));
  database.exec(older);
  database.close();
  expect(await zonewarden('db', 'backup', file)).toMatchObject({ status: 0 });
  for (const path of [file, join(dataDir, 'zonewarden.db')]) {
    const copy = new DatabaseSync(path);
    expect(copy.prepare('select version from schema_version').all()).toEqual([{ version: 1 }]);
    copy.close();
  }
});

it('replaces a file when that is asked for, and not otherwise', async () => {
  await makeStore();
  writeFileSync(file, 'precious');
  const refused = await zonewarden('db', 'backup', file);
  expect(refused).toMatchObject({ status: 2, out: '' });
  expect(refused.err).toBe(
    `zonewarden: ${file} already exists. Name another file, or replace it with --force.\n`,
  );
  expect(readFileSync(file, 'utf8')).toBe('precious');
  expect(await zonewarden('db', 'backup', file, '--force')).toMatchObject({ status: 0, err: '' });
  expect(readFileSync(file, 'latin1')).toMatch(/^SQLite format 3/);
  expect(made()).toEqual(['backup.db']);
});

describe('refuses with one line, and leaves everything as it is:', () => {
  it.each([
    ['standard output', () => '-', 'Name a file.'],
    ['a folder', () => folder.path, 'is a folder'],
    [
      'a folder that is not there',
      () => join(folder.path, 'nowhere', 'backup.db'),
      'no such file or directory',
    ],
    ['a file as a folder', () => join(dataDir, 'zonewarden.db', 'backup.db'), 'not a directory'],
    ['the database itself', () => join(dataDir, 'zonewarden.db'), 'is a file of the store itself'],
    ['the key of the events', () => join(dataDir, 'events.key'), 'is a file of the store itself'],
    ['its log', () => join(dataDir, '..', 'data', 'zonewarden.db-wal'), 'is a file of the store itself'],
    ['a device', () => '/dev/null', 'is not a regular file'],
  ])('%s', async (_, place, reason) => {
    await makeStore();
    const refused = await zonewarden('db', 'backup', place(), '--force');
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toMatch(/^zonewarden: [^\n]+\n$/);
    expect(refused.err).toContain(reason);
    expect(made()).toEqual([]);
    expect(await zonewarden('verify')).toMatchObject({ status: 0 });
  });

  it('a store on PostgreSQL, which has a program of its own for it', async () => {
    const env = { ZONEWARDEN_STORAGE__CONNECTION: 'postgresql://nobody@127.0.0.1:1/nothing' };
    const refused = await runHere(['db', 'backup', file], { ...storeOptions(dataDir), ...env });
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toMatch(/^zonewarden: [^\n]*pg_dump[^\n]*docs\/operations\.md[^\n]*\n$/);
    expect(made()).toEqual([]);
  });

  it('a name beside which the log of another database lies', async () => {
    await makeStore();
    writeFileSync(`${file}-wal`, 'x');
    const refused = await zonewarden('db', 'backup', file);
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toContain(`${file}-wal exists:`);
    expect(made()).toEqual(['backup.db-wal']);
  });

  it('a data folder without a database, which is not made', async () => {
    mkdirSync(dataDir);
    const refused = await zonewarden('db', 'backup', file);
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toContain('There is no database');
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('a database that is none', async () => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'zonewarden.db'), 'garbage '.repeat(1000));
    const refused = await zonewarden('db', 'backup', file);
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toMatch(/^zonewarden: [^\n]*not a database[^\n]*\n$/);
    expect(made()).toEqual([]);
  });

  it('a database whose pages do not belong together', async () => {
    await makeStore(3000);
    const database = join(dataDir, 'zonewarden.db');
    const bytes = readFileSync(database);
    const middle = Math.floor(bytes.length / 4096 / 2) * 4096;
    bytes.fill(0xa5, middle, middle + 4096);
    writeFileSync(database, bytes);
    const refused = await zonewarden('db', 'backup', file);
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toContain('The copy is corrupt');
    expect(made()).toEqual([]);
  });

  it('a disk without room for it', async () => {
    await makeStore(3000);
    const limited = ['prlimit', '--fsize=65536', process.execPath, PROGRAM, 'db', 'backup', file];
    const refused = await run(limited, { env: storeOptions(dataDir) });
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toMatch(/^zonewarden: [^\n]+ cannot be created: [^\n]+\n$/);
    expect(made()).toEqual([]);
  });

  it('a folder that it may not write to', async () => {
    await makeStore();
    const closed = join(folder.path, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o500);
    // Root may write anywhere, unless it gives that right up.
    const command = [process.execPath, PROGRAM, 'db', 'backup', join(closed, 'backup.db')];
    const as =
      process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'] : [];
    const refused = await run([...as, ...command], { env: storeOptions(dataDir) });
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toMatch(/^zonewarden: [^\n]+ cannot be created: EACCES[^\n]+\n$/);
    expect(readdirSync(closed)).toEqual([]);
  });
});
