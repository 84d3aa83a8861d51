import { Worker } from 'node:worker_threads';
import type { PatternKind } from '../index/traits.ts';
import { WORKER } from '../worker-file.ts';
import { encodeRole, type RunnerRequest, type RunnerResponse } from './messages.ts';
import { NOWHERE, SourceArena } from './source-arena.ts';

/**
 * Once sources reach this total length, in characters, patterns are prepared before the first check that needs them.
 */
const MUCH = 300;

interface RemotePattern {
  /** Place of its source. */
  readonly place: number;
  /** As sent to the worker. */
  readonly role: number;
}

/** Receives the worker's messages. */
export interface WorkerListener {
  answered(answer: RunnerResponse): void;
  failed(error: Error): void;
}

/**
 * The patterns that have to be run, and the worker thread that runs them. The thread starts when it is first needed, or
 * when there are many patterns. A replacement receives everything its predecessor knew.
 */
export class RemoteRunners {
  private readonly arena: SourceArena;
  private readonly patterns = new Map<number, RemotePattern>();
  private readonly listener: WorkerListener;
  private worker: Worker | undefined;
  private added: number[] = [];
  private removed = new Set<number>();
  /** Places of removed sources, and those whose removal the worker has yet to confirm, one list per message. */
  private leaving: number[] = [];
  private leavingPlaces: number[][] = [];
  private flushing = false;
  /** Total length of all sources that were added, in characters. */
  private length = 0;
  private closed = false;

  /** @param mostKept memory for sources, in bytes; other sources have to be fetched on demand */
  constructor(listener: WorkerListener, maxKept: number) {
    this.listener = listener;
    this.arena = new SourceArena(maxKept, (chunk) => {
      this.worker?.postMessage({ kind: 'chunk', chunk } satisfies RunnerRequest);
    });
  }

  add(key: number, source: string, everywhere: boolean, kind: PatternKind): void {
    if (this.removed.has(key)) this.flush();
    const place = this.arena.keep(source);
    this.length += source.length;
    const role = encodeRole(everywhere, kind);
    this.patterns.set(key, { place, role });
    this.added.push(key, place, role);
    if (place === NOWHERE) {
      this.start();
      this.flush();
      this.send({ kind: 'prepare', key, source });
    } else this.flushSoon();
  }

  remove(key: number): void {
    const pattern = this.patterns.get(key);
    if (pattern === undefined) return;
    this.patterns.delete(key);
    this.removed.add(key);
    if (pattern.place !== NOWHERE) this.leaving.push(pattern.place);
    this.flushSoon();
  }

  has(key: number): boolean {
    return this.patterns.has(key);
  }

  sourceOf(key: number): string | undefined {
    const place = this.patterns.get(key)?.place ?? NOWHERE;
    return place === NOWHERE ? undefined : this.arena.read(place);
  }

  /** Sends a request to the worker, after all changes made before it. */
  ask(request: RunnerRequest): void {
    this.start();
    this.flush();
    this.send(request);
  }

  /** Ends the worker. */
  async close(): Promise<void> {
    const { worker } = this;
    this.closed = true;
    this.worker = undefined;
    await worker?.terminate();
  }

  private send(request: RunnerRequest): void {
    this.worker?.postMessage(request);
  }

  private flushSoon(): void {
    if (this.flushing) return;
    this.flushing = true;
    setImmediate(() => {
      this.flushing = false;
      if (this.length >= MUCH) this.start();
      this.flush();
    });
  }

  /** Sends pending changes to the worker. Without a worker, nothing can still read the removed sources. */
  private flush(): void {
    if (this.worker === undefined) {
      this.release(this.leaving);
      this.added = [];
    } else if (this.added.length + this.removed.size > 0) {
      this.send({
        kind: 'change',
        added: Float64Array.from(this.added),
        removed: Int32Array.from(this.removed),
      });
      this.leavingPlaces.push(this.leaving);
      this.added = [];
    }
    this.removed.clear();
    this.leaving = [];
  }

  private release(places: readonly number[]): void {
    for (const place of places) this.arena.release(place);
  }

  private start(): void {
    if (this.worker !== undefined || this.closed) return;
    const worker = new Worker(WORKER);
    worker.unref();
    worker.on('message', (answer: RunnerResponse) => {
      if (this.worker !== worker) return;
      if (answer.kind === 'changed') this.release(this.leavingPlaces.shift()!);
      else this.listener.answered(answer);
    });
    worker.on('error', (error) => this.abandon(worker, error));
    worker.on('exit', () => this.abandon(worker, new Error('The worker thread of the matcher has ended.')));
    this.worker = worker;
    for (const chunk of this.arena.chunks) this.send({ kind: 'chunk', chunk });
    this.added = [];
    for (const [key, { place, role }] of this.patterns) this.added.push(key, place, role);
  }

  private abandon(worker: Worker, error: Error): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    for (const places of this.leavingPlaces) this.release(places);
    this.leavingPlaces = [];
    this.listener.failed(error);
  }
}
