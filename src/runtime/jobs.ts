/** The one way in which work goes on beside the requests. */
import type { Backoff } from './backoff.ts';
import type { Lease } from './lease.ts';
import type { Log } from './log.ts';
import { Loop } from './loop.ts';
import { pause } from './pause.ts';

/** Work beside the requests, done in slices. */
export interface Job {
  /** Its name in metrics, logs and service statuses. */
  readonly name: string;
  /** The pause after a slice that left nothing to do, unless the job is woken. */
  readonly intervalMs: number;
  /** The pause before the first slice, unless the job is woken; none by default. */
  readonly firstAfterMs?: number | undefined;
  /** The shortest pause between two slices; none by default. */
  readonly gapMs?: number | (() => number) | undefined;
  /** The pauses after failures. */
  readonly retry: Backoff;
  /** Whether the job pauses while requests are waiting, for a second at most. */
  readonly yieldsToRequests?: boolean | undefined;
  /** Lets one process at a time do the job. */
  readonly lease?: JobLease | undefined;
  /** Whether the lease is worth taking; asked before each attempt. */
  isDue?(): Promise<boolean>;
  /**
   * Does a bounded part of the work.
   * @param signal fires when the service stops, or when the lease is lost
   * @returns whether more can be done at once
   */
  slice(signal: AbortSignal): Promise<boolean>;
  /** Ends what slices have begun under a lease, before the lease is given back. */
  release?(): Promise<void>;
  /** Ends the job for good, after the last slice of every job. It must not throw. */
  finish?(): Promise<void>;
}

export interface JobLease {
  readonly lease: Lease;
  /** From the beginning of a run until the job is due again, in any process; a run ends when nothing is left to do. */
  readonly everyMs?: number | undefined;
  /** Whether a process keeps the lease for as long as it lives, instead of one run. */
  readonly isKept?: boolean | undefined;
  /** How often a process without the lease asks for it; `intervalMs` by default. */
  readonly pollMs?: number | undefined;
}

/** What a process has done of a job. */
export interface JobStats {
  readonly intervalMs: number;
  /** Slices that ended without an error, and those that did not. */
  readonly slices: number;
  readonly failures: number;
  /** When the last slice ended without an error, and how long it took. */
  readonly lastSuccessAt: string | undefined;
  readonly lastMs: number | undefined;
}

export interface JobDeps {
  readonly log: Log;
  readonly clock: { now(): string };
  readonly meter: { jobEnded(job: string, seconds: number, isDone: boolean): void };
  /** Whether requests are waiting. */
  isBusy(): boolean;
}

/** A job that has been started. */
export interface StartedJob {
  /** Begins the next slice soon. Calls during a slice are combined. */
  wake(): void;
}

const NOT_YET = { slices: 0, failures: 0, lastSuccessAt: undefined, lastMs: undefined };
const YIELD_STEP_MS = 20;
const MAX_YIELD_MS = 1000;

/** Runs the jobs of one process, and stops them together. */
export class Jobs {
  readonly #deps: JobDeps;
  readonly #stopping = new AbortController();
  readonly #started: { readonly job: Job; readonly done: Promise<void> }[] = [];
  readonly #stats = new Map<string, JobStats>();

  constructor(deps: JobDeps) {
    this.#deps = deps;
  }

  /** Fires when the jobs are stopped. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** What each job has done so far, by name. */
  get stats(): ReadonlyMap<string, JobStats> {
    return this.#stats;
  }

  start(job: Job): StartedJob {
    this.#stats.set(job.name, { ...NOT_YET, intervalMs: job.intervalMs });
    const { loop, wake } = job.lease === undefined ? this.#free(job) : this.#leased(job, job.lease);
    this.#started.push({ job, done: loop.run() });
    return { wake };
  }

  /** Ends each job after the slice in progress, then finishes them in the order of their start. */
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
    return { loop, wake: () => (holding ?? loop).wake() };
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

  /** Work that yields still goes on, however busy the service is. */
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
