/** What becomes of staged imports whose process is gone, and of creates beside them. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CommandSession, openSession } from '../../src/assembly/session.ts';
import { loadConfig } from '../../src/config/load.ts';
import { canonicalName } from '../../src/dns/names.ts';
import { StagedChange } from '../../src/domain/blacklist-lists/staged-change.ts';
import { blacklistChecker } from '../../src/domain/blacklists/blacklist-checker.ts';
import { PatternChecker } from '../../src/matcher/pattern-checker.ts';
import { systemClock } from '../../src/model/clock.ts';
import type { RequestContext } from '../../src/model/context/request-context.ts';
import { commandContext } from '../../src/model/context/request-context.ts';
import type { Store } from '../../src/model/store.ts';
import { openStore } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/process.ts';
import { inStoreOf, makeStore, storeOptions, storeSettings } from '../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
let session: CommandSession;
let store: Store;
let context: RequestContext;
const clock = systemClock();
beforeEach(async () => {
  folder = temporaryFolder();
  await makeStore(folder.path);
  session = await openSession(loadConfig(undefined, storeOptions(folder.path)));
  store = await openStore(storeSettings(folder.path));
  context = commandContext('somebody');
});
afterEach(async () => {
  await session.close();
  await store.close();
  folder.remove();
});

const drafts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({ pattern: `^p${from + i}\\.example\\.$` }));
async function* file(from: number, to: number) {
  yield Buffer.from(
    drafts(from, to)
      .map(({ pattern }) => pattern)
      .join('\n'),
  );
}
const incoming = (from: number, to: number, isSync = false) =>
  ({ bytes: file(from, to), format: 'patterns', list: 'one', isSync }) as const;
const unitOfWork = {
  commit: async (_act: unknown, work: (tx: never, tell: () => void) => Promise<unknown>) =>
    store.transaction((tx) => work(tx as never, () => {})),
} as never;
const begin = async (kind: 'import' | 'sync' = 'sync') =>
  (await StagedChange.begin({ store, clock, unitOfWork }, context, { kind, list: 'one' }, {})).change;
const forgotten = () =>
  inStoreOf(folder.path, "update blacklist_tasks set held_until = '2001-01-01T00:00:00.000000'");
const sizes = async () => ({
  rows: Number((await inStoreOf(folder.path, 'select count(*) as total from blacklists'))[0]!.total),
  seen: await store.blacklists.size(),
  entries: (await store.blacklistLists.find('one'))?.entries,
});

it('what a process has staged that is gone is taken back by another one, and its late words are refused', async () => {
  await session.useCases.blacklistLists.importNow(context, incoming(0, 50), () => {});
  const gone = await begin();
  await gone.stage(drafts(40, 90), 50);
  await gone.release();
  expect(await sizes()).toEqual({ rows: 90, seen: 50, entries: 50 });
  await forgotten();
  await session.useCases.blacklistLists.upkeep.slice();
  expect(await sizes()).toEqual({ rows: 50, seen: 50, entries: 50 });
  await expect(gone.stage(drafts(90, 99), 9)).rejects.toMatchObject({ kind: 'lists_busy' });
  await expect(gone.publish(context, '')).rejects.toThrow();
  expect(await sizes()).toEqual({ rows: 50, seen: 50, entries: 50 });
  const { status, message } = (await inStoreOf(folder.path, 'select * from blacklist_tasks'))[0]!;
  expect([status, message]).toEqual(['ERROR', expect.stringContaining('has stopped')]);
  // What was about to leave has stayed, and can leave again.
  await session.useCases.blacklistLists.importNow(context, incoming(30, 50, true), () => {});
  expect(await sizes()).toEqual({ rows: 20, seen: 20, entries: 20 });
});

it.each([
  ['a removal', () => session.useCases.blacklistLists.removeNow(context, 'one'), 0],
  ['an import', () => session.useCases.blacklistLists.importNow(context, incoming(0, 60), () => {}), 60],
] as const)('%s in one transaction begins once no change is staged', async (_, change, rows) => {
  await session.useCases.blacklistLists.importNow(context, incoming(0, 50), () => {});
  await (await begin()).stage(drafts(40, 90), 50);
  const open = "select count(*) as total from blacklist_tasks where status = 'ACTIVE'";
  const openAfter = change().then(async () => Number((await inStoreOf(folder.path, open))[0]!.total));
  await forgotten();
  expect(await openAfter).toBe(0);
  expect((await sizes()).rows).toBe(rows);
});

it('what was published by a process that is gone is seen at once, and finished by another one', async () => {
  await session.useCases.blacklistLists.importNow(context, incoming(0, 50), () => {});
  const index = new PatternChecker();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const checker = blacklistChecker({ store, index, log, clock });
  const verdict = async (n: number) => (await checker.check(canonicalName(`p${n}.example.`), 'shop')).kind;
  await checker.catchUp();
  const change = await begin();
  await change.stage(drafts(40, 90), 50);
  await change.release();
  await checker.catchUp();
  expect([await verdict(0), await verdict(45), await verdict(80)]).toEqual(['blocked', 'blocked', 'free']);
  await change.publish(context, 'hash');
  await checker.catchUp();
  expect([await verdict(0), await verdict(45), await verdict(80)]).toEqual(['free', 'blocked', 'blocked']);
  expect(await sizes()).toEqual({ rows: 90, seen: 50, entries: 50 });
  // A pattern that has gone can be made again before its row has.
  const made = { ...(await session.useCases.blacklists.create(context, drafts(1, 2)[0]!)).blacklist };
  expect(made.id).not.toBe('');
  await checker.catchUp();
  expect(await verdict(1)).toBe('blocked');
  await forgotten();
  await session.useCases.blacklistLists.upkeep.slice();
  expect(await sizes()).toEqual({ rows: 51, seen: 51, entries: 50 });
  await checker.catchUp();
  // One that was away all the time knows the same, and so does one that begins now.
  const late = blacklistChecker({ store, index: new PatternChecker(), log, clock });
  await late.catchUp();
  for (const one of [checker, late])
    for (const [n, kind] of [
      [0, 'free'],
      [1, 'blocked'],
      [45, 'blocked'],
      [80, 'blocked'],
    ] as const)
      expect([n, (await one.check(canonicalName(`p${n}.example.`), 'shop')).kind]).toEqual([n, kind]);
  await index.close();
});

it('what is in force stays, though its process has heard nothing of its commit', async () => {
  await session.useCases.blacklistLists.importNow(context, incoming(0, 50), () => {});
  const change = await begin();
  await change.stage(drafts(40, 90), 50);
  await change.release();
  await change.publish(context, 'hash');
  await change.takeBack('ERROR', { message: 'The answer was lost.', faults: [], faultCount: 0 });
  expect(await sizes()).toEqual({ rows: 50, seen: 50, entries: 50 });
  const {
    status,
    message,
    is_over: isOver,
  } = (await inStoreOf(folder.path, 'select * from blacklist_tasks order by number desc limit 1'))[0]!;
  expect([status, message, Number(isOver)]).toEqual(['COMPLETE', '', 1]);
  const faults: unknown[] = [];
  const report = (fault: unknown) => void faults.push(fault);
  await session.useCases.verifications.verify(context, { repairs: false, pastHead: undefined, report });
  expect(faults).toEqual([]);
});

it('an index that has missed a whole sync, its sweeping too, catches up with it', async () => {
  await session.useCases.blacklistLists.importNow(context, incoming(0, 50), () => {});
  const index = new PatternChecker();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const checker = blacklistChecker({ store, index, log, clock });
  const change = await begin();
  await change.stage(drafts(40, 90), 50);
  await store.transaction((tx) =>
    tx.blacklists.insert({ ...BLANK, id: randomUUID(), pattern: '^between\\.example\\.$' }, ''),
  );
  // It has a revision beyond the numbers of what is staged.
  await checker.catchUp();
  await change.release();
  await change.publish(context, 'hash');
  await change.sweep();
  await checker.catchUp();
  for (const [n, kind] of [
    [0, 'free'],
    [45, 'blocked'],
    [80, 'blocked'],
  ] as const)
    expect([n, (await checker.check(canonicalName(`p${n}.example.`), 'shop')).kind]).toEqual([n, kind]);
  expect(index.size).toBe(51);
  await index.close();
});

const BLANK = {
  description: null,
  createdAt: '2026-01-01T00:00:00.000000',
  updatedAt: null,
  exhausted: null,
  hits: null,
  lists: [],
  mode: 'enforce',
  expiresAt: null,
  exceptions: [],
} as const;
