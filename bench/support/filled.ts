/** Rows for stores that are filled through the storage layer. */
import { randomUUID } from 'node:crypto';
import { canonicalName } from '../../src/dns/names.ts';
import { systemClock } from '../../src/model/clock.ts';
import type { Recordset } from '../../src/model/recordsets/recordset.ts';
import type { Store, Transaction } from '../../src/model/store.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { emptyZone } from '../../test/support/zone.ts';

export const clock = systemClock();
const BATCH = 5000;

export function filledZone(name: string, projectId: string): Zone {
  return emptyZone(name, { projectId, ttl: 3600 });
}

function filledRecordset(zone: Pick<Zone, 'id' | 'name'>, projectId: string, number: number): Recordset {
  return {
    id: randomUUID(),
    zoneId: zone.id,
    projectId,
    name: canonicalName(`filled-${number}.${zone.name}`),
    type: 'A',
    ttl: null,
    records: ['192.0.2.1'],
    spellings: {},
    bytes: 30,
    description: null,
    protection: null,
    expiresAt: null,
    managed: false,
    version: 1,
    createdAt: clock.now(),
    updatedAt: null,
  };
}

export type Fill = (tx: Transaction, from: number, to: number) => Promise<void>;

/** Fills a store with so many rows, in batches of one transaction each. */
export async function inBatches(store: Store, count: number, fill: Fill): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    await store.transaction((tx) => fill(tx, from, Math.min(from + BATCH, count)));
  }
}

/** Gives a zone so many recordsets of one record, without a step of its serial. */
export function fillZone(store: Store, projectId: string, zoneId: string, count: number): Promise<void> {
  return inBatches(store, count, async (tx, from, to) => {
    const zone = (await tx.zones.lock(zoneId, 'all projects'))!;
    const rows = Array.from({ length: to - from }, (_, place) =>
      filledRecordset(zone, projectId, from + place),
    );
    await tx.recordsets.insert(rows, zone.serial);
    tx.projects.grow(projectId, { recordsets: rows.length });
    const grown = { ...zone, recordsets: zone.recordsets + rows.length, records: zone.records + rows.length };
    tx.zones.update(grown, (await tx.publications.soaOf(zone))!);
  });
}
