import { randomUUID } from 'node:crypto';
import type { Log } from './log.ts';
import { pause } from './pause.ts';

/** The part of a transaction that a lease uses. */
export interface LeaseTransaction {
  readonly leases: {
    /** Takes or extends a lease. @returns false if another holder has it or the work is not due */
    take(name: string, holder: string, now: string, forMs: number): Promise<boolean>;
    /** Releases a lease. @param due when the work is due again; immediately if undefined */
    end(name: string, holder: string, due?: { readonly since: string; readonly afterMs: number }): void;
  };
}

export interface LeaseDeps {
  readonly store: { transaction<T>(work: (tx: LeaseTransaction) => Promise<T>): Promise<T> };
  readonly clock: { now(): string };
  readonly log: Log;
}

/** The right to do some work, held by one process at a time. If its process dies, the lease expires after `ms`. */
export class Lease {
  readonly #name: string;
  readonly #holder = randomUUID();
  readonly #deps: LeaseDeps;
  readonly #ms: number;
  #extendedAt = Number.NEGATIVE_INFINITY;

  /** @param ms lifetime of the lease after its last extension, in milliseconds */
  constructor(name: string, deps: LeaseDeps, ms: number) {
    this.#name = name;
    this.#deps = deps;
    this.#ms = ms;
  }

  /**
   * True while no other process can hold the lease. Uses no store, so a process that was suspended or cut off knows,
   * too.
   */
  get isHeld(): boolean {
    return performance.now() - this.#extendedAt < this.#ms;
  }

  /** Extends the lease within a transaction. If this returns false, another process may hold it: write nothing. */
  extend(tx: LeaseTransaction): Promise<boolean> {
    return tx.leases.take(this.#name, this.#holder, this.#deps.clock.now(), this.#ms);
  }

  /**
   * Does the work if it is due and no other process is doing it.
   * @param everyMs time from the start of this run until the work is due again
   * @param work must end when its signal fires: the lease is lost, or `stopping` has fired
   * @returns true if the work ran to completion
   * @throws anything the work or the store throws
   */
  async run(
    everyMs: number,
    stopping: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<boolean> {
    const since = this.#deps.clock.now();
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
      await this.#end(isDone ? { since, afterMs: everyMs } : undefined);
    }
    return isDone;
  }

  async #take(): Promise<boolean> {
    const askedAt = performance.now();
    const isTaken = await this.#deps.store.transaction((tx) => this.extend(tx));
    if (isTaken) this.#extendedAt = askedAt;
    return isTaken;
  }

  async #keep(ended: AbortSignal, lost: AbortController): Promise<void> {
    while (await pause(this.#ms / 3, ended)) {
      // While the store is unavailable, no process can take the lease; the next attempt shows who holds it.
      const isKept = await this.#take().catch(() => true);
      if (!isKept) return lost.abort();
    }
  }

  async #end(due: { readonly since: string; readonly afterMs: number } | undefined): Promise<void> {
    const end = this.#deps.store.transaction(async (tx) => tx.leases.end(this.#name, this.#holder, due));
    // If this fails, the lease expires by itself.
    await end.catch((err: unknown) =>
      this.#deps.log.warn({ err, lease: this.#name }, 'cannot release a lease'),
    );
  }
}
