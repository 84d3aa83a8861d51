import { Worker } from 'node:worker_threads';
import { FairQueue } from '../../runtime/fair-queue.ts';
import { SCAN_THREAD } from '../worker-file.ts';
import type { ScanLocation, ScanRequest, ScanResponse } from './messages.ts';

interface ScanTask {
  readonly request: ScanRequest;
  resolve(answer: ScanResponse): void;
  reject(error: Error): void;
}

const CLOSED = 'The scanner is closed.';
/** Time after which a scan returns the results it has, in milliseconds. */
const MAX_MS = 1000;

/**
 * A low-priority thread that matches single patterns against names for read-only requests, so no create waits for it.
 * It runs one short task at a time, and projects take turns.
 */
export class PatternScanner {
  readonly #queue = new FairQueue<ScanTask>();
  #worker: Worker | undefined;
  #running: ScanTask | undefined;
  #isClosed = false;

  /**
   * Matches a pattern against names, each in all its forms.
   * @param signal ends the scan early
   * @returns for each name 0 if it is free, 1 if the pattern matches, and 2 if the budget of a check ran out; covers
   *   the names completed in time, at least one
   * @throws the reason of the signal
   */
  async scan(
    pattern: string,
    names: readonly (readonly string[])[],
    onBehalfOf: string,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const verdicts = new Uint8Array(names.length);
    const until = performance.now() + MAX_MS;
    let done = 0;
    while (done < names.length && (done === 0 || performance.now() < until)) {
      signal.throwIfAborted();
      const answer = await this.#ask({ kind: 'scan', pattern, names: names.slice(done) }, onBehalfOf);
      if (answer.kind !== 'scanned') throw new Error('The scanner was asked for something else.');
      verdicts.set(answer.verdicts, done);
      done += answer.verdicts.length;
    }
    return verdicts.subarray(0, done);
  }

  /**
   * Finds the first match of each pattern in the forms of a name, in characters; null if unknown.
   * @param until deadline of the search, by `performance.now()`
   */
  async locate(
    patterns: readonly string[],
    forms: readonly string[],
    onBehalfOf: string,
    until: number,
  ): Promise<readonly (ScanLocation | null)[]> {
    const places: (ScanLocation | null)[] = [];
    while (places.length < patterns.length && performance.now() < until) {
      const request: ScanRequest = { kind: 'locate', patterns: patterns.slice(places.length), forms };
      const answer = await this.#ask(request, onBehalfOf);
      if (answer.kind !== 'located') throw new Error('The scanner was asked for something else.');
      places.push(...answer.places);
    }
    return patterns.map((_, at) => places[at] ?? null);
  }

  /** Ends the thread. Waiting and later tasks fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#abandon(worker, new Error(CLOSED));
    for (let task = this.#queue.take(); task !== undefined; task = this.#queue.take()) {
      task.reject(new Error(CLOSED));
    }
    await worker?.terminate();
  }

  #ask(request: ScanRequest, onBehalfOf: string): Promise<ScanResponse> {
    if (this.#isClosed) return Promise.reject(new Error(CLOSED));
    return new Promise((resolve, reject) => {
      this.#queue.add(onBehalfOf, { request, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running !== undefined || this.#isClosed) return;
    this.#running = this.#queue.take();
    if (this.#running === undefined) return;
    this.#worker ??= this.#start();
    this.#worker.postMessage(this.#running.request);
  }

  #start(): Worker {
    const worker = new Worker(SCAN_THREAD);
    worker.unref();
    worker.on('message', (answer: ScanResponse) => this.#done((task) => task.resolve(answer)));
    worker.on('error', (error) => this.#abandon(worker, error));
    worker.on('exit', () => this.#abandon(worker, new Error('The thread of the scanner has ended.')));
    return worker;
  }

  #done(settle: (task: ScanTask) => void): void {
    const task = this.#running;
    this.#running = undefined;
    if (task !== undefined) settle(task);
    this.#next();
  }

  /** Fails the task of a thread that has ended. The next task gets a new thread. */
  #abandon(worker: Worker | undefined, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#done((task) => task.reject(error));
  }
}
