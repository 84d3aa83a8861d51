import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CompiledQuery, QueryResult } from 'kysely';
import { DomainError } from '../../domain/errors.ts';
import type { LongReads } from '../database.ts';
import { type Lane, longReadsOver, ReadEnded } from '../long-reads.ts';
import { asDomainError } from './errors.ts';

// Beside this file, as the compiler lays it: a worker cannot be started from TypeScript.
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/storage/sqlite/reader-thread.js' : './reader-thread.js',
  import.meta.url,
);
/** Where processors are short, requests go before slow reads. */
const NICENESS_OF_SLOW = 10;

/** What a thread starts with. */
export interface ThreadData {
  readonly file: string;
  /** Added to the niceness of the process. */
  readonly niceness: number;
  /** The first is 1 once the store is being closed. */
  readonly flags: Int32Array;
}

export interface Question {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly timeoutMs: number;
}

export type Answer =
  | { readonly kind: 'rows'; readonly rows: readonly never[] }
  | { readonly kind: 'over' }
  | { readonly kind: 'failed'; readonly message: string; readonly sqliteCode?: number | undefined };

interface Running {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

function unavailable(reason: string, cause?: Error): DomainError {
  return new DomainError('storage_unavailable', undefined, { cause: new Error(reason, { cause }) });
}

/**
 * One thread, started when it is first needed. It has one statement at a time. It is never terminated: the library ends the
 * whole process when that happens during a statement. A flag in shared memory ends the statement instead.
 */
class ReaderThread {
  readonly #file: string;
  readonly #niceness: number;
  readonly #flags = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | undefined;
  #exit: Promise<unknown> = Promise.resolve();
  #running: Running | undefined;
  #isClosed = false;

  constructor(file: string, niceness: number) {
    this.#file = file;
    this.#niceness = niceness;
  }

  async ask(question: Question): Promise<Answer> {
    if (this.#isClosed) throw unavailable('the store is closed');
    this.#worker ??= this.#start();
    const worker = this.#worker;
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.#running = { resolve, reject };
        worker.postMessage(question);
      });
    } finally {
      this.#running = undefined;
    }
  }

  /** Ends the statement that is running, and the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    Atomics.store(this.#flags, 0, 1);
    this.#worker?.postMessage('end');
    await this.#exit;
  }

  #start(): Worker {
    const data: ThreadData = { file: this.#file, niceness: this.#niceness, flags: this.#flags };
    const worker = new Worker(THREAD, { workerData: data });
    this.#exit = once(worker, 'exit').catch(() => {});
    worker.on('message', (answer: Answer) => this.#running?.resolve(answer));
    worker.on('error', (error) => this.#abandon(worker, error));
    worker.on('exit', () => this.#abandon(worker));
    return worker;
  }

  /** Fails the statement of a thread that has failed; the next one gets a new thread. */
  #abandon(worker: Worker, error?: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#running?.reject(unavailable('a reader thread has failed', error));
  }
}

export interface ReaderThreads {
  readonly reads: LongReads;
  close(): Promise<void>;
}

/** The long reads of a database file: a thread for each lane. */
export function readerThreads(file: string, timeoutMs: number): ReaderThreads {
  const threads: Readonly<Record<Lane, ReaderThread>> = {
    quick: new ReaderThread(file, 0),
    slow: new ReaderThread(file, NICENESS_OF_SLOW),
  };

  async function run(
    { sql, parameters }: CompiledQuery,
    lane: Lane,
    limitMs: number,
  ): Promise<QueryResult<never>> {
    const answer = await threads[lane].ask({ sql, parameters, timeoutMs: limitMs });
    if (answer.kind === 'over') throw new ReadEnded();
    if (answer.kind === 'rows') return { rows: answer.rows as never[] };
    const { message, sqliteCode } = answer;
    throw asDomainError(Object.assign(new Error(message), { sqliteCode }));
  }

  return {
    reads: longReadsOver({ kind: 'sqlite', places: { quick: 1, slow: 1 }, timeoutMs, run }),
    async close() {
      await Promise.all([threads.quick.close(), threads.slow.close()]);
    },
  };
}
