/**
 * Updates the zones of a pool after the pool has changed: in batches, by whichever process has time, restarted as often
 * as needed.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../model/clock.ts';
import { DomainError } from '../../model/errors.ts';
import type { Backlog, BacklogKind } from '../../model/pools/store.ts';
import type { Store, Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { Job } from '../../runtime/jobs.ts';
import type { Log } from '../../runtime/log.ts';
import { type ApexSettings, nameServersOf } from '../zones/apex.ts';
import { apexChange } from '../zones/apex-change.ts';
import type { ZoneChanges } from '../zones/zone-changes.ts';

/** Zones per batch. */
const ORDERS_OF_A_STRETCH = 500;
const APEXES_OF_A_STRETCH = 100;

export interface PoolJobDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly changes: ZoneChanges;
  readonly apex: ApexSettings;
  readonly log: Log;
}

interface Stretch {
  readonly backlog: Backlog;
  readonly zoneIds: readonly string[];
  /** The last zone of this batch; null if it is the final one. */
  readonly to: string | null;
}

const TIMES = {
  intervalMs: 1000,
  gapMs: 5,
  retry: { firstMs: 100, factor: 2, maxMs: 5000 },
  yieldsToRequests: true,
} as const;

export function poolJobs({ store, clock, changes, apex, log }: PoolJobDeps) {
  async function nextStretch(kind: BacklogKind, limit: number): Promise<Stretch | undefined> {
    const backlog = await store.pools.backlog(kind);
    if (backlog === undefined) return undefined;
    const zoneIds = await store.pools.zonesAfter(backlog.poolId, backlog.after, limit);
    return { backlog, zoneIds, to: zoneIds.length < limit ? null : zoneIds.at(-1)! };
  }

  async function renewApex(tx: Transaction, zone: Zone): Promise<void> {
    const contents = await apexChange(tx, zone, nameServersOf(zone, apex), clock);
    if (contents !== undefined) await changes.apply(tx, { kind: 'update', zone, properties: {}, contents });
  }

  /** A zone that cannot be changed does not hold up the others. */
  async function tryZone(id: string): Promise<void> {
    try {
      await store.transaction(async (tx) => {
        const zone = await tx.zones.lock(id, 'all projects');
        if (zone?.type === 'PRIMARY' && zone.action !== 'DELETE') await renewApex(tx, zone);
      });
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind === 'storage_unavailable') throw error;
      log.error({ zone_id: id, err: error }, 'could not update the name servers of a zone');
    }
  }

  /** Whether zones of the pool are left to be ordered anew. */
  async function reorder(): Promise<boolean> {
    const stretch = await nextStretch('orders', ORDERS_OF_A_STRETCH);
    if (stretch === undefined) return false;
    const { backlog, zoneIds, to } = stretch;
    await store.transaction(async (tx) => {
      // If this fails, another process has done this batch, or the work has to restart.
      if (!(await tx.pools.advance('orders', backlog, to))) return;
      tx.publications.orderAnew(zoneIds, clock.now());
    });
    return true;
  }

  /** Each zone has a transaction of its own; those that are right already are left alone. Whether zones are left. */
  async function renewApexes(): Promise<boolean> {
    const stretch = await nextStretch('apexes', APEXES_OF_A_STRETCH);
    if (stretch === undefined) return false;
    for (const id of stretch.zoneIds) await tryZone(id);
    await store.transaction((tx) => tx.pools.advance('apexes', stretch.backlog, stretch.to));
    return true;
  }

  return {
    /**
     * Starts to apply the option `ns_records` to the zones that use it, if its value has changed. All processes use the
     * value of the one that was started last.
     */
    async adoptOption(): Promise<void> {
      const before = await store.pools.option();
      if (isDeepStrictEqual(before, apex.nameServers)) return;
      const isNew = await store.transaction(async (tx) => {
        await tx.pools.lockAll();
        return tx.pools.keepOption(apex.nameServers, clock.now());
      });
      if (isNew && before !== undefined)
        log.info({ ns_records: apex.nameServers }, 'zones are switching to the name servers in the option');
    },

    /** Orders the zones of a pool anew after its servers, threshold, catalog, key or signing have changed. */
    reorder: { ...TIMES, name: 'pool-reorder', slice: reorder } satisfies Job,

    /** Brings the NS records and the SOA of zones to those of their pool. */
    renewApexes: { ...TIMES, name: 'pool-apexes', slice: renewApexes } satisfies Job,
  };
}
