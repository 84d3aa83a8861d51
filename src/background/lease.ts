import { randomUUID } from 'node:crypto';
import { type Clock, later } from '../model/clock.ts';
import type { LeaseWrites } from '../model/publication/store.ts';
import type { Log } from '../runtime/log.ts';
import { pause } from './waits.ts';

export interface LeaseDeps {
  readonly store: {
    transaction<T>(work: (tx: { readonly publications: LeaseWrites }) => Promise<T>): Promise<T>;
  };
  readonly clock: Clock;
  readonly log: Log;
}

/** Work that one process at a time does: another goes on within the time of the lease when that one is gone. */
export class Lease {
  readonly #name: string;
  readonly #holder = randomUUID();
  readonly #deps: LeaseDeps;
  readonly #ms: number;
  #takenAt = Number.NEGATIVE_INFINITY;

  /** @param lease how long it lasts without its process, in milliseconds */
  constructor(name: string, deps: LeaseDeps, { lease }: { readonly lease: number }) {
    this.#name = name;
    this.#deps = deps;
    this.#ms = lease;
  }

  /** Whether no other process can have taken over: also one that was held up, or is cut off from the store, knows. */
  get isHeld(): boolean {
    return performance.now() - this.#takenAt < this.#ms;
  }

  /**
   * Does the work, if it is due and no other process does it. It is due again so long after its beginning.
   * @param work ends when its signal does: the lease is lost, or `stopping` has ended
   * @returns whether it was done
   * @throws what the work throws, and what the store throws
   */
  async run(
    every: number,
    stopping: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<boolean> {
    const startedAt = this.#deps.clock.now();
    if (!(await this.#take())) return false;
    const ended = new AbortController();
    const lost = new AbortController();
    const keeping = this.#keep(ended.signal, lost);
    const signal = AbortSignal.any([stopping, lost.signal]);
    let isDone = false;
    try {
      await work(signal);
      isDone = !signal.aborted;
    } finally {
      ended.abort();
      await keeping;
      await this.#end(isDone ? later(startedAt, every) : '');
    }
    return isDone;
  }

  async #take(): Promise<boolean> {
    const { store, clock } = this.#deps;
    const asked = performance.now();
    const now = clock.now();
    const until = later(now, this.#ms);
    const isTaken = await store.transaction((tx) =>
      tx.publications.takeLease(this.#name, this.#holder, now, until),
    );
    if (isTaken) this.#takenAt = asked;
    return isTaken;
  }

  async #keep(ended: AbortSignal, lost: AbortController): Promise<void> {
    while (await pause(this.#ms / 3, ended)) {
      // A store that is away for a moment takes nothing away; who has the lease by then is asked the next time.
      const isKept = await this.#take().catch(() => true);
      if (!isKept) return lost.abort();
    }
  }

  async #end(nextAt: string): Promise<void> {
    const end = this.#deps.store.transaction(async (tx) =>
      tx.publications.endLease(this.#name, this.#holder, nextAt),
    );
    // It ends by itself.
    await end.catch((err: unknown) =>
      this.#deps.log.warn({ err, lease: this.#name }, 'a lease could not be given back'),
    );
  }
}
