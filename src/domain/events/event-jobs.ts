/** Seals committed events, removes old ones, and writes refusals, beside the requests. */
import type { Backoff } from '../../runtime/backoff.ts';
import type { Job } from '../../runtime/jobs.ts';
import { Lease, type LeaseDeps } from '../../runtime/lease.ts';
import type { EventSealing } from './sealing.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;
/** How long a process that has died keeps others from sealing. */
const LEASE_MS = 10 * SECOND_MS;
/** How often a process checks that some process is sealing. */
const TAKE_OVER_MS = 2 * SECOND_MS;
/** How often the sealing process looks for events that other processes have committed. */
const POLL_MS = 250;
/** The shortest time between two transactions: the longer, the more events each has, and the fewer flushes the disk. */
const GAP_MS = 700;
/** This time while more events wait than one transaction takes. */
const BUSY_GAP_MS = 20;
const RETRY: Backoff = { firstMs: 100, factor: 2, maxMs: 5 * SECOND_MS };

export interface EventJobDeps extends LeaseDeps {
  readonly sealing: EventSealing;
  flushRefusals(): Promise<void>;
}

export interface EventJobs {
  readonly refusals: Job;
  readonly sealing: Job;
  readonly removal: Job;
}

/** The jobs of events. Each process writes its refusals; one at a time seals, and one removes. */
export function eventJobs(deps: EventJobDeps): EventJobs {
  const { sealing, log, flushRefusals } = deps;
  let loggedHead = 0;
  let isMore = false;
  let hasSealed = false;

  /** A copy of this line that is kept elsewhere proves later that no event before it was cut off. */
  async function logHead(): Promise<void> {
    const { position, hash } = await sealing.head();
    if (position === loggedHead) return;
    log.info({ position, hash }, 'the events have reached this position');
    loggedHead = position;
  }

  async function sealRest(): Promise<void> {
    if (!hasSealed) return;
    while (await sealing.seal());
    await logHead();
  }

  return {
    refusals: {
      name: 'refusals',
      intervalMs: SECOND_MS,
      firstAfterMs: SECOND_MS,
      retry: RETRY,
      async slice() {
        await flushRefusals();
        return false;
      },
      finish: flushRefusals,
    },

    sealing: {
      name: 'event-sealing',
      intervalMs: POLL_MS,
      gapMs: () => (isMore ? BUSY_GAP_MS : GAP_MS),
      retry: RETRY,
      lease: { lease: new Lease('seal events', deps, LEASE_MS), isKept: true, pollMs: TAKE_OVER_MS },
      async slice() {
        hasSealed = true;
        isMore = await sealing.seal();
        return isMore;
      },
      async finish() {
        await sealRest().catch((err: unknown) =>
          log.warn({ err }, 'the next process must seal the last events'),
        );
      },
    },

    removal: {
      name: 'event-removal',
      intervalMs: HOUR_MS,
      gapMs: GAP_MS,
      retry: RETRY,
      lease: { lease: new Lease('remove events', deps, LEASE_MS) },
      async slice() {
        const isMoreOld = await sealing.removeOld();
        if (!isMoreOld) await logHead();
        return isMoreOld;
      },
    },
  };
}
