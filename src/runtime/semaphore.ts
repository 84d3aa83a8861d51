import { Shares } from './shares.ts';

/** Gives a permit back. Further calls do nothing. */
export type Release = () => void;

/** A task got no permit: its owner has too many tasks, or the others took too long. */
export class NoPermit extends Error {}

export interface SemaphoreLimits {
  readonly permits: number;
  /**
   * Permits of one owner: a number; or half of what the other owners leave, but one while any is free, so that an owner who
   * keeps permits for long leaves some for owners who come later. No limit by default.
   */
  readonly perOwner?: number | 'half of the rest' | undefined;
  /** Permits for work with one resource, such as a server. No limit by default. */
  readonly perResource?: number | undefined;
  /** Permits and waiting tasks of one owner. No limit by default. */
  readonly pendingPerOwner?: number | undefined;
  /** Waiting tasks of all owners. No limit by default. */
  readonly waiting?: number | undefined;
  /** How long a task waits for a permit; as long as it takes by default. */
  readonly waitMs?: number | undefined;
}

interface PermitWaiter {
  readonly resource: string;
  readonly admit: (release: Release) => void;
}

/** Bounds the tasks that run at once, in all, by owner and by resource. Owners whose tasks wait take turns. */
export class Semaphore {
  readonly #limits: SemaphoreLimits;
  readonly #shares: Shares;
  readonly #byResource = new Map<string, number>();
  /** By owner, in the order of their turns. */
  readonly #waiters = new Map<string, Set<PermitWaiter>>();
  #waiting = 0;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
    this.#shares = new Shares(limits.permits);
  }

  /** Number of waiting tasks. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether a task of the owner runs or waits. */
  has(owner: string): boolean {
    return this.#pendingOf(owner) > 0;
  }

  /** A permit, if there is one now. */
  tryTake(owner: string, resource = owner): Release | undefined {
    return this.#hasCapacity(owner, resource) ? this.#occupy(owner, resource) : undefined;
  }

  /** A permit, perhaps after a wait; undefined if none became free in time, or if too many tasks wait. */
  take(owner: string, resource = owner): Promise<Release | undefined> {
    const { pendingPerOwner = Number.POSITIVE_INFINITY, waiting = Number.POSITIVE_INFINITY } = this.#limits;
    if (this.#pendingOf(owner) >= pendingPerOwner) return Promise.resolve(undefined);
    const release = this.tryTake(owner, resource);
    if (release !== undefined || this.#waiting >= waiting) return Promise.resolve(release);
    return this.#wait(owner, resource);
  }

  /** Runs a task with a permit. @throws NoPermit, and what the task throws */
  async run<T>(owner: string, task: () => Promise<T>): Promise<T> {
    const release = await this.take(owner);
    if (release === undefined) throw new NoPermit('too many tasks run or wait');
    try {
      return await task();
    } finally {
      release();
    }
  }

  #pendingOf(owner: string): number {
    return this.#shares.of(owner) + (this.#waiters.get(owner)?.size ?? 0);
  }

  #wait(owner: string, resource: string): Promise<Release | undefined> {
    const { waitMs } = this.#limits;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const waiter: PermitWaiter = {
        resource,
        admit(release) {
          clearTimeout(timer);
          resolve(release);
        },
      };
      const giveUp = () => {
        this.#remove(owner, waiter);
        resolve(undefined);
      };
      if (waitMs !== undefined) timer = setTimeout(giveUp, waitMs);
      this.#add(owner, waiter);
    });
  }

  #add(owner: string, waiter: PermitWaiter): void {
    this.#waiting += 1;
    const own = this.#waiters.get(owner);
    if (own === undefined) this.#waiters.set(owner, new Set([waiter]));
    else own.add(waiter);
  }

  #remove(owner: string, waiter: PermitWaiter): void {
    this.#waiting -= 1;
    const own = this.#waiters.get(owner)!;
    own.delete(waiter);
    if (own.size === 0) this.#waiters.delete(owner);
  }

  #hasCapacity(owner: string, resource: string): boolean {
    return this.#ownerHasCapacity(owner) && this.#resourceHasCapacity(resource);
  }

  #ownerHasCapacity(owner: string): boolean {
    const { perOwner = Number.POSITIVE_INFINITY } = this.#limits;
    if (perOwner === 'half of the rest') return this.#shares.hasCapacity(owner);
    return this.#shares.free > 0 && this.#shares.of(owner) < perOwner;
  }

  #resourceHasCapacity(resource: string): boolean {
    const { perResource } = this.#limits;
    return perResource === undefined || (this.#byResource.get(resource) ?? 0) < perResource;
  }

  #occupy(owner: string, resource: string): Release {
    this.#shares.take(owner);
    this.#byResource.set(resource, (this.#byResource.get(resource) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#vacate(owner, resource);
      this.#admit();
    };
  }

  #vacate(owner: string, resource: string): void {
    this.#shares.leave(owner);
    const left = this.#byResource.get(resource)! - 1;
    if (left === 0) this.#byResource.delete(resource);
    else this.#byResource.set(resource, left);
  }

  /** Admits as many as fit: a permit that one owner gives back may make room for several others. */
  #admit(): void {
    while (this.#shares.free > 0) {
      const next = this.#next();
      if (next === undefined) return;
      next.waiter.admit(this.#occupy(next.owner, next.waiter.resource));
    }
  }

  /** Takes the first waiter that fits out of the queue, and moves its owner behind the others. */
  #next(): { readonly owner: string; readonly waiter: PermitWaiter } | undefined {
    for (const [owner, own] of this.#waiters) {
      const waiter = this.#ownerHasCapacity(owner) ? this.#fitting(own) : undefined;
      if (waiter === undefined) continue;
      this.#remove(owner, waiter);
      if (this.#waiters.delete(owner)) this.#waiters.set(owner, own);
      return { owner, waiter };
    }
    return undefined;
  }

  #fitting(waiters: Iterable<PermitWaiter>): PermitWaiter | undefined {
    for (const waiter of waiters) if (this.#resourceHasCapacity(waiter.resource)) return waiter;
    return undefined;
  }
}
