import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryResult } from 'kysely';
import type { OpenTransaction } from '../database/database.ts';
import { type Execute, statementsOver } from '../database/kysely-over.ts';
import { isBusy } from './errors.ts';
import { StatementThread } from './statement-threads.ts';

const PAUSE_MS = 20;

/** A transaction whose statements run in a thread, one after another. */
class ThreadTransaction implements OpenTransaction {
  readonly now: OpenTransaction['now'];
  readonly later: OpenTransaction['later'];
  readonly #run: Execute;
  #last: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  constructor(run: Execute) {
    this.#run = run;
    const { now, later } = statementsOver('sqlite', (query) => this.#next(query));
    this.now = now;
    this.later = later;
  }

  /** Ignored: the transaction may be of any size. */
  expect(): void {}

  /**
   * Waits for the statements that were not awaited.
   * @throws the failure of the first statement that failed
   */
  async requireSuccess(): Promise<void> {
    await this.#last;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #next(query: Parameters<Execute>[0]): Promise<QueryResult<never>> {
    const result = this.#last.then(() => {
      if (this.#failure !== undefined) throw this.#failure.error;
      return this.#run(query);
    });
    this.#last = result.catch((error) => {
      this.#failure ??= { error };
    });
    return result;
  }
}

/**
 * Runs large transactions one at a time, in a thread with its own connection. The work that SQLite does in one piece
 * grows with the transaction: the commit writes all its pages to the log, waits for the disk, and copies the log into
 * the file.
 */
export class LargeTransactions {
  readonly #thread: StatementThread;
  readonly #busyTimeoutMs: number;

  constructor(file: string, busyTimeoutMs: number) {
    this.#thread = new StatementThread({ file, kind: 'writes', niceness: 0 });
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  /**
   * Runs the work and commits it.
   * @throws what the work throws, and `storage_unavailable`
   */
  async run(work: (tx: OpenTransaction) => Promise<void>): Promise<void> {
    await this.#begin();
    try {
      const tx = new ThreadTransaction((query) => this.#thread.run(query));
      await this.#whole(work, tx);
      await this.#exec('commit');
    } catch (error) {
      // SQLite may already have rolled back, as it does when the disk is full.
      await this.#exec('rollback').catch(() => {});
      throw error;
    }
    // Releases the cached pages: the next large transaction may be far off.
    await this.#exec('pragma shrink_memory');
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  /** Runs the work and waits for all its statements, even if it fails. */
  async #whole(work: (tx: OpenTransaction) => Promise<void>, tx: ThreadTransaction): Promise<void> {
    try {
      await work(tx);
    } catch (error) {
      await tx.requireSuccess();
      throw error;
    }
    await tx.requireSuccess();
  }

  async #exec(sql: string): Promise<void> {
    await this.#thread.run({ sql, parameters: [] });
  }

  /** Retries while another process holds the write lock. */
  async #begin(): Promise<void> {
    const deadline = performance.now() + this.#busyTimeoutMs;
    for (;;) {
      try {
        return await this.#exec('begin immediate');
      } catch (error) {
        if (!isBusyFailure(error) || performance.now() >= deadline) throw error;
      }
      await sleep(PAUSE_MS);
    }
  }
}

function isBusyFailure(error: unknown): boolean {
  const cause = (error as { cause?: { cause?: unknown } } | null)?.cause?.cause;
  return isBusy(cause);
}
