/** Runs all background work. */
import type { Backoff } from './backoff.ts';
import type { Lease } from './lease.ts';
import type { Log } from './log.ts';
import { Loop } from './loop.ts';
import { pause } from './pause.ts';
import type { Wakeup } from './wakeup.ts';

/** Background work, done in slices. */
export interface Job {
  /** Name in metrics, logs and service statuses. */
  readonly name: string;
  /** Pause after a slice that left nothing to do. `wake` cuts it short. */
  readonly intervalMs: number;
  /** Pause before the first slice; none by default. `wake` cuts it short. */
  readonly firstAfterMs?: number | undefined;
  /** Minimum pause between two slices; none by default. */
  readonly gapMs?: number | (() => number) | undefined;
  /** Starts the next slice soon, like `wake`. */
  readonly wakeup?: Wakeup | undefined;
  /** Pauses after failures. */
  readonly retry: Backoff;
  /** True to pause after each slice while requests are waiting, for at most one second. */
  readonly yieldsToRequests?: boolean | undefined;
  /** Restricts the job to one process at a time. */
  readonly lease?: JobLease | undefined;
  /** True if the job has work that is worth the lease. Called before each attempt to take it. */
  isDue?(): Promise<boolean>;
  /**
   * Does a bounded part of the work.
   * @param signal fires when the service stops or the lease is lost
   * @returns true if there is more to do now
   */
  slice(signal: AbortSignal): Promise<boolean>;
  /** Ends what slices started under a lease, before the lease is released. */
  release?(): Promise<void>;
  /** Ends the job for good, after the last slice of every job. Must not throw. */
  finish?(): Promise<void>;
}

export interface JobLease {
  readonly lease: Lease;
  /**
   * Time from the start of one run to the start of the next, across processes. A run ends when nothing is left to do.
   */
  readonly everyMs?: number | undefined;
  /** True to keep the lease for the lifetime of the process instead of one run. */
  readonly isKept?: boolean | undefined;
  /** Interval at which a process without the lease tries to take it; `intervalMs` by default. */
  readonly pollMs?: number | undefined;
}

/** Statistics of a job in this process. */
export interface JobStats {
  readonly intervalMs: number;
  /** Slices that succeeded, and slices that failed. */
  readonly slices: number;
  readonly failures: number;
  /** End of the last successful slice, and its duration. */
  readonly lastSuccessAt: string | undefined;
  readonly lastMs: number | undefined;
}

export interface JobDeps {
  readonly log: Log;
  readonly clock: { now(): string };
  readonly meter: { jobEnded(job: string, seconds: number, isDone: boolean): void };
  /** True while requests are waiting. */
  isBusy(): boolean;
}

/** Handle of a started job. */
export interface StartedJob {
  /** Starts the next slice soon. Calls during a slice are combined. */
  wake(): void;
}

const NOT_YET = { slices: 0, failures: 0, lastSuccessAt: undefined, lastMs: undefined };
const YIELD_STEP_MS = 20;
const MAX_YIELD_MS = 1000;

/** Runs the jobs of one process and stops them together. */
export class Jobs {
  readonly #deps: JobDeps;
  readonly #stopping = new AbortController();
  readonly #started: { readonly job: Job; readonly done: Promise<void> }[] = [];
  readonly #stats = new Map<string, JobStats>();

  constructor(deps: JobDeps) {
    this.#deps = deps;
  }

  /** Fires when `stop` is called. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Statistics of each job, by name. */
  get stats(): ReadonlyMap<string, JobStats> {
    return this.#stats;
  }

  start(job: Job): StartedJob {
    this.#stats.set(job.name, { ...NOT_YET, intervalMs: job.intervalMs });
    const { loop, wake } = job.lease === undefined ? this.#free(job) : this.#leased(job, job.lease);
    job.wakeup?.connect(wake);
    this.#started.push({ job, done: loop.run() });
    return { wake };
  }

  /** Ends each job after its current slice, then calls `finish` in the order in which the jobs were started. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#started.map(({ done }) => done));
    for (const { job } of this.#started) await job.finish?.();
  }

  #free(job: Job) {
    const loop = this.#loopOf(job, () => this.#slice(job, this.signal), this.signal);
    return { loop, wake: () => loop.wake() };
  }

  #leased(job: Job, { lease, everyMs = 0, isKept = false, pollMs = job.intervalMs }: JobLease) {
    let holding: Loop | undefined;
    const work = async (held: AbortSignal): Promise<void> => {
      try {
        if (!isKept) return await this.#untilDone(job, held);
        holding = this.#loopOf({ ...job, firstAfterMs: 0 }, () => this.#slice(job, held), held);
        await holding.run();
      } finally {
        holding = undefined;
        await job.release?.();
      }
    };
    const turn = async (): Promise<boolean> => {
      if ((await job.isDue?.()) ?? true) await lease.run(everyMs, this.signal, work);
      return false;
    };
    const loop = this.#loopOf({ ...job, gapMs: 0, intervalMs: pollMs }, turn, this.signal);
    // Without a kept lease there is nothing to do: a wake must not ask the store for it.
    const wake = () => (isKept ? holding : loop)?.wake();
    return { loop, wake };
  }

  async #untilDone(job: Job, held: AbortSignal): Promise<void> {
    while (await this.#slice(job, held)) {
      if (!(await pause(gapOf(job), held))) return;
    }
  }

  #loopOf(job: Job, turn: () => Promise<boolean>, signal: AbortSignal): Loop {
    const { log } = this.#deps;
    const work = {
      turn,
      gapMs: () => gapOf(job),
      failed: (err: unknown) => log.error({ err, job: job.name }, 'a job failed: retrying'),
      recovered: () => log.info({ job: job.name }, 'a job works again'),
    };
    return new Loop(work, job, signal);
  }

  async #slice(job: Job, signal: AbortSignal): Promise<boolean> {
    const begunAt = performance.now();
    let isDone = false;
    try {
      const isMore = await job.slice(signal);
      isDone = true;
      return isMore;
    } finally {
      this.#note(job, performance.now() - begunAt, isDone);
      if (job.yieldsToRequests) await this.#yield(signal);
    }
  }

  #note({ name }: Job, ms: number, isDone: boolean): void {
    const { clock, meter } = this.#deps;
    meter.jobEnded(name, ms / 1000, isDone);
    const before = this.#stats.get(name)!;
    const after = isDone
      ? { ...before, slices: before.slices + 1, lastSuccessAt: clock.now(), lastMs: ms }
      : { ...before, failures: before.failures + 1 };
    this.#stats.set(name, after);
  }

  /** Waits for a limited time, so that the job makes progress however busy the service is. */
  async #yield(signal: AbortSignal): Promise<void> {
    const begunAt = performance.now();
    while (this.#deps.isBusy() && performance.now() - begunAt < MAX_YIELD_MS) {
      if (!(await pause(YIELD_STEP_MS, signal))) return;
    }
  }
}

function gapOf({ gapMs = 0 }: Job): number {
  return typeof gapMs === 'number' ? gapMs : gapMs();
}
