/** Keeps the journal of zone changes within its bounds. */
import { type Clock, earlier } from '../../model/clock.ts';
import { minIdAt } from '../../model/events/event-id.ts';
import type { HistoryUpkeep } from '../../model/history/store.ts';
import type { Store } from '../../model/store.ts';
import type { Job } from '../../runtime/jobs.ts';
import { Lease } from '../../runtime/lease.ts';
import type { Log } from '../../runtime/log.ts';
import type { HistorySettings } from '../zones/change-journal.ts';

/** How long a process that has died keeps others from the upkeep. */
const LEASE_MS = 10_000;
/** Time between two passes. */
const INTERVAL_MS = 15_000;
/** Interval at which a process checks whether a pass is due. */
const POLL_MS = 2000;
/** Pause between two slices, since the store has other work. */
const GAP_MS = 5;
/** Changes of a slice. */
const CHANGES = 500;
/** How long a change may take from its id to its commit. Changes are counted in the order of their ids. */
const SETTLED_MS = 60_000;
const DAY_MS = 86_400_000;

export interface HistoryJobDeps {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly history: HistorySettings;
}

type Step = (upkeep: HistoryUpkeep) => Promise<boolean>;

/**
 * One pass of the upkeep, in slices.
 * @returns true if more is left
 */
export function historyUpkeep({ clock, history }: Pick<HistoryJobDeps, 'clock' | 'history'>): Step {
  const idBefore = (milliseconds: number) => minIdAt(earlier(clock.now(), milliseconds));
  const steps: readonly Step[] = [
    (upkeep) => upkeep.removeForgotten(CHANGES),
    (upkeep) => upkeep.count(idBefore(SETTLED_MS), CHANGES),
    (upkeep) => upkeep.shorten(history, CHANGES),
    (upkeep) => upkeep.expire(idBefore(Math.max(SETTLED_MS, history.days * DAY_MS)), CHANGES),
  ];
  return async (upkeep) => {
    for (const step of steps) if (await step(upkeep)) return true;
    return false;
  };
}

/** The job that keeps the history within its bounds, in one process at a time. */
export function historyJob(deps: HistoryJobDeps): Job {
  const lease = new Lease('history', deps, LEASE_MS);
  const step = historyUpkeep(deps);
  return {
    name: 'history',
    intervalMs: POLL_MS,
    firstAfterMs: POLL_MS,
    gapMs: GAP_MS,
    retry: { firstMs: POLL_MS, factor: 2, maxMs: INTERVAL_MS },
    lease: { lease, everyMs: INTERVAL_MS },
    slice: () =>
      deps.store.transaction(async (tx) => {
        if (!(await lease.extend(tx))) throw new Error('another process has taken over the history of zones');
        return step(tx.history);
      }),
  };
}
