/**
 * Divides a limited number of places. An owner may take at most half of the places that the others leave, but always
 * one if one is free. An owner that keeps its places for long thus leaves some for later owners.
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

  /** True if the owner may take the given number of places. */
  hasCapacity(owner: string, places = 1): boolean {
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

  /** Returns a copy, to try what fits. */
  copy(): Shares {
    return new Shares(this.#places, this.#taken);
  }
}
