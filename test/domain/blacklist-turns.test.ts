import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { canonicalName } from '../../src/dns/names.ts';
import { type BlacklistChecker, blacklistChecker } from '../../src/domain/blacklists/blacklist-checker.ts';
import { type Blacklist, DEFAULT_TERMS } from '../../src/model/blacklists/blacklist.ts';
import type { BlacklistIndex } from '../../src/model/blacklists/name-index.ts';
import { systemClock } from '../../src/model/clock.ts';
import type { Store } from '../../src/model/store.ts';
import { openStore } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/process.ts';
import { storeSettings } from '../support/store.ts';

/** How long each piece of work takes, in milliseconds of a clock that only such work moves. */
const ADDING = 1;
const REMOVING = 2;
const CHECKING = 3;

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let checker: BlacklistChecker;
let now: number;
/** The time that work has taken in each round of the event loop that had any. */
let rounds: number[];
let counting: NodeJS.Immediate;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openStore(storeSettings(folder.path));
  const ignore = () => {};
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  checker = blacklistChecker({ store, index, log, clock: systemClock() });
  // The turns are those of the whole process: they know of requests that other tests have just sent.
  now = Math.ceil(performance.now()) + 200;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  countRounds();
});
afterEach(async () => {
  clearImmediate(counting);
  vi.restoreAllMocks();
  await store.close();
  folder.remove();
});

function countRounds(): void {
  rounds = [];
  let before = now;
  const count = () => {
    if (now > before) rounds.push(now - before);
    before = now;
    counting = setImmediate(count);
  };
  counting = setImmediate(count);
}

const takes = (milliseconds: number) => () => {
  now += milliseconds;
};
const index: BlacklistIndex = {
  size: 0,
  add: takes(ADDING),
  remove: takes(REMOVING),
  clear() {},
  async check() {
    takes(CHECKING)();
    return { kind: 'free' };
  },
};

function entry(n: number): Blacklist {
  return {
    id: randomUUID(),
    pattern: `^p${n}\\.example\\.$`,
    description: null,
    exhausted: null,
    hits: null,
    lists: [],
    ...DEFAULT_TERMS,
    createdAt: '2026-01-01T00:00:00.000000',
    updatedAt: null,
  };
}

const sum = (times: readonly number[]): number => times.reduce((total, time) => total + time, 0);

it('patterns enter and leave the index a few in each round of the event loop, however many came at once', async () => {
  const entries = Array.from({ length: 40 }, (_, n) => entry(n));
  await store.transaction(async (tx) => {
    for (const one of entries) await tx.blacklists.insert(one, '');
  });
  await checker.catchUp();
  expect(checker.present.patterns.enforce).toBe(40);
  await store.transaction(async (tx) => {
    for (const one of entries) await tx.blacklists.remove(one);
  });
  await checker.catchUp();
  expect(checker.present.patterns.enforce).toBe(0);
  expect(sum(rounds)).toBe(40 * (ADDING + REMOVING));
  expect(Math.max(...rounds)).toBe(4);
});

it('checks that take long are made a few in each round of the event loop, however many names come at once', async () => {
  const names = Array.from({ length: 20 }, (_, n) => canonicalName(`n${n}.example.`));
  const judgements = await Promise.all(names.map((name, n) => checker.check(name, `project ${n % 3}`)));
  expect(new Set(judgements.map(({ kind }) => kind))).toEqual(new Set(['free']));
  // The round that counts the last of them is over when the next one has begun.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(sum(rounds)).toBe(20 * CHECKING);
  expect(Math.max(...rounds)).toBeLessThanOrEqual(3 * CHECKING);
});
