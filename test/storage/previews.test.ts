/** What becomes of previews whose process is slow, fails or is gone, and of those that take longer than others like. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { NameScanner } from '../../src/domain/blacklists/name-scanner.ts';
import { previewRuns } from '../../src/domain/previews/preview-runs.ts';
import { NOTHING_SEEN } from '../../src/domain/previews/zone-scan.ts';
import { later, systemClock } from '../../src/model/clock.ts';
import type { Preview } from '../../src/model/previews/preview.ts';
import type { Store } from '../../src/model/store.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { openStore } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/process.ts';
import { makeStore, storeSettings } from '../support/store.ts';
import { emptyZone } from '../support/zone.ts';

const MINUTE = 60_000;

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let zones: readonly Zone[];
/** How far the clock of all processes has been put forward, in milliseconds. */
let passed: number;
const real = systemClock();
const clock = { now: () => later(real.now(), passed) };
beforeEach(async () => {
  folder = temporaryFolder();
  passed = 0;
  await makeStore(folder.path);
  store = await openStore(storeSettings(folder.path));
  zones = Array.from({ length: 6 }, (_, place) =>
    emptyZone(`zone-${place}.example.`, { createdAt: real.now() }),
  );
  await store.transaction(async (tx) => {
    for (const zone of zones) tx.zones.insert(zone);
  });
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

async function begun(projectId: string): Promise<Preview> {
  const preview: Preview = {
    id: randomUUID(),
    projectId,
    pattern: 'zone',
    mode: 'enforce',
    blacklistId: null,
    ...NOTHING_SEEN,
    faults: [],
    warnings: [],
    total: zones.length,
    status: 'PENDING',
    message: null,
    createdAt: clock.now(),
    updatedAt: null,
    endedAt: null,
  };
  expect(await store.transaction((tx) => tx.previews.insert(preview))).toBe(true);
  return preview;
}

/** A process whose scanner finds that one zone at a time matches, after `before` each. */
function process(before: (at: number) => Promise<void> | void = () => {}, turn?: number) {
  let at = 0;
  const scanner: Pick<NameScanner, 'scan'> = {
    async scan() {
      await before(at++);
      return Uint8Array.of(1);
    },
  };
  const deps = { store, clock, scanner: scanner as NameScanner, ...(turn === undefined ? {} : { turn }) };
  return previewRuns(deps);
}

async function performNext(runs: ReturnType<typeof previewRuns>): Promise<void> {
  const perform = await runs.next();
  await perform!(new AbortController().signal);
}

const shown = async ({ id }: Preview) => (await store.previews.find(id, 'all projects'))!;
async function listed({ id }: Preview): Promise<readonly string[]> {
  const query = { filters: {}, sortKey: 'name', sortDir: 'asc', limit: 100 } as const;
  return (await store.previews.list(query, id, 'p')).items.map(({ name }) => name);
}

it('finds each zone once, however few it comes to at a time', async () => {
  const preview = await begun('p');
  await performNext(process());
  expect(await shown(preview)).toMatchObject({ status: 'COMPLETE', seen: 6, matched: 6, kept: 6 });
  expect(await listed(preview)).toEqual(zones.map(({ name }) => name));
});

it('is taken by one process alone, until it says nothing for a while; the first one then writes nothing more', async () => {
  const preview = await begun('p');
  const other = process();
  let hasOther = false;
  const slow = process(async (at) => {
    if (at !== 3) return;
    expect(await other.next()).toBeUndefined();
    // It is held up for longer than its lease.
    passed += MINUTE;
    await performNext(other);
    hasOther = true;
  });
  await performNext(slow);
  expect(hasOther).toBe(true);
  expect(await shown(preview)).toMatchObject({ status: 'COMPLETE', seen: 6, matched: 6, kept: 6 });
  expect(await listed(preview)).toEqual(zones.map(({ name }) => name));
});

it('ends after an hour, with what was found until then', async () => {
  const preview = await begun('p');
  await performNext(
    process(() => {
      passed += 25 * MINUTE;
    }),
  );
  const ended = await shown(preview);
  expect(ended).toMatchObject({ status: 'ERROR', seen: 3, matched: 3, kept: 3 });
  expect(ended.message).toContain('hour');
  expect(await listed(preview)).toHaveLength(3);
});

it('ends after an hour where it fails each time, and lets the project begin another', async () => {
  const preview = await begun('p');
  const failing = process(() => Promise.reject(new Error('on purpose')));
  await expect(performNext(failing)).rejects.toThrow('on purpose');
  expect(await failing.next()).toBeUndefined();
  passed += MINUTE;
  await expect(performNext(failing)).rejects.toThrow('on purpose');
  passed += 60 * MINUTE;
  await performNext(failing);
  expect(await shown(preview)).toMatchObject({ status: 'ERROR', seen: 0 });
  await begun('p');
});

it('lets others have their turn, and goes on after them where it was', async () => {
  const long = await begun('long');
  const short = await begun('short');
  const runs = process(undefined, 0);
  await performNext(runs);
  expect(await shown(long)).toMatchObject({ status: 'RUNNING', seen: 1, kept: 1 });
  await performNext(runs);
  expect(await shown(short)).toMatchObject({ status: 'RUNNING', seen: 1 });
  for (let perform = await runs.next(); perform !== undefined; perform = await runs.next())
    await perform(new AbortController().signal);
  for (const preview of [long, short]) {
    expect(await shown(preview)).toMatchObject({ status: 'COMPLETE', seen: 6, kept: 6 });
    expect(await listed(preview)).toEqual(zones.map(({ name }) => name));
  }
});

it('tells of zones that go meanwhile what it has seen of them', async () => {
  const preview = await begun('p');
  const remove = (some: readonly Zone[]) =>
    store.transaction(async (tx) => {
      for (const zone of some) tx.zones.remove(zone);
    });
  const runs = process(async (at) => {
    // The one that it has seen last is gone, as those are that come next.
    if (at === 2) await remove([zones[1]!, zones[3]!, zones[4]!]);
  });
  await performNext(runs);
  expect(await shown(preview)).toMatchObject({ status: 'COMPLETE', total: 6, seen: 4, matched: 4 });
  expect(await listed(preview)).toEqual([0, 1, 2, 5].map((place) => zones[place]!.name));
});

it('ends at once where it is deleted, whoever is at it, and leaves nothing', async () => {
  const preview = await begun('p');
  const runs = process(async (at) => {
    if (at === 2)
      await store.transaction((tx) => tx.previews.cancel(preview.id, 'all projects', clock.now()));
  });
  await performNext(runs);
  expect(await store.previews.find(preview.id, 'all projects')).toBeUndefined();
  while (await runs.removeSome());
  expect(await listed(preview)).toEqual([]);
  await begun('p');
});

it('is kept for an hour after its end', async () => {
  const preview = await begun('p');
  const runs = process();
  await performNext(runs);
  passed += 59 * MINUTE;
  expect(await runs.removeSome()).toBe(false);
  passed += 2 * MINUTE;
  while (await runs.removeSome());
  expect(await store.previews.find(preview.id, 'all projects')).toBeUndefined();
});
