import { leavesConnectionUsable } from '../database/postgres-failure.ts';
import type { ConnectionPool } from './pool.ts';
import type { PostgresSession } from './session.ts';

/** Maximum number of reads that share a connection. The server runs them one after the other. */
const MAX_SHARING = 8;

interface WaitingRead {
  /** Settles the read. @throws what failed, too */
  run(session: PostgresSession): Promise<void>;
  reject(error: unknown): void;
}

/** Runs reads on one connection, which is not used again if one of them left it unusable. */
async function runTogether(session: PostgresSession, reads: readonly WaitingRead[]): Promise<void> {
  const ends = await Promise.allSettled(reads.map((read) => read.run(session)));
  for (const end of ends) {
    if (end.status === 'rejected' && !leavesConnectionUsable(end.reason)) throw end.reason;
  }
}

/**
 * Short reads that begin in one round of the event loop share connections, and so packets: sending one costs more than
 * all else that a process does for a short read.
 */
export class SharedReads {
  readonly #pool: ConnectionPool;
  #waiting: WaitingRead[] = [];

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  /** Runs one read. @throws what the read throws, and like `ConnectionPool.use` */
  run<T>(work: (session: PostgresSession) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async (session: PostgresSession): Promise<void> => {
        try {
          resolve(await work(session));
        } catch (error) {
          reject(error);
          throw error;
        }
      };
      if (this.#waiting.push({ run, reject }) === 1) setImmediate(() => this.#start());
    });
  }

  #start(): void {
    const reads = this.#waiting;
    this.#waiting = [];
    for (let start = 0; start < reads.length; start += MAX_SHARING) {
      this.#useFor(reads.slice(start, start + MAX_SHARING));
    }
  }

  async #useFor(reads: readonly WaitingRead[]): Promise<void> {
    try {
      await this.#pool.use((session) => runTogether(session, reads));
    } catch (error) {
      // No effect on reads that are settled: all, unless there was no connection.
      for (const read of reads) read.reject(error);
    }
  }
}
