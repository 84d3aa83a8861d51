import { Batcher, type BatcherSettings, type BatchWork } from './batcher.ts';

interface KeyQueue<T, R> {
  readonly batcher: Batcher<T, R>;
  /** Number of items in this line. */
  length: number;
}

/** One gatherer per resource: items wait only for items that need the same resource. */
export class KeyedBatcher<T, R> {
  readonly #settings: BatcherSettings;
  readonly #work: BatchWork<T, R>;
  readonly #lines = new Map<string, KeyQueue<T, R>>();

  constructor(settings: BatcherSettings, work: BatchWork<T, R>) {
    this.#settings = settings;
    this.#work = work;
  }

  /** Number of lines. */
  get size(): number {
    return this.#lines.size;
  }

  /** Like `Gatherer.add`, in the line of the resource that the item needs. */
  async add(thing: string, owner: string, item: T, bytes: number): Promise<R> {
    const line = this.#lineFor(thing);
    line.length += 1;
    try {
      return await line.batcher.add(owner, item, bytes);
    } finally {
      line.length -= 1;
      if (line.length === 0) this.#lines.delete(thing);
    }
  }

  #lineFor(thing: string): KeyQueue<T, R> {
    const known = this.#lines.get(thing);
    if (known !== undefined) return known;
    const line = { batcher: new Batcher(this.#settings, this.#work), length: 0 };
    this.#lines.set(thing, line);
    return line;
  }
}
