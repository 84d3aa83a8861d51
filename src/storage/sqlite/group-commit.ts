import { type Kysely, sql } from 'kysely';
import { DomainError } from '../../domain/errors.ts';
import { yieldTurn } from '../../domain/yield.ts';
import type { Schema } from '../schema.ts';

type Database = Kysely<Schema>;

/** What is done in one piece: all of it or nothing. */
interface Job {
  /** Runs the work. Throws what the work throws. */
  run(tx: Database): Promise<void>;
  /** Tells the one who asked: the work is committed. */
  succeed(): void;
  fail(error: unknown): void;
}

/** The most jobs in one commit, so that none waits long for the others. */
const MOST_JOBS = 64;

/** Whether the database itself is in trouble, so that nothing of the transaction can be relied on. */
function isStorageTrouble(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'storage_unavailable';
}

/** Runs one job of several, so that its failure takes back its own changes alone. Returns how to tell of its end. */
async function runApart(job: Job, tx: Database): Promise<() => void> {
  await sql`savepoint job`.execute(tx);
  try {
    await job.run(tx);
    await sql`release job`.execute(tx);
    return job.succeed;
  } catch (error) {
    if (isStorageTrouble(error)) throw error;
    await sql`rollback to job`.execute(tx);
    await sql`release job`.execute(tx);
    return () => job.fail(error);
  }
}

/** Runs jobs in one transaction. None has succeeded before the commit has. Returns what failed them all, if anything. */
async function runTogether(jobs: readonly Job[], writer: Database): Promise<unknown> {
  const ends: (() => void)[] = [];
  try {
    await writer.transaction().execute(async (tx) => {
      const [only] = jobs;
      if (jobs.length === 1) {
        await only!.run(tx);
        ends.push(only!.succeed);
        return;
      }
      for (const job of jobs) ends.push(await runApart(job, tx));
    });
  } catch (error) {
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
export function groupCommit(writer: Database): <T>(work: (tx: Database) => Promise<T>) => Promise<T> {
  const waiting: Job[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    // A turn for others first: it lets the requests in that have arrived already.
    for (await yieldTurn(); waiting.length > 0; await yieldTurn()) {
      const failure = await runTogether(waiting.splice(0, MOST_JOBS), writer);
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
