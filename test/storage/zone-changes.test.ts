import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { domainSettings } from '../../src/assembly/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { canonicalName } from '../../src/dns/names.ts';
import { newRecordset } from '../../src/domain/recordsets/new-recordset.ts';
import { lockOwners, type ZoneChanges, zoneChanges } from '../../src/domain/zones/zone-changes.ts';
import { type ContentChange, contentsOf } from '../../src/model/changes/contents.ts';
import { systemClock } from '../../src/model/clock.ts';
import type { Store } from '../../src/model/store.ts';
import type { Totals } from '../../src/model/zones/totals.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { openStore } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/process.ts';
import { storeSettings } from '../support/store.ts';
import { emptyZone } from '../support/zone.ts';

const clock = systemClock();
const UNLIMITED = {
  ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
  ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '-1',
  ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '-1',
};
let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let changes: ZoneChanges;
beforeAll(async () => {
  folder = temporaryFolder();
  store = await openStore(storeSettings(folder.path));
  changes = zoneChanges({ clock, ...domainSettings(loadConfig(undefined, UNLIMITED)) });
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

let drawn = 0;

const newZone = (): Zone => emptyZone(`z${++drawn}.example.`);

const host = (zone: Zone, label: string, records: number) =>
  newRecordset(
    {
      name: canonicalName(`${label}.${zone.name}`),
      type: 'A',
      records: Array.from({ length: records }, (_, place) => `192.0.2.${place}`),
      size: { wire: 16 * records, counted: 9 * records },
    },
    zone,
    clock,
  );

const bytesOf = (parts: readonly ContentChange[]) =>
  parts.reduce((all, { recordset }) => all + recordset.bytes, 0);

/** Creates a zone with these parts, whose head says what is given. */
const create = (zone: Zone, parts: Iterable<ContentChange>, growth: Totals) =>
  store.transaction(async (tx) => {
    await tx.zones.lockName(zone.name);
    const contents = { growth, largest: { now: 1, before: 0 }, parts, steps: true };
    return changes.apply(tx, { kind: 'creation', zone, contents }, await lockOwners(tx, 'shop'));
  });

const stored = (id: string) => store.zones.find(id, 'all projects');

describe('a change of a zone', () => {
  it('whose parts come to something else than its head says leaves nothing behind', async () => {
    const zone = newZone();
    const parts = ['a', 'b'].map((label) => ({ kind: 'added', recordset: host(zone, label, 1) }) as const);
    const bytes = bytesOf(parts);
    for (const growth of [
      { recordsets: 1, records: 2, bytes },
      { recordsets: 2, records: 3, bytes },
      { recordsets: 2, records: 2, bytes: bytes - 1 },
    ]) {
      await expect(create(zone, parts, growth)).rejects.toThrow('differ from its head');
    }
    expect(await stored(zone.id)).toBeUndefined();
    await create(zone, parts, { recordsets: 2, records: 2, bytes });
    expect(await stored(zone.id)).toMatchObject({ recordsets: 2, records: 2, bytes });
  });

  it('takes in a stream of parts without holding all of them', async () => {
    const zone = newZone();
    const count = 2345;
    let made = 0;
    function* parts(): Generator<ContentChange> {
      for (; made < count; made++) yield { kind: 'added', recordset: host(zone, `h${made}`, 2) };
    }
    let bytes = 0;
    for (let number = 0; number < count; number++) bytes += host(zone, `h${number}`, 2).bytes;
    await create(zone, parts(), { recordsets: count, records: 2 * count, bytes });
    expect(made).toBe(count);
    const query = { filters: {}, sortKey: 'created_at', sortDir: 'asc', limit: 1, isCounted: true } as const;
    const { total } = await store.recordsets.list(query, { zoneId: zone.id }, zone.projectId);
    expect(total).toBe(count + 2);
    expect(await stored(zone.id)).toMatchObject({ recordsets: count, records: 2 * count, bytes });
  });

  it('that grows is refused where its owner is not locked, since the limits would not hold', async () => {
    const zone = newZone();
    await create(zone, [], { recordsets: 0, records: 0, bytes: 0 });
    const grow = store.transaction(async (tx) => {
      const locked = (await tx.zones.lock(zone.id, 'all projects'))!;
      const contents = contentsOf({ kind: 'added', recordset: host(locked, 'a', 1) });
      return changes.apply(tx, { kind: 'update', zone: locked, properties: {}, contents });
    });
    await expect(grow).rejects.toThrow('is not locked');
    expect(await stored(zone.id)).toMatchObject({ recordsets: 0, version: 1 });
  });

  it('steps the serial once, and the counters are what the parts come to, whatever they are', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });
    const projectBefore = await store.projects.state('shop');
    let zones = 0;
    let recordsets = 0;
    await fc.assert(
      fc.asyncProperty(sizes, sizes, async (first, second) => {
        const zone = newZone();
        const made = first.map((size, place) => host(zone, `a${place}`, size));
        const total = first.reduce((all, size) => all + size, 0);
        const added = made.map((recordset) => ({ kind: 'added', recordset }) as const);
        await create(zone, added, { recordsets: first.length, records: total, bytes: bytesOf(added) });
        const before = (await stored(zone.id))!;
        // The first is removed, the others get as many records as the second list says, and one is new.
        const parts: ContentChange[] = made.map((recordset, place) => {
          if (place === 0) return { kind: 'removed', recordset };
          const size = second[place % second.length]!;
          return {
            kind: 'replaced',
            before: recordset,
            recordset: { ...host(zone, `a${place}`, size), id: recordset.id },
          };
        });
        parts.push({ kind: 'added', recordset: host(zone, 'new', second[0]!) });
        await store.transaction(async (tx) => {
          const locked = (await tx.zones.lock(zone.id, 'all projects'))!;
          const change = {
            kind: 'update',
            zone: locked,
            properties: {},
            contents: contentsOf(...parts),
          } as const;
          await changes.apply(tx, change, await lockOwners(tx, 'shop'));
        });
        const kept = parts.filter(({ kind }) => kind !== 'removed');
        const records = kept.reduce((all, { recordset }) => all + recordset.records.length, 0);
        const after = (await stored(zone.id))!;
        expect(after).toMatchObject({
          recordsets: kept.length,
          records,
          bytes: bytesOf(kept),
          version: before.version + 1,
        });
        expect(after.serial).toBeGreaterThan(before.serial);
        zones += 1;
        recordsets += kept.length;
      }),
      { numRuns: 20 },
    );
    const project = await store.projects.state('shop');
    expect(project.zones - projectBefore.zones).toBe(zones);
    expect(project.recordsets - projectBefore.recordsets).toBe(recordsets);
  });
});
