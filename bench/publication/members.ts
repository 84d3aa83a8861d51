/** Zones that are published already, with their place in the catalog, written straight into the store. */

import { apexRecordsets } from '../../src/domain/zones/apex.ts';
import { epochSeconds } from '../../src/model/clock.ts';
import { DEFAULT_POOL_ID } from '../../src/model/pools/pool.ts';
import type { Transaction } from '../../src/model/store.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { clock, filledZone, inBatches } from '../support/filled.ts';
import { PROJECT, type Stage } from './stage.ts';

const APEX = {
  nameServers: ['ns1.example.net.'],
  soaRefreshMin: 3500,
  soaRefreshMax: 3600,
  soaRetry: 600,
  soaExpire: 86_400,
  soaMinimum: 3600,
};

function publish(tx: Transaction, zone: Zone): Promise<void> {
  tx.publications.enroll(zone);
  return tx.publications.settle([
    {
      orderId: zone.id,
      poolId: zone.pool.id,
      claimedUntil: zone.createdAt,
      publishedSerial: zone.serial,
      isDone: true,
      dueAt: '',
      error: '',
      servers: [],
    },
  ]);
}

/**
 * Gives a catalog so many members. The service sees each batch when it is whole, and has nothing to do for it.
 * @param made is called with the name and serial of each
 */
export function fillCatalog(
  { store }: Stage,
  members: number,
  made: (name: string, serial: number) => void,
): Promise<void> {
  return inBatches(store, members, async (tx, from, to) => {
    const seconds = epochSeconds(clock.now());
    for (let number = from; number < to; number++) {
      const zone = { ...filledZone(`member-${number}.example.`, PROJECT), serial: seconds };
      tx.zones.insert(zone);
      tx.recordsets.insertApex({ recordsets: apexRecordsets(zone, APEX, clock), serial: zone.serial });
      await publish(tx, zone);
      made(zone.name, zone.serial);
    }
    tx.projects.grow(PROJECT, { zones: to - from });
    await tx.publications.moveCatalog(DEFAULT_POOL_ID, seconds, to - from);
  });
}
