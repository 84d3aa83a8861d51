import { Worker } from 'node:worker_threads';
import { type LongCheck, PatternIndex, type Verdict } from './pattern-index.ts';

/** One check on its way to the worker thread. */
export interface CheckTask {
  readonly id: number;
  readonly rest: LongCheck;
}
/** Its answer. */
export interface CheckResult {
  readonly id: number;
  readonly verdict: Verdict;
}

interface Waiting {
  resolve(verdict: Verdict): void;
  reject(error: Error): void;
}

// Beside this file, as the compiler lays it: a worker cannot be started from TypeScript.
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/matcher/worker.js' : './worker.js',
  import.meta.url,
);

/** The index, and a worker thread for the checks that take longer than others should have to wait. */
export class PatternChecker {
  readonly #index = new PatternIndex();
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;

  get size(): number {
    return this.#index.size;
  }

  add(number: number, pattern: string): void {
    this.#index.add(number, pattern);
  }

  remove(number: number, pattern: string): void {
    this.#index.remove(number, pattern);
  }

  /** The verdict on a name in all its forms. */
  async check(forms: readonly string[]): Promise<Verdict> {
    const verdict = this.#index.check(forms);
    return verdict.kind === 'long' ? this.#finish(verdict.rest) : verdict;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #finish(rest: LongCheck): Promise<Verdict> {
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const task: CheckTask = { id, rest };
    this.#worker.postMessage(task);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #start(): Worker {
    const worker = new Worker(WORKER);
    worker.unref();
    worker.on('message', ({ id, verdict }: CheckResult) => {
      this.#waiting.get(id)?.resolve(verdict);
      this.#waiting.delete(id);
    });
    worker.on('error', (error) => this.#abandon(error));
    return worker;
  }

  /** Fails the checks that a broken worker leaves behind; the next one gets a new worker. */
  #abandon(error: Error): void {
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
