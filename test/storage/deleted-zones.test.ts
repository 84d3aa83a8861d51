/** How deleted zones are kept within their bounds, and what goes with them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { domainSettings } from '../../src/assembly/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { canonicalName, type OwnerName } from '../../src/dns/names.ts';
import { forgetSome } from '../../src/domain/deleted-zones/deleted-zone-job.ts';
import { historyUpkeep } from '../../src/domain/history/history-job.ts';
import { newRecordset } from '../../src/domain/recordsets/new-recordset.ts';
import { lockOwners, zoneChanges } from '../../src/domain/zones/zone-changes.ts';
import { contentsOfParts } from '../../src/model/changes/contents.ts';
import type { ZoneChange } from '../../src/model/changes/zone-change.ts';
import { type Clock, later, systemClock } from '../../src/model/clock.ts';
import { effectsIn } from '../../src/model/history/effects-text.ts';
import { DEFAULT_POOL_ID } from '../../src/model/pools/pool.ts';
import type { Store } from '../../src/model/store.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { openStore } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/process.ts';
import { inStoreOf, storeSettings } from '../support/store.ts';
import { emptyZone } from '../support/zone.ts';

const DAY = 86_400_000;
const WIDE = { zones: 1000, bytes: 1_000_000_000 };
const pool = { id: DEFAULT_POOL_ID, nameServers: null, publishes: false };
let passed = 0;
const clock: Clock = { now: () => later(systemClock().now(), passed) };
let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let drawn = 0;
let project = '';

beforeAll(async () => {
  folder = temporaryFolder();
  store = await openStore(storeSettings(folder.path));
});
afterAll(async () => {
  await store.close();
  folder.remove();
});
beforeEach(() => {
  project = `shop-${++drawn}`;
});

async function apply(change: ZoneChange, environment: Readonly<Record<string, string>> = {}): Promise<Zone> {
  const config = loadConfig(undefined, {
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '-1',
    ...environment,
  });
  const changes = zoneChanges({ ...domainSettings(config), clock });
  const applied = await store.transaction(async (tx) =>
    changes.apply(tx, change, await lockOwners(tx, change.zone.projectId)),
  );
  return applied.after ?? change.zone;
}

async function filled(recordsets: number): Promise<Zone> {
  const zone = { ...emptyZone(`z${++drawn}.example.`, { pool, createdAt: clock.now() }), projectId: project };
  const parts = Array.from({ length: recordsets }, (_, at) => {
    const name = canonicalName<OwnerName>(`r${at}.${zone.name}`);
    const size = { records: 1, bytes: 10, wireLength: 10 } as never;
    const draft = { name, type: 'A', records: ['192.0.2.1'], size } as const;
    return { kind: 'added', recordset: { ...newRecordset(draft, zone, clock), bytes: 10 } } as const;
  });
  return apply({ kind: 'creation', zone, contents: contentsOfParts(parts) });
}

async function deleted(recordsets = 1): Promise<Zone> {
  const zone = await filled(recordsets);
  passed += 1000;
  return apply({ kind: 'deletion', zone, waits: false });
}

/** Slices until nothing is left. */
async function upkeep(bounds = WIDE, deletedZoneDays = 30): Promise<void> {
  const slice = () =>
    store.transaction((tx) => forgetSome(tx.deletedZones, { clock, deletedZoneDays }, bounds));
  while (await slice());
  const history = historyUpkeep({
    clock,
    history: { days: 90, maxBytesPerZone: 1e9, maxBytesPerProject: 1e9 },
  });
  while (await store.transaction((tx) => history(tx.history)));
}

const listed = async () => {
  const query = { filters: {}, sortKey: 'deleted_at', sortDir: 'desc', limit: 100 } as const;
  return (await store.deletedZones.list(query, { projectId: project }, project)).items.map(({ id }) => id);
};
const count = async (table: string, condition = 'true') => {
  const [row] = await inStoreOf(folder.path, `select count(*) as total from ${table} where ${condition}`);
  return Number(row!.total);
};
const changesOf = ({ id }: Zone) => count('zone_changes', `zone_id = '${id}'`);

describe('deleted zones', () => {
  it('are kept in parts, from which each recordset can be read', async () => {
    const zone = await filled(5000);
    await apply({ kind: 'deletion', zone, waits: false });
    expect(await count('recordsets', `zone_id = '${zone.id}'`)).toBe(0);
    const kept = (await store.deletedZones.find(zone.id, 'all projects'))!;
    const names = new Set<string>();
    let parts = 0;
    for await (const part of store.deletedZones.contents(kept.contentsId, project)) {
      parts += 1;
      for (const { before } of effectsIn(part, zone.id)) names.add(before!.name);
    }
    expect([names.size, kept.totals, kept.largest]).toEqual([
      5000,
      { recordsets: 5000, records: 5000, bytes: 50_000 },
      1,
    ]);
    expect(parts).toBeGreaterThan(1);
  });

  it('are forgotten after their time, with their contents and history', async () => {
    const zone = await deleted(3);
    expect(await changesOf(zone)).toBe(1);
    passed += 29 * DAY;
    await upkeep();
    expect([await listed(), await changesOf(zone)]).toEqual([[zone.id], 1]);
    passed += DAY;
    await upkeep();
    expect([await listed(), await changesOf(zone)]).toEqual([[], 0]);
    expect(await count('deleted_contents', "id not like 'x%'")).toBe(0);
    expect(await count('forgotten_contents')).toBe(0);
  });

  it('are at most so many of a project: the oldest go first', async () => {
    const zones: Zone[] = [];
    for (let made = 0; made < 5; made++) zones.push(await deleted());
    const newest = zones.map(({ id }) => id).reverse();
    await upkeep({ ...WIDE, zones: 3 });
    expect(await listed()).toEqual(newest.slice(0, 3));
    const last = await deleted();
    await upkeep({ ...WIDE, zones: 3 });
    expect(await listed()).toEqual([last.id, ...newest.slice(0, 2)]);
    expect(await count('deleted_zones', 'settled = 0')).toBe(0);
  });

  it('take at most so many bytes of a project: the oldest go first', async () => {
    const zones: Zone[] = [];
    for (let made = 0; made < 4; made++) zones.push(await deleted());
    const [row] = await inStoreOf(
      folder.path,
      `select sum(size) as total from deleted_zones where project_id = '${project}'`,
    );
    await upkeep({ ...WIDE, bytes: Number(row!.total) * 0.6 });
    expect(await listed()).toEqual([zones[3]!.id, zones[2]!.id]);
    const large = await deleted(3000);
    await upkeep({ ...WIDE, bytes: 10_000 });
    expect(await listed()).toEqual([]);
    expect(await changesOf(large)).toBe(0);
  });

  it('are not kept with deleted_zone_days = 0', async () => {
    const zone = await filled(2);
    const off = { ZONEWARDEN_HISTORY__DELETED_ZONE_DAYS: '0' };
    await apply({ kind: 'deletion', zone, waits: false }, off);
    expect(await listed()).toEqual([]);
    await upkeep();
    expect([await changesOf(zone), await count('recordsets', `zone_id = '${zone.id}'`)]).toEqual([0, 0]);
  });

  it('replace an earlier one with the same id, which can only be that of a zone taken over again', async () => {
    const zone = await deleted(2);
    const again = await apply({
      kind: 'creation',
      zone: { ...zone, recordsets: 0, records: 0, bytes: 0 },
      contents: contentsOfParts([]),
    });
    await apply({ kind: 'deletion', zone: again, waits: false });
    await upkeep();
    expect(await listed()).toEqual([zone.id]);
    const { totals, contentsId } = (await store.deletedZones.find(zone.id, 'all projects'))!;
    expect(totals.recordsets).toBe(0);
    expect(await count('deleted_contents', `id like '${contentsId}%'`)).toBe(0);
    expect(await count('forgotten_contents')).toBe(0);
  });

  it('leave the history of a living zone with their id alone when they are forgotten', async () => {
    const zone = await deleted(2);
    await apply({ kind: 'creation', zone, contents: contentsOfParts([]) });
    await store.transaction(async (tx) => {
      tx.deletedZones.forget((await tx.deletedZones.lock(zone.id, 'all projects'))!);
    });
    await upkeep();
    expect([await listed(), await changesOf(zone)]).toEqual([[], 1]);
  });
});
