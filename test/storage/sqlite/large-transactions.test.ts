import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { issueToken } from '../../../src/domain/tokens/token-secret.ts';
import type { Store, Transaction } from '../../../src/model/store.ts';
import { openStore } from '../../../src/storage/open.ts';
import { temporaryFolder } from '../../support/process.ts';

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openStore({ dataDir: folder.path, busyTimeoutMs: 300, readTimeoutMs: 5000 });
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

const LARGE = { recordsets: 100_000, bytes: 10_000_000 };
const zonesOf = async (project: string) => (await store.projects.state(project)).zones;
const small = (project: string) =>
  store.transaction(async (tx) => void tx.projects.grow(project, { zones: 1 }));

/** Counts a zone, and then says that much is to be written. */
const large = (project: string, rest = async (_tx: Transaction) => {}) =>
  store.transaction(async (tx) => {
    tx.projects.grow(project, { zones: 1 });
    tx.recordsets.expect(LARGE);
    tx.projects.grow(project, { zones: 10 });
    await rest(tx);
    return project;
  });

function duplicateToken(tx: Transaction): void {
  for (let copy = 0; copy < 2; copy++) {
    const grant = { projectId: 'p', roles: [] };
    const { token } = issueToken(grant, '2026-01-01T00:00:00.000000');
    tx.apiTokens.insert({ ...token, id: 'one' });
  }
}

it('a large transaction is carried out once, although its work begins anew', async () => {
  let begun = 0;
  const counting = async () => {
    begun += 1;
  };
  expect(await large('one', counting)).toBe('one');
  expect(await zonesOf('one')).toBe(11);
  expect(begun).toBe(1);
});

it('large and small ones that wait together each succeed or fail by themselves', async () => {
  const failure = new Error('not this one');
  const ends = await Promise.allSettled(
    Array.from({ length: 60 }, (_, number) => {
      if (number % 3 === 0) return small(`p${number}`);
      return large(`p${number}`, async () => {
        if (number % 3 === 1) throw failure;
      });
    }),
  );
  for (const [number, { status }] of ends.entries()) {
    expect(status).toBe(number % 3 === 1 ? 'rejected' : 'fulfilled');
    expect(await zonesOf(`p${number}`)).toBe([1, 0, 11][number % 3]);
  }
});

it('a large transaction sees what was committed before it, and is seen by what comes after it', async () => {
  const seen: number[] = [];
  const look = async (tx: Transaction) => void seen.push((await tx.projects.lock('one')).zones);
  await Promise.all([small('one'), large('one', look), small('one'), large('one', look)]);
  expect(await zonesOf('one')).toBe(24);
  expect(seen.sort((a, b) => a - b)).toEqual([13, 24]);
});

it('a small transaction waits for one large one, however many wait', async () => {
  const ended: string[] = [];
  const first = large('one').then(() => ended.push('large'));
  const others = Array.from({ length: 5 }, () => large('one').then(() => ended.push('large')));
  await first;
  await small('two');
  ended.push('small');
  await Promise.all(others);
  expect(ended.indexOf('small')).toBeLessThanOrEqual(2);
});

it('a write that is not awaited and fails takes the whole of a large transaction with it', async () => {
  await expect(large('one', async (tx) => duplicateToken(tx))).rejects.toThrow();
  expect(await zonesOf('one')).toBe(0);
  await large('one');
  expect(await zonesOf('one')).toBe(11);
});

it('a large transaction waits for another writer without holding the event loop, up to the time-out', async () => {
  await large('one');
  const other = new DatabaseSync(`${folder.path}/zonewarden.db`);
  other.exec('begin immediate');
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 1);
  await expect(large('one')).rejects.toMatchObject({ kind: 'storage_unavailable' });
  clearInterval(turning);
  expect(turns).toBeGreaterThan(1);
  other.exec('rollback');
  other.close();
  await large('one');
  expect(await zonesOf('one')).toBe(22);
});

it('a store that is closed first finishes the large transactions that it has accepted', async () => {
  const accepted = [large('one'), large('two')];
  await store.close();
  expect(await Promise.all(accepted)).toEqual(['one', 'two']);
  store = await openStore({ dataDir: folder.path, busyTimeoutMs: 300, readTimeoutMs: 5000 });
  expect([await zonesOf('one'), await zonesOf('two')]).toEqual([11, 11]);
});
