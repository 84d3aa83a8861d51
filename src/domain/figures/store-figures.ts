import type { Clock } from '../../model/clock.ts';
import type { NearLimits, StoreCounts } from '../../model/figures/store.ts';
import type { Limits } from '../../model/quotas/quota.ts';
import type { Store } from '../../model/store.ts';
import type { Log } from '../../runtime/log.ts';
import { readWhenChanged, stateOfProjects } from './unchanged.ts';

/** The least time between two reads, in milliseconds. */
const EVERY = 30_000;
/** When they are read first if nobody asks, in milliseconds after the start, which has other work. */
const FIRST_AFTER = 5000;
/** How long figures are read for somebody who does not ask again, in milliseconds. */
const KEPT_FOR = 600_000;

/** What was read last of the store, and when: in the milliseconds of `performance.now()`. */
export interface Kept<T> {
  readonly figures: T;
  readonly readAt: number;
}

export interface StoreFigures {
  /** What was read last, at once. Whoever asks keeps it being read. */
  present(): {
    readonly counts: Kept<StoreCounts> | undefined;
    readonly limits: Kept<NearLimits> | undefined;
  };
  /** Reads no more, and returns when nothing is read. */
  stop(): Promise<void>;
}

export interface StoreFigureDeps {
  readonly store: Pick<Store, 'figures' | 'events' | 'usage'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly quotas: Limits;
  readonly maxZoneSize: number;
}

/** Reads the figures, each time anew or, of what every project has, only after something has changed. */
export function figureReader({ store, clock, quotas, maxZoneSize }: Omit<StoreFigureDeps, 'log'>) {
  const projects = readWhenChanged(() => store.figures.projects());
  const limits = readWhenChanged(() => store.figures.nearLimits(quotas, maxZoneSize));
  return {
    async counts(): Promise<StoreCounts> {
      const waiting = await store.figures.waiting(clock.now());
      return { ...waiting, ...(await projects(await stateOfProjects(store))) };
    },
    limits: async (): Promise<NearLimits> => limits(await stateOfProjects(store)),
  };
}

/** Reads the figures of the store in the background: soon after the start, and every 30 s while somebody asks for them. */
export function startStoreFigures({ log, ...deps }: StoreFigureDeps): StoreFigures {
  const reader = figureReader(deps);
  let counts: Kept<StoreCounts> | undefined;
  let limits: Kept<NearLimits> | undefined;
  let begunAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let isStopped = false;

  /** What fails leaves the figures as they were: their age tells. */
  async function kept<T>(read: () => Promise<T>, keep: (kept: Kept<T>) => void): Promise<void> {
    try {
      const found = await read();
      keep({ figures: found, readAt: performance.now() });
    } catch (err) {
      if (!isStopped) log.warn({ err }, 'the figures of the store could not be read');
    }
  }

  async function readAll(): Promise<void> {
    await kept(
      () => reader.counts(),
      (found) => {
        counts = found;
      },
    );
    await kept(
      () => reader.limits(),
      (found) => {
        limits = found;
      },
    );
  }

  function readIfDue(): void {
    const now = performance.now();
    if (isStopped || reading !== undefined || now - begunAt < EVERY) return;
    begunAt = now;
    reading = readAll().finally(() => {
      reading = undefined;
    });
  }

  const first = setTimeout(readIfDue, FIRST_AFTER);
  first.unref();
  const timer = setInterval(() => {
    if (performance.now() - askedAt < KEPT_FOR) readIfDue();
  }, EVERY);
  timer.unref();

  return {
    present() {
      askedAt = performance.now();
      readIfDue();
      return { counts, limits };
    },
    async stop() {
      isStopped = true;
      clearTimeout(first);
      clearInterval(timer);
      await reading;
    },
  };
}
