/**
 * Places that run out: each owner takes at most half of those that the others leave, and one thing at least while there is
 * room for it. So an owner who keeps them for long leaves some for owners who come later.
 */
export class Shares {
  readonly #places: number;
  readonly #taken: Map<string, number>;
  #all = 0;

  constructor(places: number, taken: ReadonlyMap<string, number> = new Map()) {
    this.#places = places;
    this.#taken = new Map(taken);
    for (const count of taken.values()) this.#all += count;
  }

  get free(): number {
    return this.#places - this.#all;
  }

  /** How many places the owner has. */
  of(owner: string): number {
    return this.#taken.get(owner) ?? 0;
  }

  /** Whether the owner may take one more thing, of so many places. */
  hasRoom(owner: string, places = 1): boolean {
    if (this.free < places) return false;
    const own = this.of(owner);
    const left = this.#places - (this.#all - own);
    return own === 0 || own + places <= Math.floor(left / 2);
  }

  take(owner: string, places = 1): void {
    this.#all += places;
    this.#taken.set(owner, this.of(owner) + places);
  }

  leave(owner: string, places = 1): void {
    this.#all -= places;
    const left = this.#taken.get(owner)! - places;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
  }

  /** The same places, to try what fits. */
  copy(): Shares {
    return new Shares(this.#places, this.#taken);
  }
}
