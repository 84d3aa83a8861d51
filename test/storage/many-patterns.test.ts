import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Blacklist } from '../../src/model/blacklists/blacklist.ts';
import { DEFAULT_TERMS } from '../../src/model/blacklists/blacklist.ts';
import type { NumberedPattern } from '../../src/model/blacklists/store.ts';
import type { Store } from '../../src/model/store.ts';
import { openStore } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/process.ts';
import { inStoreOf, isOnPostgres, storeSettings } from '../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openStore(storeSettings(folder.path));
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

function entry(pattern: string): Blacklist {
  const createdAt = '2026-01-01T00:00:00.000000';
  return {
    id: randomUUID(),
    pattern,
    description: null,
    createdAt,
    updatedAt: null,
    exhausted: null,
    hits: null,
    lists: [],
    ...DEFAULT_TERMS,
  };
}

/** Stores all of them in one transaction, as a command does. */
function insertMany(entries: readonly Blacklist[], told: (more: number) => void): Promise<number> {
  return store.transaction(({ blacklistLists: lists }) =>
    lists.inBulk(entries.length, async () => {
      let added = 0;
      for (let start = 0; start < entries.length; start += 1000) {
        const some = entries.slice(start, start + 1000);
        const first = await lists.reserve(some.length);
        added += (await lists.stage({ task: 0, list: '', mark: 1, first, eventId: '' }, some)).added;
        told(some.length);
      }
      return added;
    }),
  );
}

async function stored(): Promise<NumberedPattern[]> {
  const found: NumberedPattern[] = [];
  for await (const batch of store.blacklists.added(0, await store.blacklists.revision()))
    found.push(...batch);
  return found;
}

it('of very many patterns those that are new are stored and counted, numbered in their order, the first of those that are alike', async () => {
  await store.transaction((tx) => tx.blacklists.insert(entry('^p7$'), ''));
  // 2,500 lines: two full batches and a part; 1,600 and later are 100 and later once more.
  const patterns = Array.from({ length: 2500 }, (_, i) => `^p${i < 1600 ? i : i - 1500}$`);
  const told: number[] = [];
  const added = await insertMany(patterns.map(entry), (more) => told.push(more));
  expect(added).toBe(1599);
  expect(told).toEqual([1000, 1000, 500]);
  expect(await store.blacklists.revision()).toBe(2501);
  const expected = patterns.slice(0, 1600).map((pattern, place) => ({ number: place + 2, pattern }));
  expected.splice(7, 1);
  const found = (await stored()).map(({ number, pattern }) => ({ number: Number(number), pattern }));
  expect(found).toEqual([{ number: 1, pattern: '^p7$' }, ...expected]);
});

it('of very many patterns none is stored when storing them fails half-way', async () => {
  const entries = Array.from({ length: 2500 }, (_, i) => entry(`^p${i}$`));
  const failing = insertMany(entries, () => {
    throw new Error('enough');
  });
  await expect(failing).rejects.toThrow('enough');
  expect(await store.blacklists.size()).toBe(0);
  expect(await store.blacklists.revision()).toBe(0);
});

it('lists patterns in their order after most of them came at once, and after that failed', async () => {
  const many = Array.from({ length: 300 }, (_, i) => `^p${(i * 7) % 300}$`);
  const failing = insertMany(many.map(entry), () => {
    throw new Error('enough');
  });
  await expect(failing).rejects.toThrow('enough');
  await insertMany(many.map(entry), () => {});
  const query = { filters: {}, sortKey: 'pattern', sortDir: 'asc', limit: 500 } as const;
  const { items } = await store.blacklists.list(query, undefined, 'admin');
  expect(items.map(({ pattern }) => pattern)).toEqual([...many].sort());
  const indexes = "select name from sqlite_master where type = 'index' and name like 'blacklists_p%'";
  if (!isOnPostgres()) {
    expect(await inStoreOf(folder.path, indexes)).toEqual([{ name: 'blacklists_pattern_start' }]);
  }
});
