import { DomainError, isStorageFailure } from '../../model/errors.ts';
import type { MetricsRecorder } from '../../model/metrics/metrics-recorder.ts';
import { cooperativeYield } from '../../runtime/cooperative-yield.ts';
import type { OpenTransaction } from '../database/database.ts';
import type { SqliteConnection } from './connection.ts';
import type { LargeTransactions } from './large-transactions.ts';
import { LargeTransaction, SqliteTransaction } from './transaction.ts';

/** Maximum number of jobs in one commit, so that no job waits long for the others. */
const MAX_JOBS = 64;

/** One unit of work, committed as a whole or not at all. */
interface GroupedWork {
  /** True once it has turned out to be large. */
  isLarge: boolean;
  /** Runs the work. Throws what the work throws. */
  run(tx: OpenTransaction): Promise<void>;
  /** Reports to the caller that the work is committed. */
  succeed(): void;
  fail(error: unknown): void;
}

/**
 * Runs one job as a whole transaction that has begun.
 * @returns the function that reports its outcome
 */
async function runAlone(job: GroupedWork, writer: SqliteConnection): Promise<() => void> {
  const tx = new SqliteTransaction(writer);
  await job.run(tx);
  tx.requireSuccess();
  return job.succeed;
}

/**
 * Runs one of several jobs in a savepoint, so that a failure rolls back only its own changes.
 * @returns the function that reports its outcome
 */
async function runApart(job: GroupedWork, writer: SqliteConnection): Promise<() => void> {
  const tx = new SqliteTransaction(writer);
  writer.exec('savepoint job');
  try {
    await job.run(tx);
    tx.requireSuccess();
    writer.exec('release job');
    return job.succeed;
  } catch (error) {
    // After a database failure, the work may also have failed for another reason.
    for (const failure of [tx.failure, error]) if (isStorageFailure(failure)) throw failure;
    writer.exec('rollback to job');
    writer.exec('release job');
    return () => job.fail(error);
  }
}

/**
 * Commits jobs in one transaction. No job succeeds before the commit.
 * @returns the failure of all of them, if any
 */
async function commitTogether(
  jobs: readonly GroupedWork[],
  writer: SqliteConnection,
  busyTimeoutMs: number,
): Promise<unknown> {
  const run = jobs.length === 1 ? runAlone : runApart;
  const ends: (() => void)[] = [];
  try {
    await writer.beginWriting(busyTimeoutMs);
    for (const job of jobs) ends.push(await run(job, writer));
    writer.exec('commit');
  } catch (error) {
    writer.rollback();
    for (const job of jobs) job.fail(error);
    return error;
  }
  for (const end of ends) end();
  return undefined;
}

/**
 * Commits a large job in a thread.
 * @returns its failure, if any
 */
async function commitLarge(job: GroupedWork, large: LargeTransactions): Promise<unknown> {
  try {
    await large.run((tx) => job.run(tx));
  } catch (error) {
    job.fail(error);
    return error;
  }
  job.succeed();
  return undefined;
}

export interface Transactions {
  run<T>(work: (tx: OpenTransaction) => Promise<T>): Promise<T>;
  /** Refuses new work with `storage_unavailable`, and returns when all accepted work is done. */
  end(): Promise<void>;
}

function jobOf<T>(
  work: (tx: OpenTransaction) => Promise<T>,
  resolve: (result: T) => void,
  fail: (error: unknown) => void,
): GroupedWork {
  let succeed = (): void => {};
  return {
    isLarge: false,
    async run(tx) {
      const result = await work(tx);
      succeed = () => resolve(result);
    },
    succeed: () => succeed(),
    fail(error) {
      if (error instanceof LargeTransaction) this.isLarge = true;
      else fail(error);
    },
  };
}

/**
 * Group commit: one transaction at a time. Waiting jobs share one durable commit, because the disk syncs many changes
 * as fast as one.
 */
export function groupCommit(
  writer: SqliteConnection,
  largeTransactions: LargeTransactions,
  busyTimeoutMs: number,
  meter: Pick<MetricsRecorder, 'groupCommitted'>,
): Transactions {
  let waiting: GroupedWork[] = [];
  /** True if the last commit was of a large job. */
  let wasLarge = false;
  let running: Promise<void> | undefined;
  let isEnded = false;

  /** Takes up to `most` waiting jobs, either large or not. */
  function take(areLarge: boolean, most: number): readonly GroupedWork[] {
    const taken = new Set(waiting.filter((job) => job.isLarge === areLarge).slice(0, most));
    waiting = waiting.filter((job) => !taken.has(job));
    return [...taken];
  }

  /**
   * Commits either one large job or several others, alternately while both wait, so that the others wait for at most
   * one large job. Jobs that turn out to be large wait again.
   */
  async function commitNext(): Promise<unknown> {
    const large = wasLarge ? [] : take(true, 1);
    const jobs = large.length > 0 ? large : take(false, MAX_JOBS);
    wasLarge = large.length > 0;
    if (jobs.length === 0) return undefined;
    if (wasLarge) return commitLarge(jobs[0]!, largeTransactions);
    const failure = await commitTogether(jobs, writer, busyTimeoutMs);
    if (failure === undefined) meter.groupCommitted(jobs.length);
    waiting.unshift(...jobs.filter((job) => job.isLarge));
    return failure;
  }

  async function runAll(): Promise<void> {
    // Yields first, so that requests that have already arrived can join.
    for (await cooperativeYield(); waiting.length > 0; await cooperativeYield()) {
      const failure = await commitNext();
      // A failing database fails all waiting jobs, so that they do not wait for it again.
      if (isStorageFailure(failure)) for (const job of waiting.splice(0)) job.fail(failure);
    }
    running = undefined;
  }

  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        if (isEnded) throw new DomainError('storage_unavailable');
        waiting.push(jobOf(work, resolve, reject));
        running ??= runAll();
      }),
    async end() {
      isEnded = true;
      await running;
    },
  };
}
