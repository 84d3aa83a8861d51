import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { canonicalName } from '../../src/dns/names.ts';
import { type BlacklistChecker, blacklistChecker } from '../../src/domain/blacklists/blacklist-checker.ts';
import { PatternChecker } from '../../src/matcher/pattern-checker.ts';
import { DEFAULT_TERMS } from '../../src/model/blacklists/blacklist.ts';
import { systemClock } from '../../src/model/clock.ts';
import type { Store } from '../../src/model/store.ts';
import { openStore } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/process.ts';
import { inStoreOf, storeSettings } from '../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let index: PatternChecker;
let checker: BlacklistChecker;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openStore(storeSettings(folder.path));
  index = new PatternChecker();
  const ignore = () => {};
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  checker = blacklistChecker({ store, index, log, clock: systemClock() });
});
afterEach(async () => {
  await index.close();
  await store.close();
  folder.remove();
});

async function block(name: string): Promise<void> {
  const pattern = `^${name.replaceAll('.', '\\.')}$`;
  const times = { createdAt: '2026-01-01T00:00:00.000000', updatedAt: null };
  const blacklist = {
    id: randomUUID(),
    pattern,
    description: null,
    exhausted: null,
    hits: null,
    lists: [],
    ...DEFAULT_TERMS,
    ...times,
  };
  await store.transaction((tx) => tx.blacklists.insert(blacklist, ''));
}
const verdict = async (name: string) => (await checker.check(canonicalName(name), 'shop')).kind;

it('a store that has lost its last changes is known anew: what they blocked is free, what is added next is blocked', async () => {
  await block('first.example.');
  await block('lost.example.');
  await checker.catchUp();
  await inStoreOf(
    folder.path,
    'delete from blacklists where number = 2',
    'update blacklist_revision set revision = 1',
  );
  await checker.catchUp();
  await block('next.example.');
  await checker.catchUp();
  expect(await verdict('next.example.')).toBe('blocked');
  expect(await verdict('first.example.')).toBe('blocked');
  expect(await verdict('lost.example.')).toBe('free');
});
