import { Worker } from 'node:worker_threads';
import { FairQueue } from './fair-queue.ts';
import { type LongCheck, PatternIndex, type Verdict } from './pattern-index.ts';

interface Task {
  readonly rest: LongCheck;
  resolve(verdict: Verdict): void;
  reject(error: Error): void;
}

// Beside this file, as the compiler lays it: a worker cannot be started from TypeScript.
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/matcher/worker.js' : './worker.js',
  import.meta.url,
);

/**
 * The index, and a worker thread for the checks that take longer than others should have to wait. The worker has one
 * check at a time, and projects take turns.
 */
export class PatternChecker {
  readonly #index = new PatternIndex();
  readonly #queue = new FairQueue<Task>();
  #worker: Worker | undefined;
  #running: Task | undefined;

  get size(): number {
    return this.#index.size;
  }

  add(number: number, pattern: string): void {
    this.#index.add(number, pattern);
  }

  remove(number: number, pattern: string): void {
    this.#index.remove(number, pattern);
  }

  /** The verdict on a name in all its forms, for a project. */
  async check(forms: readonly string[], onBehalfOf: string): Promise<Verdict> {
    const verdict = this.#index.check(forms);
    return verdict.kind === 'long' ? this.#finish(verdict.rest, onBehalfOf) : verdict;
  }

  /** Ends the worker; checks that still wait fail. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #finish(rest: LongCheck, owner: string): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      this.#queue.add(owner, { rest, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running !== undefined) return;
    this.#running = this.#queue.take();
    if (this.#running === undefined) return;
    this.#worker ??= this.#start();
    this.#worker.postMessage(this.#running.rest);
  }

  #start(): Worker {
    const worker = new Worker(WORKER);
    worker.unref();
    worker.on('message', (verdict: Verdict) => {
      this.#running?.resolve(verdict);
      this.#running = undefined;
      this.#next();
    });
    worker.on('error', (error) => this.#abandon(worker, error));
    worker.on('exit', () => this.#abandon(worker, new Error('The worker thread of the matcher has ended.')));
    return worker;
  }

  /** Fails the checks that a broken worker leaves behind; the next one gets a new worker. */
  #abandon(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const left = this.#queue.drain();
    if (this.#running !== undefined) left.push(this.#running);
    this.#running = undefined;
    for (const task of left) task.reject(error);
  }
}
