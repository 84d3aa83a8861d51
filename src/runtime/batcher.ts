import { FairQueue } from './fair-queue.ts';

/** Result of one item of a batch: done, refused on its own, or skipped because something it needs is locked. */
export type BatchOutcome<R> =
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'held' };

/** How to process items. */
export interface BatchWork<T, R> {
  /** Processes one item, waiting for any lock on what it needs. */
  alone(item: T): Promise<R>;
  /**
   * Processes several items at once. Returns their outcomes in the same order. If it throws, nothing was done.
   * @param waits true to wait for the lock on their owner, which is then one and the same; locks on single items are
   * never waited for
   */
  together(items: readonly T[], waits: boolean): Promise<readonly BatchOutcome<R>[]>;
  /** True if every item would fail with this error on its own, too. */
  isForAll(failure: unknown): boolean;
  /** Error for an item that has waited too long. */
  overdue(): unknown;
}

export interface BatcherSettings {
  /** Maximum number of batches in flight. */
  readonly batches: number;
  /** Maximum number of items in a batch. */
  readonly items: number;
  /** Size in bytes at which a batch takes no more items. */
  readonly bytes: number;
  /** Time after which a slow batch no longer blocks the next one, in milliseconds. */
  readonly patienceMs: number;
  /** Maximum time an item may wait, in milliseconds. */
  readonly longestMs: number;
}

interface BatchedItem<T, R> {
  readonly owner: string;
  readonly item: T;
  readonly bytes: number;
  /** Arrival time, from `performance.now`. */
  readonly since: number;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Processes items in batches. A batch is whatever has arrived while earlier batches were in flight; an item that
 * arrives alone is sent at once. Owners take turns within a batch, and each owner is in one batch at a time.
 */
export class Batcher<T, R> {
  readonly #settings: BatcherSettings;
  readonly #work: BatchWork<T, R>;
  readonly #queue = new FairQueue<BatchedItem<T, R>>();
  /** Items that batches skipped and that wait for a lock, by owner. */
  readonly #held = new Map<string, BatchedItem<T, R>[]>();
  /** Owners with items in flight. */
  readonly #away = new Set<string>();
  #batches = 0;
  #isStarting = false;

  constructor(settings: BatcherSettings, work: BatchWork<T, R>) {
    this.#settings = settings;
    this.#work = work;
  }

  /**
   * @param bytes the size of the item
   * @throws the error that refuses the item, or the failure of the work
   */
  add(owner: string, item: T, bytes: number): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#queue.add(owner, { owner, item, bytes, since: performance.now(), resolve, reject });
      this.#start();
    });
  }

  get #isFull(): boolean {
    return this.#batches >= this.#settings.batches;
  }

  /** Starts in the next turn of the event loop, so that items that have already arrived can join. */
  #start(): void {
    if (this.#isStarting || this.#isFull) return;
    this.#isStarting = true;
    setImmediate(() => {
      this.#isStarting = false;
      this.#sendNext();
    });
  }

  /** Returns false if there was nothing to send. */
  #sendNext(): boolean {
    if (this.#isFull) return false;
    const batch = this.#gather(() => this.#queue.take(undefined, (owner) => !this.#away.has(owner)));
    if (batch.length > 0) void this.#send(batch);
    return batch.length > 0;
  }

  /** Builds a batch from the next items. */
  #gather(next: () => BatchedItem<T, R> | undefined): BatchedItem<T, R>[] {
    const batch: BatchedItem<T, R>[] = [];
    for (let bytes = 0; batch.length < this.#settings.items && bytes < this.#settings.bytes; ) {
      const one = next();
      if (one === undefined) break;
      if (this.#isOverdue(one)) continue;
      batch.push(one);
      bytes += one.bytes;
    }
    return batch;
  }

  /** Rejects the item if it has waited too long, and returns true. */
  #isOverdue({ since, reject }: BatchedItem<T, R>): boolean {
    const isOverdue = performance.now() - since > this.#settings.longestMs;
    if (isOverdue) reject(this.#work.overdue());
    return isOverdue;
  }

  /** Runs a batch, and starts the next one when this one ends or takes too long. */
  async #send(batch: readonly BatchedItem<T, R>[]): Promise<void> {
    this.#batches += 1;
    for (const { owner } of batch) this.#away.add(owner);
    let startNext = (): boolean => {
      startNext = () => false;
      this.#batches -= 1;
      for (const { owner } of batch) this.#away.delete(owner);
      return this.#sendNext();
    };
    const timer = setTimeout(() => startNext(), this.#settings.patienceMs);
    const outcomes = await this.#outcomesOf(batch, false);
    clearTimeout(timer);
    for (const one of heldOf(batch, outcomes)) this.#hold(one);
    // Start the next batch before answering this one.
    if (startNext()) setImmediate(() => settle(batch, outcomes));
    else settle(batch, outcomes);
  }

  async #outcomesOf(
    batch: readonly BatchedItem<T, R>[],
    waits: boolean,
  ): Promise<readonly BatchOutcome<R>[]> {
    try {
      return await this.#work.together(
        batch.map(({ item }) => item),
        waits,
      );
    } catch (error) {
      if (batch.length === 1 || this.#work.isForAll(error))
        return batch.map(() => ({ kind: 'refused', error }));
      return this.#takeApart(batch);
    }
  }

  /** Processes the items one by one: no item fails because of another, and owners wait only for their own items. */
  async #takeApart(batch: readonly BatchedItem<T, R>[]): Promise<readonly BatchOutcome<R>[]> {
    const outcomes = new Map<BatchedItem<T, R>, BatchOutcome<R>>();
    const ofOwners = [...byOwner(batch)].map(async (items) => {
      for (const one of items) outcomes.set(one, await this.#alone(one));
    });
    await Promise.all(ofOwners);
    return batch.map((one) => outcomes.get(one)!);
  }

  /** Processes one item and settles it at once. */
  async #alone(one: BatchedItem<T, R>): Promise<BatchOutcome<R>> {
    const outcome = await this.#work.alone(one.item).then(
      (result): BatchOutcome<R> => ({ kind: 'done', result }),
      (error: unknown): BatchOutcome<R> => ({ kind: 'refused', error }),
    );
    settle([one], [outcome]);
    return outcome;
  }

  #hold(one: BatchedItem<T, R>): void {
    const held = this.#held.get(one.owner);
    if (held !== undefined) {
      held.push(one);
      return;
    }
    this.#held.set(one.owner, [one]);
    void this.#waitFor(one.owner);
  }

  /**
   * Waits for the locks on one owner's items, outside the batches and one step at a time: first one item alone, then
   * the others together, until none is locked.
   */
  async #waitFor(owner: string): Promise<void> {
    const held = this.#held.get(owner)!;
    for (let first = held.shift(); first !== undefined; first = held.shift()) {
      if (this.#isOverdue(first)) continue;
      await this.#alone(first);
      const others = this.#gather(() => held.shift());
      if (others.length === 0) continue;
      const outcomes = await this.#outcomesOf(others, true);
      settle(others, outcomes);
      held.unshift(...heldOf(others, outcomes));
    }
    this.#held.delete(owner);
  }
}

function byOwner<T extends { readonly owner: string }>(items: readonly T[]): Iterable<readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(item.owner);
    if (group === undefined) groups.set(item.owner, [item]);
    else group.push(item);
  }
  return groups.values();
}

function heldOf<I>(items: readonly I[], outcomes: readonly BatchOutcome<unknown>[]): readonly I[] {
  return items.filter((_, place) => outcomes[place]!.kind === 'held');
}

/** Resolves or rejects the items that were not skipped. */
function settle<T, R>(batch: readonly BatchedItem<T, R>[], outcomes: readonly BatchOutcome<R>[]): void {
  batch.forEach(({ resolve, reject }, place) => {
    const outcome = outcomes[place]!;
    if (outcome.kind === 'done') resolve(outcome.result);
    else if (outcome.kind === 'refused') reject(outcome.error);
  });
}
