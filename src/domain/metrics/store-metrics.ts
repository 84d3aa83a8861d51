import type { Clock } from '../../model/clock.ts';
import type { NearLimits, StoreCounts } from '../../model/metrics/store.ts';
import type { Limits } from '../../model/quotas/quota.ts';
import type { Store } from '../../model/store.ts';
import type { Job } from '../../runtime/jobs.ts';
import { Wakeup } from '../../runtime/wakeup.ts';
import { readWhenChanged, stateOfProjects } from './unchanged.ts';

/** Minimum time between two reads, in milliseconds. */
const REFRESH_MS = 30_000;
/** Time of the first read after the start, in milliseconds: the start has other work. */
const FIRST_AFTER = 5000;
/** How long reads go on after the last request for metrics, in milliseconds. */
const KEPT_FOR = 600_000;

/** Metrics of the store, and the time of their read in the milliseconds of `performance.now()`. */
export interface TimedMetrics<T> {
  readonly values: T;
  readonly readAt: number;
}

export interface StoreMetrics {
  /** The metrics read last. Each call keeps the reads going. */
  present(): {
    readonly counts: TimedMetrics<StoreCounts> | undefined;
    readonly limits: TimedMetrics<NearLimits> | undefined;
  };
  readonly job: Job;
}

export interface StoreMetricsDeps {
  readonly store: Pick<Store, 'metrics' | 'events' | 'usage'>;
  readonly clock: Clock;
  readonly quotas: Limits;
  readonly maxZoneSize: number;
}

/** Reads the metrics of the store; those that go through all projects only after a change. */
export function metricsReader({ store, clock, quotas, maxZoneSize }: StoreMetricsDeps) {
  const projects = readWhenChanged(() => store.metrics.projects());
  const limits = readWhenChanged(() => store.metrics.nearLimits(quotas, maxZoneSize));
  return {
    async counts(): Promise<StoreCounts> {
      const waiting = await store.metrics.waiting(clock.now());
      return { ...waiting, ...(await projects(await stateOfProjects(store))) };
    },
    limits: async (): Promise<NearLimits> => limits(await stateOfProjects(store)),
  };
}

/** Metrics of the store, read soon after the start, and every 30 s while they are requested. */
export function storeMetrics(deps: StoreMetricsDeps): StoreMetrics {
  const reader = metricsReader(deps);
  let counts: TimedMetrics<StoreCounts> | undefined;
  let limits: TimedMetrics<NearLimits> | undefined;
  let begunAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  const wakeup = new Wakeup();

  /** After a failure the metrics stay as they were, and their age shows it. */
  async function read<T>(reading: Promise<T>): Promise<TimedMetrics<T>> {
    return { values: await reading, readAt: performance.now() };
  }

  const isWanted = (now: number): boolean => begunAt === Number.NEGATIVE_INFINITY || now - askedAt < KEPT_FOR;
  const isDue = (now: number): boolean => now - begunAt >= REFRESH_MS && isWanted(now);

  return {
    present() {
      askedAt = performance.now();
      if (isDue(askedAt)) wakeup.wake();
      return { counts, limits };
    },

    job: {
      name: 'store-metrics',
      intervalMs: REFRESH_MS,
      firstAfterMs: FIRST_AFTER,
      wakeup,
      retry: { firstMs: REFRESH_MS, factor: 1, maxMs: REFRESH_MS },
      async slice() {
        const now = performance.now();
        if (!isDue(now)) return false;
        begunAt = now;
        counts = await read(reader.counts());
        limits = await read(reader.limits());
        return false;
      },
    },
  };
}
