import { Gatherer, type GathererSettings, type Work } from './gatherer.ts';

interface Line<T, R> {
  readonly gatherer: Gatherer<T, R>;
  /** How many items are in it. */
  length: number;
}

/** A gatherer for each thing that items need: those that need the same one wait for one another, and for no others. */
export class Lines<T, R> {
  readonly #settings: GathererSettings;
  readonly #work: Work<T, R>;
  readonly #lines = new Map<string, Line<T, R>>();

  constructor(settings: GathererSettings, work: Work<T, R>) {
    this.#settings = settings;
    this.#work = work;
  }

  /** How many lines there are. */
  get size(): number {
    return this.#lines.size;
  }

  /** As `Gatherer.add`, in the line for the thing that the item needs. */
  async add(thing: string, owner: string, item: T, bytes: number): Promise<R> {
    const line = this.#lineFor(thing);
    line.length += 1;
    try {
      return await line.gatherer.add(owner, item, bytes);
    } finally {
      line.length -= 1;
      if (line.length === 0) this.#lines.delete(thing);
    }
  }

  #lineFor(thing: string): Line<T, R> {
    const known = this.#lines.get(thing);
    if (known !== undefined) return known;
    const line = { gatherer: new Gatherer(this.#settings, this.#work), length: 0 };
    this.#lines.set(thing, line);
    return line;
  }
}
