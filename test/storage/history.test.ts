/** How the journal of zone changes is kept within its bounds, and where it has gaps. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { domainSettings } from '../../src/assembly/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { canonicalName, type OwnerName } from '../../src/dns/names.ts';
import { historyUpkeep } from '../../src/domain/history/history-job.ts';
import { pastZone } from '../../src/domain/history/past-zone.ts';
import { newRecordset } from '../../src/domain/recordsets/new-recordset.ts';
import { lockOwners, type ZoneChanges, zoneChanges } from '../../src/domain/zones/zone-changes.ts';
import { contentsOf, NO_CONTENTS } from '../../src/model/changes/contents.ts';
import type { ZoneChange } from '../../src/model/changes/zone-change.ts';
import { type Clock, later, systemClock } from '../../src/model/clock.ts';
import { DEFAULT_POOL_ID, type ZonePool } from '../../src/model/pools/pool.ts';
import type { Store } from '../../src/model/store.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { TimeSlices } from '../../src/runtime/cooperative-yield.ts';
import { openStore } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/process.ts';
import { inStoreOf, storeSettings } from '../support/store.ts';
import { emptyZone } from '../support/zone.ts';

const DAY = 86_400_000;
const KEPT = { days: 90, maxBytesPerZone: 1_000_000_000, maxBytesPerProject: 1_000_000_000 };
const published: ZonePool = { id: DEFAULT_POOL_ID, nameServers: null, publishes: true };
const quiet: ZonePool = { ...published, publishes: false };
let days = 0;
const clock: Clock = { now: () => later(systemClock().now(), days * DAY) };
let folder: ReturnType<typeof temporaryFolder>;
let store: Store;

beforeAll(async () => {
  folder = temporaryFolder();
  store = await openStore(storeSettings(folder.path));
  await inStoreOf(
    folder.path,
    `update pools set publishes = 1, catalog_fqdn = 'catalog.invalid.', nameservers = '[{"host":"127.0.0.1","port":53}]'`,
  );
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

function changesWith(environment: Readonly<Record<string, string>> = {}): ZoneChanges {
  const config = loadConfig(undefined, {
    ZONEWARDEN_SERVICE_WORKER__JOURNAL_CHANGES: '3',
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ...environment,
  });
  return zoneChanges({ ...domainSettings(config), clock });
}

let drawn = 0;

async function apply(changes: ZoneChanges, change: ZoneChange): Promise<Zone> {
  const applied = await store.transaction(async (tx) =>
    changes.apply(tx, change, await lockOwners(tx, change.zone.projectId)),
  );
  return applied.after ?? change.zone;
}

function create(changes: ZoneChanges, pool = quiet, projectId = `shop-${drawn}`): Promise<Zone> {
  const zone = { ...emptyZone(`z${++drawn}.example.`, { pool, createdAt: clock.now() }), projectId };
  return apply(changes, { kind: 'creation', zone, contents: NO_CONTENTS });
}

/** Adds recordsets, one change for each. */
async function add(changes: ZoneChanges, zone: Zone, count: number): Promise<Zone> {
  let now = zone;
  for (let made = 0; made < count; made++) {
    const name = canonicalName<OwnerName>(`r${++drawn}.${zone.name}`);
    const size = { records: 1, bytes: 10, wireLength: 10 } as never;
    const draft = { name, type: 'A', records: ['192.0.2.1'], size } as const;
    const recordset = { ...newRecordset(draft, now, clock), bytes: 10 };
    const contents = contentsOf({ kind: 'added', recordset });
    now = await apply(changes, { kind: 'update', zone: now, properties: {}, contents });
  }
  return now;
}

/** Passes of the upkeep until nothing is left, at a later time. */
async function upkeep(history = KEPT, daysLater = 1): Promise<void> {
  days += daysLater;
  const step = historyUpkeep({ clock, history });
  while (await store.transaction((tx) => step(tx.history)));
}

const kept = async ({ id }: Zone) =>
  (await store.history.changes({ zoneId: id, limit: 1000 }, 'x')).map(({ number }) => number);
const rowsOf = async ({ id }: Zone) =>
  (
    await inStoreOf(folder.path, `select number from zone_changes where zone_id = '${id}' order by number`)
  ).map(({ number }) => Number(number));
const sizes = () => inStoreOf(folder.path, 'select id, bytes from history_sizes order by id');
const served = (zone: Zone, from: number) =>
  store.publications.atOneState(async (reads) => reads.journal((await reads.served(zone.name))!, from));
const at = (zone: Zone, serial: number) => {
  const reader = { projectId: 'x', seesAll: true };
  return pastZone(zone, { serial }, { reads: store.history, reader, turns: new TimeSlices() });
};

describe('the upkeep', () => {
  it('counts each change once, and removes the oldest of a zone beyond its bound', async () => {
    const changes = changesWith();
    const zone = await add(changes, await create(changes), 10);
    await upkeep();
    await upkeep();
    const [row] = await inStoreOf(
      folder.path,
      `select bytes from history_sizes where id = 'zone ${zone.id}'`,
    );
    const [sum] = await inStoreOf(
      folder.path,
      `select sum(size) as total from zone_changes where zone_id = '${zone.id}'`,
    );
    expect(Number(row!.bytes)).toBe(Number(sum!.total));
    await upkeep({ ...KEPT, maxBytesPerZone: Math.ceil(Number(row!.bytes) * 0.55) });
    expect(await kept(zone)).toEqual([11, 10, 9, 8, 7]);
    await expect(at(zone, zone.serial - 3)).resolves.toMatchObject({ serial: zone.serial - 3 });
    await expect(at(zone, zone.serial - 8)).rejects.toMatchObject({ kind: 'change_not_found' });
  });

  it('removes the oldest of a project beyond its bound, whatever zone they are of', async () => {
    const changes = changesWith();
    const one = await add(changes, await create(changes, quiet, 'both'), 5);
    const other = await add(changes, await create(changes, quiet, 'both'), 5);
    await upkeep();
    const [row] = await inStoreOf(folder.path, `select bytes from history_sizes where id = 'project both'`);
    await upkeep({ ...KEPT, maxBytesPerProject: Math.ceil(Number(row!.bytes) / 2) });
    expect(await kept(one)).toEqual([]);
    expect(await kept(other)).toEqual([6, 5, 4, 3, 2]);
  });

  it('removes what has expired, but for what IXFR serves, until later changes push that out', async () => {
    const changes = changesWith();
    let zone = await add(changes, await create(changes, published), 6);
    const { serial } = zone;
    await upkeep(KEPT, 91);
    expect(await kept(zone)).toEqual([]);
    expect(await rowsOf(zone)).toEqual([5, 6, 7]);
    expect(await served(zone, serial - 3)).toHaveLength(3);
    expect(await served(zone, serial - 4)).toBeUndefined();
    zone = await add(changes, zone, 9);
    expect(await rowsOf(zone)).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16]);
    expect(await kept(zone)).toHaveLength(9);
    expect((await sizes()).filter(({ id }) => String(id).includes(zone.id))).toEqual([]);
  });

  it('removes the history of a zone that is gone', async () => {
    const changes = changesWith();
    const zone = await add(changes, await create(changes), 3);
    await upkeep();
    await apply(changes, { kind: 'abandonment', zone });
    await upkeep();
    expect(await rowsOf(zone)).toEqual([]);
    expect((await sizes()).filter(({ id }) => String(id).includes(zone.id))).toEqual([]);
    expect(await inStoreOf(folder.path, 'select * from forgotten_histories')).toEqual([]);
  });
});

describe('a journal of no days', () => {
  it('has what IXFR needs, and nothing of zones without name servers', async () => {
    const changes = changesWith({ ZONEWARDEN_HISTORY__DAYS: '0' });
    const zone = await add(changes, await create(changes, published), 16);
    expect(await kept(zone)).toEqual([]);
    expect(await served(zone, zone.serial - 3)).toHaveLength(3);
    expect((await rowsOf(zone)).length).toBeLessThanOrEqual(3 + 16);
    expect(await rowsOf(await add(changes, await create(changes), 3))).toEqual([]);
  });
});

describe('a gap', () => {
  it('is where a version is missing, as after a change by another program', async () => {
    const changes = changesWith();
    const zone = await add(changes, await create(changes), 2);
    await inStoreOf(folder.path, `update zones set version = version + 1 where id = '${zone.id}'`);
    const now = (await store.zones.find(zone.id, 'all projects'))!;
    await expect(at(now, zone.serial - 1)).rejects.toMatchObject({ kind: 'change_not_found' });
    const after = await add(changes, now, 1);
    await expect(at(after, zone.serial)).resolves.toMatchObject({ serial: zone.serial });
    await expect(at(after, zone.serial - 1)).rejects.toMatchObject({ kind: 'change_not_found' });
  });

  it('is where a change is larger than the bound: it is listed without what it did', async () => {
    const small = {
      ZONEWARDEN_SERVICE_WORKER__JOURNAL_BYTES: '0',
      ZONEWARDEN_HISTORY__MAX_BYTES_PER_ZONE: '20',
    };
    const changes = changesWith(small);
    const zone = await add(changes, await create(changes), 1);
    const [change] = await store.history.changes({ zoneId: zone.id, limit: 10 }, 'x');
    expect(change).toMatchObject({ isWhole: false, summary: { create: 1 } });
    await expect(at(zone, zone.serial - 1)).rejects.toMatchObject({ kind: 'change_not_found' });
  });

  it('is where a zone was repaired', async () => {
    const changes = changesWith();
    const zone = await add(changes, await create(changes), 1);
    const counted = { recordsets: 1, records: 1, bytes: 10 };
    const repaired = await apply(changes, { kind: 'correction', zone, counted });
    await expect(at(repaired, zone.serial - 1)).rejects.toMatchObject({ kind: 'change_not_found' });
  });
});
