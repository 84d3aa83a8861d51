/** Forgets deleted zones that are too old or too many. */
import { type Clock, earlier } from '../../model/clock.ts';
import type { DeletedZoneBounds, DeletedZoneUpkeep } from '../../model/deleted-zones/store.ts';
import type { Store } from '../../model/store.ts';
import type { Job } from '../../runtime/jobs.ts';
import { Lease } from '../../runtime/lease.ts';
import type { Log } from '../../runtime/log.ts';

/** What a project keeps. */
const BOUNDS: DeletedZoneBounds = { zones: 1000, bytes: 268_435_456 };

/** How long a process that has died keeps others from the upkeep. */
const LEASE_MS = 10_000;
/** Time between two passes. */
const INTERVAL_MS = 15_000;
/** Interval at which a process checks whether a pass is due. */
const POLL_MS = 2000;
/** Pause between two slices, since the store has other work. */
const GAP_MS = 5;
/** Zones, or parts of their contents, of a slice. */
const ROWS = 100;
const DAY_MS = 86_400_000;

export interface DeletedZoneJobDeps {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long deleted zones are kept, in days. */
  readonly deletedZoneDays: number;
}

/**
 * One slice of the upkeep.
 * @returns true if more is left
 */
export async function forgetSome(
  upkeep: DeletedZoneUpkeep,
  { clock, deletedZoneDays }: Pick<DeletedZoneJobDeps, 'clock' | 'deletedZoneDays'>,
  bounds: DeletedZoneBounds = BOUNDS,
): Promise<boolean> {
  if (await upkeep.removeContents(ROWS)) return true;
  if (await upkeep.expire(earlier(clock.now(), deletedZoneDays * DAY_MS), ROWS)) return true;
  return upkeep.shorten(bounds, ROWS);
}

/** The job that forgets deleted zones, in one process at a time. */
export function deletedZoneJob(deps: DeletedZoneJobDeps): Job {
  const lease = new Lease('deleted-zones', deps, LEASE_MS);
  return {
    name: 'deleted-zones',
    intervalMs: POLL_MS,
    firstAfterMs: POLL_MS,
    gapMs: GAP_MS,
    retry: { firstMs: POLL_MS, factor: 2, maxMs: INTERVAL_MS },
    lease: { lease, everyMs: INTERVAL_MS },
    slice: () =>
      deps.store.transaction(async (tx) => {
        if (!(await lease.extend(tx))) throw new Error('another process has taken over the deleted zones');
        return forgetSome(tx.deletedZones, deps);
      }),
  };
}
