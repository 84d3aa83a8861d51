import { earlier, epochSeconds } from '../../model/clock.ts';
import type { Job } from '../../runtime/jobs.ts';
import type { WorkerDeps } from './deps.ts';
import type { PoolsAndKeysCache } from './pools-and-keys.ts';
import type { WorkerSettings } from './settings.ts';

interface OrderUpkeepDeps extends WorkerDeps {
  readonly settings: WorkerSettings;
  readonly directories: PoolsAndKeysCache;
  wake(): void;
}

/** Creates missing orders at startup, after pool changes, and every minute. Otherwise it only reads the pools. */
export function reconciliation(parts: OrderUpkeepDeps): Job {
  const { store, directories, settings, clock, finish, wake } = parts;
  let knownMark = '';
  let reconciledAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'order-reconciliation',
    intervalMs: settings.pollMs,
    gapMs: settings.minGapMs,
    retry: settings.storeBackoff,
    yieldsToRequests: true,
    async slice() {
      const { mark } = await directories.current();
      const now = performance.now();
      if (mark === knownMark && now - reconciledAt < settings.reconcileIntervalMs) return false;
      const { changed, gone, isMore } = await store.transaction((tx) =>
        tx.publications.reconcile(settings.reconcileBatch, clock.now()),
      );
      for (const orderId of gone) await finish(orderId, false);
      if (changed > 0) wake();
      if (isMore) return true;
      knownMark = mark;
      reconciledAt = now;
      return false;
    },
  };
}

/** Removes former zones, and members that left catalogs, after their retention period. */
export function formerZoneRemoval({ store, clock, settings }: OrderUpkeepDeps): Job {
  /** The name up to which former zones were read; undefined before the first and after the last page. */
  let readTo: string | undefined;
  return {
    name: 'former-zone-removal',
    intervalMs: settings.pruneIntervalMs,
    gapMs: settings.minGapMs,
    retry: settings.storeBackoff,
    yieldsToRequests: true,
    async slice() {
      const before = earlier(clock.now(), settings.formerNamesForMs);
      const { pruneBatch } = settings;
      const isMore = await store.transaction(async ({ publications }) => {
        readTo = await publications.pruneFormer(before, readTo ?? '', pruneBatch);
        return publications.pruneCatalogs(epochSeconds(before), pruneBatch);
      });
      return isMore || readTo !== undefined;
    },
  };
}
