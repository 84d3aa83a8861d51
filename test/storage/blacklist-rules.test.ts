import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { canonicalName, type Fqdn } from '../../src/dns/names.ts';
import type { Blacklist, BlacklistException } from '../../src/model/blacklists/blacklist.ts';
import type { Store } from '../../src/model/store.ts';
import { openStore } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/process.ts';
import { storeSettings } from '../support/store.ts';

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

const exception = (projectId: string | null, name: string | null): BlacklistException => ({
  projectId,
  name: name === null ? null : canonicalName<Fqdn>(name),
  description: 'd'.repeat(1000),
  expiresAt: null,
});
const OF_OTHERS = Array.from({ length: 100 }, (_, n) => exception(`other-${n}`, null));

function entry(n: number, exceptions: readonly BlacklistException[]): Blacklist {
  return {
    id: randomUUID(),
    pattern: `^p${n}\\.example\\.$`,
    description: null,
    exhausted: null,
    hits: null,
    lists: [],
    mode: 'enforce',
    expiresAt: null,
    exceptions,
    createdAt: '2026-01-01T00:00:00.000000',
    updatedAt: null,
  };
}

it('rules are read with the exceptions that are about a name, however many there are and however long', async () => {
  const about = [exception('shop', null), exception(null, 'www.example.'), exception('shop', 'www.example.')];
  const others = [exception('shop', 'other.example.'), exception('else', 'www.example.')];
  const all = Array.from({ length: 60 }, (_, n) =>
    entry(n, n % 2 === 0 ? [...OF_OTHERS.slice(0, 90), ...about, ...others] : []),
  );
  await store.transaction(async (tx) => {
    for (const one of all) await tx.blacklists.insert(one, '');
  });
  const numbers: number[] = [];
  for await (const batch of store.blacklists.added(0, await store.blacklists.revision()))
    numbers.push(...batch.map(({ number }) => number));
  const asked = { name: canonicalName<Fqdn>('www.example.'), projectId: 'shop' };
  const rules = await store.blacklists.rules(numbers.toReversed(), asked);
  expect(rules.map(({ number }) => number)).toEqual(numbers);
  expect(rules.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  expect(rules.map(({ exceptions }) => exceptions)).toEqual(all.map((_, n) => (n % 2 === 0 ? about : [])));
});
