import { DomainError } from '../../domain/errors.ts';
import { yieldTurn } from '../../domain/yield.ts';
import type { OpenTransaction } from '../database.ts';
import type { SqliteConnection } from './connection.ts';
import { SqliteTransaction } from './transaction.ts';

/** The most jobs in one commit, so that none waits long for the others. */
const MOST_JOBS = 64;

/** What is done in one piece: all of it or nothing. */
interface Job {
  /** Runs the work. Throws what the work throws. */
  run(tx: OpenTransaction): Promise<void>;
  /** Tells the one who asked: the work is committed. */
  succeed(): void;
  fail(error: unknown): void;
}

/** Whether the database itself is in trouble, so that nothing of the transaction can be relied on. */
function isStorageTrouble(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'storage_unavailable';
}

/** Runs one job as a whole transaction that has begun. Returns how to tell of its end. */
async function runAlone(job: Job, writer: SqliteConnection): Promise<() => void> {
  const tx = new SqliteTransaction(writer);
  await job.run(tx);
  tx.requireSuccess();
  return job.succeed;
}

/** Runs one job of several, so that its failure takes back its own changes alone. Returns how to tell of its end. */
async function runApart(job: Job, writer: SqliteConnection): Promise<() => void> {
  const tx = new SqliteTransaction(writer);
  writer.exec('savepoint job');
  try {
    await job.run(tx);
    tx.requireSuccess();
    writer.exec('release job');
    return job.succeed;
  } catch (error) {
    // The work may have failed for a reason of its own after the database did.
    for (const failure of [tx.failure, error]) if (isStorageTrouble(failure)) throw failure;
    writer.exec('rollback to job');
    writer.exec('release job');
    return () => job.fail(error);
  }
}

/** Commits jobs in one transaction. None has succeeded before the commit has. Returns what failed them all, if anything. */
async function commitTogether(
  jobs: readonly Job[],
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
 * One transaction at a time, and those that wait together in one durable commit: each waits for the disk, which takes
 * many as fast as one.
 */
export function groupCommit(
  writer: SqliteConnection,
  busyTimeoutMs: number,
): <T>(work: (tx: OpenTransaction) => Promise<T>) => Promise<T> {
  const waiting: Job[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    // A turn for others first: it lets the requests in that have arrived already.
    for (await yieldTurn(); waiting.length > 0; await yieldTurn()) {
      const failure = await commitTogether(waiting.splice(0, MOST_JOBS), writer, busyTimeoutMs);
      // Those who have waited behind a database in trouble do not wait for it once more.
      if (isStorageTrouble(failure)) for (const job of waiting.splice(0)) job.fail(failure);
    }
    isRunning = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      let succeed = (): void => {};
      waiting.push({
        async run(tx) {
          const result = await work(tx);
          succeed = () => resolve(result);
        },
        succeed: () => succeed(),
        fail: reject,
      });
      if (!isRunning) void runAll();
    });
}
