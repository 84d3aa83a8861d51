import { later } from '../../model/clock.ts';
import type { TargetIndexProgress } from '../../model/guardrails/store.ts';
import type { Store } from '../../model/store.ts';
import type { Job } from '../../runtime/jobs.ts';
import { Lease, type LeaseDeps } from '../../runtime/lease.ts';

const LEASE_MS = 10_000;
/** Between two slices, which take some milliseconds each: requests come first. */
const GAP_MS = 10;
/**
 * During a rolling restart, processes of the version before still write recordsets that they do not index. A day later
 * they are gone, and a second pass finds what they left.
 */
const SECOND_PASS_AFTER_MS = 86_400_000;

interface TargetIndexJobDeps extends LeaseDeps {
  readonly store: Pick<Store, 'transaction' | 'targetIndex'>;
}

function isPassDue({ passes, finishedAt }: TargetIndexProgress, now: string): boolean {
  if (passes === 0) return true;
  return passes === 1 && later(finishedAt, SECOND_PASS_AFTER_MS) <= now;
}

/** Indexes the targets of recordsets that earlier versions wrote, in one process at a time. */
export function targetIndexJob({ store, clock, log }: TargetIndexJobDeps): Job {
  const lease = new Lease('target index', { store, clock, log }, LEASE_MS);
  return {
    name: 'target-index',
    intervalMs: 60_000,
    gapMs: GAP_MS,
    retry: { firstMs: 2000, factor: 2, maxMs: 600_000 },
    lease: { lease },
    isDue: async () => isPassDue(await store.targetIndex.progress(), clock.now()),
    slice: () =>
      store.transaction(
        async (tx) => (await lease.extend(tx)) && (await tx.targetIndex.indexNext(clock.now())),
      ),
  };
}
