/** What a transaction promises about its statements, whichever database it is on. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canonicalName } from '../../src/dns/names.ts';
import type { Recordset } from '../../src/model/recordsets/recordset.ts';
import type { Store, Transaction } from '../../src/model/store.ts';
import type { ApiToken } from '../../src/model/tokens/api-token.ts';
import { pipelined } from '../../src/runtime/pipelined.ts';
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

const createdAt = '2026-01-01T00:00:00.000000';
const newToken = (): ApiToken => ({
  id: randomUUID(),
  hash: 'hash',
  projectId: 'shop',
  userId: 'user',
  roles: ['member'],
  createdAt,
  expiresAt: null,
  description: null,
  scope: null,
  maxUnused: null,
  ancestors: [],
  isCounted: false,
  lastUsedAt: null,
  lastUsedFrom: null,
});
const recordset = (name: string): Recordset => ({
  id: 'the same id',
  zoneId: 'zone',
  projectId: 'shop',
  name: canonicalName(name),
  type: 'A',
  ttl: null,
  records: ['192.0.2.1'],
  spellings: {},
  bytes: 20,
  description: null,
  protection: null,
  expiresAt: null,
  managed: false,
  version: 1,
  createdAt,
  updatedAt: null,
});

const DUPLICATE = /unique|duplicate/i;
const tokensOf = async (project: string) => {
  const query = { filters: { project_id: project }, sortKey: 'id', sortDir: 'asc', limit: 1000 } as const;
  return (await store.apiTokens.list(query, undefined, 'admin')).items.length;
};
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Writes something, and then, without waiting for it, what cannot be stored. */
function writeTwice(tx: Transaction, token = newToken()): void {
  tx.projects.grow('shop', { zones: 1 });
  tx.apiTokens.insert(token);
  tx.apiTokens.insert(token);
}

async function expectNoZones(): Promise<void> {
  expect(await store.projects.state('shop')).toMatchObject({ zones: 0 });
}

async function expectNothingKept(): Promise<void> {
  await expectNoZones();
  expect(await tokensOf('shop')).toBe(0);
}

describe('a write that returns nothing, and fails', () => {
  it('fails everything awaited after it, and the commit, with its own error', async () => {
    const seen: unknown[] = [];
    const transaction = store.transaction(async (tx) => {
      // The work may run more than once.
      seen.length = 0;
      writeTwice(tx);
      seen.push(await failureOf(tx.projects.lock('another')));
      tx.projects.grow('shop', { zones: 1 });
      seen.push(await failureOf(tx.blacklists.present()));
    });
    const failure = await failureOf(transaction);
    expect(failure).toMatchObject({ message: expect.stringMatching(DUPLICATE) });
    for (const one of seen) expect(one).toBe(failure);
    expect(seen).toHaveLength(2);
    await expectNothingKept();
  });

  it('fails the commit where nothing is awaited after it', async () => {
    await expect(store.transaction(async (tx) => writeTwice(tx))).rejects.toThrow(DUPLICATE);
    await expectNothingKept();
  });

  it('gives way to what the work itself throws', async () => {
    const refusal = new Error('refused');
    const transaction = store.transaction(async (tx) => {
      writeTwice(tx);
      throw refusal;
    });
    expect(await failureOf(transaction)).toBe(refusal);
    await expectNothingKept();
  });

  it('leaves alone the transactions that run at the same time, and those that follow', async () => {
    const count = (project: string) =>
      store.transaction(async (tx) => tx.projects.grow(project, { zones: 1 }));
    const failing = () => store.transaction(async (tx) => writeTwice(tx));
    const ends = await Promise.allSettled([count('one'), failing(), count('two'), failing(), count('one')]);
    expect(ends.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    await count('two');
    expect(await store.projects.state('one')).toMatchObject({ zones: 2 });
    expect(await store.projects.state('two')).toMatchObject({ zones: 2 });
    await expectNothingKept();
  });
});

it('a write is seen by reads outside its transaction once it is committed, and not before', async () => {
  const token = newToken();
  await store.transaction(async (tx) => {
    tx.apiTokens.insert(token);
    expect(await tx.apiTokens.find(token.id)).toEqual(token);
    expect(await store.apiTokens.find(token.id)).toBeUndefined();
  });
  expect(await store.apiTokens.find(token.id)).toEqual(token);
});

it('an awaited write that fails fails the transaction, whoever catches its error', async () => {
  const seen: unknown[] = [];
  const transaction = store.transaction(async (tx) => {
    tx.projects.grow('shop', { zones: 1 });
    await tx.recordsets.insert([recordset('a.example.')], 1);
    const broken = { ...recordset('b.example.'), projectId: null as never };
    seen.push(await failureOf(tx.recordsets.insert([broken], 1)));
    seen.push(await failureOf(tx.blacklists.present()));
  });
  const failure = await failureOf(transaction);
  expect(failure).toMatchObject({ message: expect.stringMatching(/null/i) });
  for (const one of seen) expect(one).toBe(failure);
  expect(seen).toHaveLength(2);
  await expectNothingKept();
});

describe('calls that do not wait for one another', () => {
  it('are carried out in their order', async () => {
    const token = newToken();
    const removed = await store.transaction(async (tx) => {
      tx.apiTokens.insert(token);
      const both = pipelined(tx.apiTokens.remove(token.id), tx.apiTokens.remove(token.id));
      tx.apiTokens.insert(token);
      const third = await tx.apiTokens.remove(token.id);
      tx.apiTokens.insert(token);
      return [...(await both), third];
    });
    expect(removed).toEqual([true, false, true]);
    expect(await tokensOf('shop')).toBe(1);
  });

  it('see the writes that were called before them, and not those called after', async () => {
    const seen = await store.transaction(async (tx) => {
      const zones: number[] = [];
      // Rows that are there already, so that locking one is a single statement.
      tx.projects.grow('shop', { zones: 1 });
      for (let round = 0; round < 5; round++) {
        const locked = pipelined(tx.projects.lock('shop'), tx.blacklists.present());
        tx.projects.grow('shop', { zones: 1 });
        zones.push((await locked)[0].zones);
      }
      return zones;
    });
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect(await store.projects.state('shop')).toMatchObject({ zones: 6 });
  });
});

describe('a part of a transaction', () => {
  const refusal = new Error('refused');

  it('that is refused leaves nothing, and what is before and after it stays', async () => {
    const tokens = [newToken(), newToken(), newToken()] as const;
    const ended = await store.transaction(async (tx) => {
      const first = await tx.savepoint(async () => {
        tx.apiTokens.insert(tokens[0]);
        return 'first';
      });
      const second = tx.savepoint(async () => {
        tx.apiTokens.insert(tokens[1]);
        tx.projects.grow('shop', { zones: 1 });
        throw refusal;
      });
      expect(await failureOf(second)).toBe(refusal);
      await tx.savepoint(async () => tx.apiTokens.insert(tokens[2]));
      return first;
    });
    expect([ended, await tokensOf('shop')]).toEqual(['first', 2]);
    await expectNoZones();
  });

  it('in which a statement fails fails the whole transaction', async () => {
    const all = store.transaction(async (tx) => {
      await tx.savepoint(async () => tx.apiTokens.insert(newToken()));
      await failureOf(tx.savepoint(async () => writeTwice(tx)));
      tx.projects.grow('shop', { zones: 1 });
    });
    expect(String(await failureOf(all))).toMatch(DUPLICATE);
    await expectNothingKept();
  });
});
