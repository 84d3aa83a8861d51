import { Worker } from 'node:worker_threads';
import { FairQueue } from '../scheduling/fair-queue.ts';
import { type Explanation, type LongCheck, PatternIndex, type Verdict } from './pattern-index.ts';

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

const CLOSED = 'The matcher is closed.';

/**
 * The index, and a worker thread for the checks that take longer than others should have to wait. The worker has one
 * check at a time, and projects take turns.
 */
export class PatternChecker {
  #index = new PatternIndex();
  readonly #queue = new FairQueue<Task>();
  #worker: Worker | undefined;
  #running: Task | undefined;
  #closed = false;

  get size(): number {
    return this.#index.size;
  }

  add(number: number, pattern: string): void {
    this.#index.add(number, pattern);
  }

  remove(number: number, pattern: string): void {
    this.#index.remove(number, pattern);
  }

  clear(): void {
    this.#index = new PatternIndex();
  }

  /** The verdict on a name in all its forms, for a project. */
  async check(forms: readonly string[], onBehalfOf: string): Promise<Verdict> {
    const verdict = this.#index.check(forms);
    return verdict.kind === 'long' ? this.#finish(verdict.rest, onBehalfOf) : verdict;
  }

  /** All patterns that match a name in all its forms, and those that could not be decided about. */
  async explain(forms: readonly string[]): Promise<Explanation> {
    return this.#index.explain(forms);
  }

  /** Ends the worker; checks that still wait fail, and so do those that come later. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#worker = undefined;
    const error = new Error(CLOSED);
    this.#running?.reject(error);
    this.#running = undefined;
    for (let task = this.#queue.take(); task !== undefined; task = this.#queue.take()) task.reject(error);
    await worker?.terminate();
  }

  #finish(rest: LongCheck, owner: string): Promise<Verdict> {
    if (this.#closed) return Promise.reject(new Error(CLOSED));
    return new Promise((resolve, reject) => {
      this.#queue.add(owner, { rest, resolve, reject });
      this.#next();
    });
  }

  /** Gives the worker its next check, unless it has one. */
  #next(): void {
    while (this.#running === undefined) {
      const task = this.#queue.take();
      if (task === undefined) return;
      try {
        this.#worker ??= this.#start();
        this.#worker.postMessage(task.rest);
        this.#running = task;
      } catch (error) {
        task.reject(error as Error);
      }
    }
  }

  #start(): Worker {
    const worker = new Worker(WORKER);
    worker.unref();
    worker.on('message', (verdict: Verdict) => {
      if (this.#worker !== worker) return;
      this.#running?.resolve(verdict);
      this.#running = undefined;
      this.#next();
    });
    worker.on('error', (error) => this.#abandon(worker, error));
    worker.on('exit', () => this.#abandon(worker, new Error('The worker thread of the matcher has ended.')));
    return worker;
  }

  /** Fails the check that a broken worker had; the others get a new worker. */
  #abandon(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const task = this.#running;
    this.#running = undefined;
    task?.reject(error);
    this.#next();
  }
}
