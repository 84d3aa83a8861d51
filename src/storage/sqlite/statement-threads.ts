import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CompiledQuery, QueryResult } from 'kysely';
import { DomainError } from '../../model/errors.ts';
import { ReadEnded } from '../database/long-reads.ts';
import { rowsOf, type StatementOutcome } from './connection.ts';
import { asDomainError } from './errors.ts';

// Next to this file, where the build puts it: a worker cannot be started from TypeScript.
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/current/statement-thread.js' : './statement-thread.js',
  import.meta.url,
);
/** The data with which a thread starts. */
export interface ThreadData {
  readonly file: string;
  readonly kind: 'reads' | 'writes';
  /** Added to the niceness of the process. */
  readonly niceness: number;
  /** The first element is 1 once the store is being closed. */
  readonly flags: Int32Array;
}

export interface StatementRequest {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** The time limit of a long read, in milliseconds. */
  readonly timeoutMs: number;
}

export type StatementResult =
  | ({ readonly kind: 'done' } & StatementOutcome)
  | { readonly kind: 'over' }
  | { readonly kind: 'failed'; readonly message: string; readonly sqliteCode?: number | undefined };

interface RunningStatement {
  resolve(answer: StatementResult): void;
  reject(error: Error): void;
}

function unavailable(reason: string, cause?: Error): DomainError {
  return new DomainError('storage_unavailable', undefined, { cause: new Error(reason, { cause }) });
}

/**
 * One thread, started on first use. It runs one statement at a time. It is never terminated: terminating it during a
 * statement makes the library end the whole process. Instead, a flag in shared memory ends the statement.
 */
export class StatementThread {
  readonly #data: Omit<ThreadData, 'flags'>;
  readonly #flags = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | undefined;
  #exit: Promise<unknown> = Promise.resolve();
  #running: RunningStatement | undefined;
  #isClosed = false;

  constructor(data: Omit<ThreadData, 'flags'>) {
    this.#data = data;
  }

  /**
   * Runs a statement.
   * @throws ReadEnded at the time limit, and the failure of the statement
   */
  async run(
    { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
    timeoutMs = Number.POSITIVE_INFINITY,
  ): Promise<QueryResult<never>> {
    const answer = await this.#ask({ sql, parameters, timeoutMs });
    if (answer.kind === 'over') throw new ReadEnded();
    if (answer.kind === 'done') return { rows: rowsOf(answer), numAffectedRows: BigInt(answer.changes) };
    const { message, sqliteCode } = answer;
    throw asDomainError(Object.assign(new Error(message), { sqliteCode }));
  }

  /** Ends the running statement, and the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    Atomics.store(this.#flags, 0, 1);
    this.#worker?.postMessage('end');
    await this.#exit;
  }

  async #ask(question: StatementRequest): Promise<StatementResult> {
    if (this.#isClosed) throw unavailable('the store is closed');
    this.#worker ??= this.#start();
    const worker = this.#worker;
    try {
      return await new Promise<StatementResult>((resolve, reject) => {
        this.#running = { resolve, reject };
        worker.postMessage(question);
      });
    } finally {
      this.#running = undefined;
    }
  }

  #start(): Worker {
    const data: ThreadData = { ...this.#data, flags: this.#flags };
    const worker = new Worker(THREAD, { workerData: data });
    this.#exit = once(worker, 'exit').catch(() => {});
    worker.on('message', (answer: StatementResult) => this.#running?.resolve(answer));
    worker.on('error', (error) => this.#abandon(worker, error));
    worker.on('exit', () => this.#abandon(worker));
    return worker;
  }

  /** Fails the running statement of a thread that has failed; the next statement starts a new thread. */
  #abandon(worker: Worker, error?: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#running?.reject(unavailable('a database thread failed', error));
  }
}
