import { randomUUID } from 'node:crypto';
import type { Log } from './log.ts';
import { pause } from './pause.ts';

/** What a lease needs of a transaction. */
export interface LeaseTransaction {
  readonly leases: {
    /** Takes or extends a lease. @returns false if another holder has it, or the work is not due */
    take(name: string, holder: string, now: string, forMs: number): Promise<boolean>;
    /** Gives a lease back. @param due when the work is due again; at once if undefined */
    end(name: string, holder: string, due?: { readonly since: string; readonly afterMs: number }): void;
  };
}

export interface LeaseDeps {
  readonly store: { transaction<T>(work: (tx: LeaseTransaction) => Promise<T>): Promise<T> };
  readonly clock: { now(): string };
  readonly log: Log;
}

/** The right to do some work, which one process at a time has. When its process dies, it passes on after `ms`. */
export class Lease {
  readonly #name: string;
  readonly #holder = randomUUID();
  readonly #deps: LeaseDeps;
  readonly #ms: number;
  #extendedAt = Number.NEGATIVE_INFINITY;

  /** @param ms how long the lease outlives its process */
  constructor(name: string, deps: LeaseDeps, ms: number) {
    this.#name = name;
    this.#deps = deps;
    this.#ms = ms;
  }

  /** True while no other process can have the lease. It needs no store: a process that was suspended or cut off knows, too. */
  get isHeld(): boolean {
    return performance.now() - this.#extendedAt < this.#ms;
  }

  /** Extends the lease within a transaction, which must write nothing if the answer is false: another process may have it. */
  extend(tx: LeaseTransaction): Promise<boolean> {
    return tx.leases.take(this.#name, this.#holder, this.#deps.clock.now(), this.#ms);
  }

  /**
   * Does the work if it is due and no other process does it.
   * @param everyMs from the beginning of this run until the work is due again
   * @param work must end when its signal fires: the lease is lost, or `stopping` has fired
   * @returns whether the work was done to its end
   * @throws what the work and the store throw
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
      // While the store is away nobody can take the lease; the next attempt shows who has it.
      const isKept = await this.#take().catch(() => true);
      if (!isKept) return lost.abort();
    }
  }

  async #end(due: { readonly since: string; readonly afterMs: number } | undefined): Promise<void> {
    const end = this.#deps.store.transaction(async (tx) => tx.leases.end(this.#name, this.#holder, due));
    // It expires by itself.
    await end.catch((err: unknown) =>
      this.#deps.log.warn({ err, lease: this.#name }, 'a lease could not be given back'),
    );
  }
}
