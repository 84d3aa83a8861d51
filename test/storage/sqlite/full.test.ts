import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../src/domain/ports.ts';
import { openStore } from '../../../src/storage/open.ts';
import type { Schema } from '../../../src/storage/schema.ts';
import { sqliteDialect } from '../../../src/storage/sqlite/driver.ts';
import { databaseOver } from '../../../src/storage/sqlite/open.ts';
import { storeOver } from '../../../src/storage/store.ts';
import { temporaryFolder } from '../../support/process.ts';

let folder: ReturnType<typeof temporaryFolder>;
let writing: DatabaseSyncInstance;
let store: Store;
beforeEach(async () => {
  folder = temporaryFolder();
  await (await openStore({ dataDir: folder.path, busyTimeoutMs: 1000 })).close();
  const file = join(folder.path, 'zonewarden.db');
  const reader = new Kysely<Schema>({ dialect: sqliteDialect(new DatabaseSync(file), 1000) });
  // The connection that writes may not let the file grow: SQLite answers as it does when the disk is full.
  writing = new DatabaseSync(file);
  writing.exec('pragma max_page_count = 1');
  store = storeOver(databaseOver(reader, new Kysely<Schema>({ dialect: sqliteDialect(writing, 1000) })));
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

/** A pattern that takes more than a page, under a project's counter. */
function write(number: number): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.projects.grow('shop', { zones: 1 });
    await tx.blacklists.insert([
      {
        id: `id${number}`,
        pattern: `${number}${'x'.repeat(4000)}`.repeat(4),
        description: null,
        createdAt: '',
        updatedAt: null,
        exhausted: null,
      },
    ]);
  });
}

it('a full database refuses writes, one or many together, half writes nothing, and goes on when there is room', async () => {
  const unavailable = expect.objectContaining({ kind: 'storage_unavailable' });
  for (const together of [1, 5]) {
    const ends = await Promise.allSettled(Array.from({ length: together }, (_, number) => write(number)));
    expect(ends).toEqual(Array(together).fill({ status: 'rejected', reason: unavailable }));
    expect(await store.blacklists.count()).toBe(0);
    expect(await store.blacklists.revision()).toBe(0);
    expect((await store.projects.state('shop')).zones).toBe(0);
  }
  writing.exec('pragma max_page_count = 1000000');
  await Promise.all(Array.from({ length: 5 }, (_, number) => write(number)));
  expect(await store.blacklists.count()).toBe(5);
  expect(await store.blacklists.revision()).toBe(5);
  expect((await store.projects.state('shop')).zones).toBe(5);
});

it('a full database says in the cause, which the log shows, that it is out of space', async () => {
  await expect(write(0)).rejects.toMatchObject({ cause: { message: 'the database is out of space' } });
});
