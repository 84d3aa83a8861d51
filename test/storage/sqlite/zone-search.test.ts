/** The index of names in the embedded database: what happens to its file, and what `verify` finds of it. */
import { expect, it } from 'vitest';
import { commandsOn } from '../../support/process.ts';
import { inStoreOf } from '../../support/store.ts';
import {
  add,
  expectSearches,
  folder,
  indexAll,
  remove,
  whileOpen,
  withStores,
} from '../../support/zone-searches.ts';

withStores();

it('indexes fewer zones in a step, the longer their names are', () =>
  whileOpen(async (store) => {
    await add(0, 100);
    const steps = await indexAll(store);
    await add(100, 100, `${'q'.repeat(60)}.`.repeat(3));
    expect(await indexAll(store)).toBeGreaterThan(steps + 1);
    await remove((_, at) => at >= 150);
    await add(200, 50, `${'r'.repeat(60)}.`.repeat(3));
    await expectSearches(store);
    expect(await indexAll(store)).toBeGreaterThan(steps);
    await expectSearches(store);
  }));

it('finds zones after the file was vacuumed', async () => {
  await add(0, 400);
  await whileOpen(indexAll);
  await remove((_, at) => at % 3 === 0);
  await inStoreOf(folder.path, 'vacuum');
  await whileOpen(async (store) => {
    await expectSearches(store);
    await indexAll(store);
    await expectSearches(store);
  });
});

it('verify finds zones that the index lacks, and repairs it', async () => {
  await add(0, 300);
  await whileOpen(indexAll);
  const zonewarden = commandsOn(folder.path);
  const faults = async (...options: readonly string[]) => {
    const { out } = await zonewarden(['verify', ...options]);
    return out.split('\n').filter((line) => line.includes('Searches by a part of its name do not find it.'));
  };
  expect(await faults()).toEqual([]);
  await inStoreOf(folder.path, 'delete from zone_names where rowid in (7, 250)');
  expect(await faults()).toHaveLength(2);
  const repaired = await faults('--repair');
  expect(repaired.every((line) => line.startsWith('repaired: '))).toBe(true);
  expect(await faults()).toEqual([]);
  await whileOpen(expectSearches);
});
