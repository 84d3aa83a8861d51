import { FairQueue } from './fair-queue.ts';

/** What becomes of one item of a batch: done, refused by itself, or left out since something else holds what it needs. */
export type Outcome<R> =
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'held' };

/** How items are worked on. */
export interface Work<T, R> {
  /** One item by itself. It waits for whatever holds it. */
  alone(item: T): Promise<R>;
  /**
   * Some at once. Returns the outcome of each, in their order; if it fails, nothing was done.
   * @param waits whether it waits for what holds their owner, who is then the same; it never waits for what holds single items
   */
  together(items: readonly T[], waits: boolean): Promise<readonly Outcome<R>[]>;
  /** Whether each item alone would fail as the batch has failed. */
  isForAll(failure: unknown): boolean;
  /** What refuses an item that has waited too long for its turn. */
  overdue(): unknown;
}

export interface GathererSettings {
  /** The most batches that are on their way. */
  readonly batches: number;
  /** The most items of a batch. */
  readonly items: number;
  /** The bytes after which a batch takes no further item. */
  readonly bytes: number;
  /** How long a batch keeps others waiting, in milliseconds. */
  readonly patienceMs: number;
  /** How long an item waits for its turn, in milliseconds. */
  readonly longestMs: number;
}

interface Waiting<T, R> {
  readonly owner: string;
  readonly item: T;
  readonly bytes: number;
  /** When it came, by `performance.now`. */
  readonly since: number;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Works on items in batches. A batch is what has gathered while others were on their way: an item that comes alone goes at
 * once. Owners take turns in a batch, and each is in one at a time.
 */
export class Gatherer<T, R> {
  readonly #settings: GathererSettings;
  readonly #work: Work<T, R>;
  readonly #queue = new FairQueue<Waiting<T, R>>();
  /** What batches have left out and is waited for, by owner. */
  readonly #held = new Map<string, Waiting<T, R>[]>();
  /** The owners of what is on its way. */
  readonly #away = new Set<string>();
  #batches = 0;
  #isStarting = false;

  constructor(settings: GathererSettings, work: Work<T, R>) {
    this.#settings = settings;
    this.#work = work;
  }

  /**
   * @param bytes the size of the item
   * @throws what refuses the item, and the failure of the work
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

  /** In the next turn, so that items which have already arrived can join. */
  #start(): void {
    if (this.#isStarting || this.#isFull) return;
    this.#isStarting = true;
    setImmediate(() => {
      this.#isStarting = false;
      this.#sendNext();
    });
  }

  /** Returns whether there was something to send. */
  #sendNext(): boolean {
    if (this.#isFull) return false;
    const batch = this.#gather(() => this.#queue.take(undefined, (owner) => !this.#away.has(owner)));
    if (batch.length > 0) void this.#send(batch);
    return batch.length > 0;
  }

  /** A batch of what comes next. */
  #gather(next: () => Waiting<T, R> | undefined): Waiting<T, R>[] {
    const batch: Waiting<T, R>[] = [];
    for (let bytes = 0; batch.length < this.#settings.items && bytes < this.#settings.bytes; ) {
      const one = next();
      if (one === undefined) break;
      if (this.#isOverdue(one)) continue;
      batch.push(one);
      bytes += one.bytes;
    }
    return batch;
  }

  /** Whether the item has waited too long; it is refused then. */
  #isOverdue({ since, reject }: Waiting<T, R>): boolean {
    const isOverdue = performance.now() - since > this.#settings.longestMs;
    if (isOverdue) reject(this.#work.overdue());
    return isOverdue;
  }

  /** Carries a batch out, and makes room for the next one when it has ended or takes too long. */
  async #send(batch: readonly Waiting<T, R>[]): Promise<void> {
    this.#batches += 1;
    for (const { owner } of batch) this.#away.add(owner);
    let goOn = (): boolean => {
      goOn = () => false;
      this.#batches -= 1;
      for (const { owner } of batch) this.#away.delete(owner);
      return this.#sendNext();
    };
    const timer = setTimeout(() => goOn(), this.#settings.patienceMs);
    const outcomes = await this.#outcomesOf(batch, false);
    clearTimeout(timer);
    for (const one of heldOf(batch, outcomes)) this.#hold(one);
    // The next batch is on its way while the answers to this one are written.
    if (goOn()) setImmediate(() => settle(batch, outcomes));
    else settle(batch, outcomes);
  }

  async #outcomesOf(batch: readonly Waiting<T, R>[], waits: boolean): Promise<readonly Outcome<R>[]> {
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

  /** Nobody fails for the sake of another, and owners wait only for their own. */
  async #takeApart(batch: readonly Waiting<T, R>[]): Promise<readonly Outcome<R>[]> {
    const outcomes = new Map<Waiting<T, R>, Outcome<R>>();
    const ofOwners = [...byOwner(batch)].map(async (items) => {
      for (const one of items) outcomes.set(one, await this.#alone(one));
    });
    await Promise.all(ofOwners);
    return batch.map((one) => outcomes.get(one)!);
  }

  /** Tells the outcome at once. */
  async #alone(one: Waiting<T, R>): Promise<Outcome<R>> {
    const outcome = await this.#work.alone(one.item).then(
      (result): Outcome<R> => ({ kind: 'done', result }),
      (error: unknown): Outcome<R> => ({ kind: 'refused', error }),
    );
    settle([one], [outcome]);
    return outcome;
  }

  #hold(one: Waiting<T, R>): void {
    const held = this.#held.get(one.owner);
    if (held !== undefined) {
      held.push(one);
      return;
    }
    this.#held.set(one.owner, [one]);
    void this.#waitFor(one.owner);
  }

  /**
   * Waits for what holds items of one owner, beside the batches, with one piece of work at a time: the first one by itself,
   * then the others together, until none is held.
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

function heldOf<I>(items: readonly I[], outcomes: readonly Outcome<unknown>[]): readonly I[] {
  return items.filter((_, place) => outcomes[place]!.kind === 'held');
}

/** Tells the outcomes of those that are not held. */
function settle<T, R>(batch: readonly Waiting<T, R>[], outcomes: readonly Outcome<R>[]): void {
  batch.forEach(({ resolve, reject }, place) => {
    const outcome = outcomes[place]!;
    if (outcome.kind === 'done') resolve(outcome.result);
    else if (outcome.kind === 'refused') reject(outcome.error);
  });
}
