import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_TERMS } from '../../../src/model/blacklists/blacklist.ts';
import type { Store } from '../../../src/model/store.ts';
import { openStore } from '../../../src/storage/open.ts';
import { commandReads } from '../../../src/storage/sqlite/command-reads.ts';
import { SqliteConnection } from '../../../src/storage/sqlite/connection.ts';
import { databaseOver } from '../../../src/storage/sqlite/open.ts';
import { storeOver } from '../../../src/storage/store.ts';
import { temporaryFolder } from '../../support/process.ts';

const TIMEOUTS = { busyTimeoutMs: 1000, readTimeoutMs: 5000 };

let folder: ReturnType<typeof temporaryFolder>;
let writing: DatabaseSyncInstance;
let store: Store;
beforeEach(async () => {
  folder = temporaryFolder();
  await (await openStore({ dataDir: folder.path, ...TIMEOUTS })).close();
  const file = join(folder.path, 'zonewarden.db');
  const open = () => new SqliteConnection(new DatabaseSync(file));
  // The connection that writes may not let the file grow: SQLite answers as it does when the disk is full.
  writing = new DatabaseSync(file);
  writing.exec('pragma max_page_count = 1');
  store = storeOver(
    databaseOver(
      {
        file,
        reader: open(),
        writer: new SqliteConnection(writing),
        open,
        long: commandReads(file, TIMEOUTS.readTimeoutMs),
      },
      TIMEOUTS,
    ),
  );
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

/** A pattern that takes more than a page, under a project's counter. */
function write(number: number): Promise<void> {
  return store.transaction(async (tx) => {
    tx.projects.grow('shop', { zones: 1 });
    await tx.blacklists.insert(
      {
        id: `id${number}`,
        pattern: `${number}${'x'.repeat(4000)}`.repeat(4),
        description: null,
        createdAt: '',
        updatedAt: null,
        exhausted: null,
        hits: null,
        lists: [],
        ...DEFAULT_TERMS,
      },
      '',
    );
  });
}

it('a full database refuses writes, one or many together, half writes nothing, and goes on when there is room', async () => {
  const unavailable = expect.objectContaining({ kind: 'storage_unavailable' });
  for (const together of [1, 5]) {
    const ends = await Promise.allSettled(Array.from({ length: together }, (_, number) => write(number)));
    expect(ends).toEqual(Array(together).fill({ status: 'rejected', reason: unavailable }));
    expect(await store.blacklists.size()).toBe(0);
    expect(await store.blacklists.revision()).toBe(0);
    expect((await store.projects.state('shop')).zones).toBe(0);
  }
  writing.exec('pragma max_page_count = 1000000');
  await Promise.all(Array.from({ length: 5 }, (_, number) => write(number)));
  expect(await store.blacklists.size()).toBe(5);
  expect(await store.blacklists.revision()).toBe(5);
  expect((await store.projects.state('shop')).zones).toBe(5);
});

it('a full database fails whoever shares the commit, also with one that refuses for a reason of its own by then', async () => {
  const refusal = new Error('refused');
  const refused = store.transaction(async (tx) => {
    for (let number = 0; number < 1000; number++) tx.projects.grow(`project${number}`, { zones: 1 });
    throw refusal;
  });
  const ends = await Promise.allSettled([refused, write(0)]);
  const unavailable = expect.objectContaining({ kind: 'storage_unavailable' });
  expect(ends).toEqual(Array(2).fill({ status: 'rejected', reason: unavailable }));
  expect((await store.projects.state('project0')).zones).toBe(0);
});

it('a full database says in the cause, which the log shows, that it is out of space', async () => {
  await expect(write(0)).rejects.toMatchObject({ cause: { message: 'the database is out of space' } });
});
