import { FairQueue } from './fair-queue.ts';
import type { Release } from './semaphore.ts';
import { Shares } from './shares.ts';

interface BudgetWaiter {
  readonly owner: string;
  readonly amount: number;
  readonly admit: (release: Release) => void;
  hasGivenUp: boolean;
}

export interface BudgetSettings {
  readonly amount: number;
  /** Maximum time to wait for room, in milliseconds. */
  readonly patienceMs: number;
  /** Maximum number of waiters, in total and per owner. */
  readonly maxWaiting: { readonly inAll: number; readonly ofOwner: number };
}

/** A shared budget. Each owner is limited to its share, and owners that wait are served in turn. */
export class FairBudget {
  readonly #settings: BudgetSettings;
  readonly #shares: Shares;
  readonly #queue = new FairQueue<BudgetWaiter>();
  readonly #waiting = new Map<string, number>();
  #allWaiting = 0;

  constructor(settings: BudgetSettings) {
    this.#settings = settings;
    this.#shares = new Shares(settings.amount);
  }

  /** Takes an amount, at once if there is room. Returns undefined if the wait times out or too many are waiting. */
  take(owner: string, amount: number): Release | Promise<Release | undefined> | undefined {
    if (this.#shares.hasCapacity(owner, amount)) return this.#occupy(owner, amount);
    const { inAll, ofOwner } = this.#settings.maxWaiting;
    if (this.#allWaiting >= inAll || (this.#waiting.get(owner) ?? 0) >= ofOwner) return undefined;
    return this.#wait(owner, amount);
  }

  #wait(owner: string, amount: number): Promise<Release | undefined> {
    this.#count(owner, 1);
    return new Promise((resolve) => {
      const waiter: BudgetWaiter = {
        owner,
        amount,
        hasGivenUp: false,
        admit: (release) => {
          clearTimeout(timer);
          this.#count(owner, -1);
          resolve(release);
        },
      };
      const timer = setTimeout(() => {
        waiter.hasGivenUp = true;
        this.#count(owner, -1);
        resolve(undefined);
      }, this.#settings.patienceMs);
      timer.unref();
      this.#queue.add(owner, waiter);
    });
  }

  #count(owner: string, more: number): void {
    this.#allWaiting += more;
    const count = (this.#waiting.get(owner) ?? 0) + more;
    if (count > 0) this.#waiting.set(owner, count);
    else this.#waiting.delete(owner);
  }

  #occupy(owner: string, amount: number): Release {
    this.#shares.take(owner, amount);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#shares.leave(owner, amount);
      this.#admit();
    };
  }

  #admit(): void {
    for (;;) {
      const next = this.#queue.take(
        ({ hasGivenUp, owner, amount }) => hasGivenUp || this.#shares.hasCapacity(owner, amount),
      );
      if (next === undefined) return;
      if (!next.hasGivenUp) next.admit(this.#occupy(next.owner, next.amount));
    }
  }
}
