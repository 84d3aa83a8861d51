import { DomainError, isStorageFailure } from '../../model/errors.ts';
import type { MetricsRecorder } from '../../model/metrics/metrics-recorder.ts';
import { cooperativeYield } from '../../runtime/cooperative-yield.ts';
import { FairQueue } from '../../runtime/fair-queue.ts';
import type { OpenTransaction } from '../database/database.ts';
import type { SqliteConnection } from './connection.ts';
import type { LargeTransactions } from './large-transactions.ts';
import { LargeTransaction, SqliteTransaction } from './transaction.ts';

/** Maximum number of jobs in one commit, so that no job waits long for the others. */
const MAX_JOBS = 64;

/** One unit of work, committed as a whole or not at all. */
interface GroupedWork {
  readonly projectId: string;
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
  run<T>(work: (tx: OpenTransaction) => Promise<T>, projectId?: string): Promise<T>;
  /** Refuses new work with `storage_unavailable`, and returns when all accepted work is done. */
  end(): Promise<void>;
}

function jobOf<T>(
  projectId: string,
  work: (tx: OpenTransaction) => Promise<T>,
  resolve: (result: T) => void,
  fail: (error: unknown) => void,
): GroupedWork {
  let succeed = (): void => {};
  return {
    projectId,
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
 * as fast as one. Projects whose jobs wait take turns.
 */
export function groupCommit(
  writer: SqliteConnection,
  largeTransactions: LargeTransactions,
  busyTimeoutMs: number,
  meter: Pick<MetricsRecorder, 'groupCommitted'>,
): Transactions {
  const waiting = new FairQueue<GroupedWork>();
  const large = new FairQueue<GroupedWork>();
  /** True if the last commit was of a large job. */
  let wasLarge = false;
  let running: Promise<void> | undefined;
  let isEnded = false;

  /** Takes up to `most` jobs. */
  function take(queue: FairQueue<GroupedWork>, most: number): readonly GroupedWork[] {
    const taken: GroupedWork[] = [];
    while (taken.length < most && !queue.isEmpty) taken.push(queue.take()!);
    return taken;
  }

  async function commitSmall(jobs: readonly GroupedWork[]): Promise<unknown> {
    if (jobs.length === 0) return undefined;
    const failure = await commitTogether(jobs, writer, busyTimeoutMs);
    if (failure === undefined) meter.groupCommitted(jobs.length);
    for (const job of jobs) if (job.isLarge) large.add(job.projectId, job);
    return failure;
  }

  /**
   * Commits either one large job or several others, alternately while both wait, so that the others wait for at most
   * one large job. Jobs that turn out to be large wait again.
   */
  async function commitNext(): Promise<unknown> {
    const [largest] = wasLarge ? [] : take(large, 1);
    wasLarge = largest !== undefined;
    if (largest !== undefined) return commitLarge(largest, largeTransactions);
    return commitSmall(take(waiting, MAX_JOBS));
  }

  function failAll(failure: unknown): void {
    for (const queue of [waiting, large])
      for (const job of take(queue, Number.POSITIVE_INFINITY)) job.fail(failure);
  }

  async function runAll(): Promise<void> {
    // Yields first, so that requests that have already arrived can join.
    for (await cooperativeYield(); !waiting.isEmpty || !large.isEmpty; await cooperativeYield()) {
      const failure = await commitNext();
      // A failing database fails all waiting jobs, so that they do not wait for it again.
      if (isStorageFailure(failure)) failAll(failure);
    }
    running = undefined;
  }

  return {
    run: (work, projectId = '') =>
      new Promise((resolve, reject) => {
        if (isEnded) throw new DomainError('storage_unavailable');
        waiting.add(projectId, jobOf(projectId, work, resolve, reject));
        running ??= runAll();
      }),
    async end() {
      isEnded = true;
      await running;
    },
  };
}
