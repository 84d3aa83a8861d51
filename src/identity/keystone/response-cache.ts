interface CacheEntry<T> {
  readonly value: T;
  readonly until: number;
  readonly bytes: number;
}

export interface CacheLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** A cache of answers with an expiry and bounded memory; it evicts the least recently used. */
export class ResponseCache<T> {
  readonly #limits: CacheLimits;
  readonly #kept = new Map<string, CacheEntry<T>>();
  #bytes = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  find(key: string): T | undefined {
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    this.#remove(key, found);
    if (found.until <= performance.now()) return undefined;
    this.#add(key, found);
    return found.value;
  }

  /**
   * @param ms time to live, in milliseconds
   * @param bytes approximate size of the answer
   */
  keep(key: string, value: T, ms: number, bytes: number): void {
    if (ms <= 0) return;
    const before = this.#kept.get(key);
    if (before !== undefined) this.#remove(key, before);
    this.#add(key, { value, until: performance.now() + ms, bytes });
    for (const [oldest, kept] of this.#kept) {
      if (this.#kept.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) return;
      this.#remove(oldest, kept);
    }
  }

  #add(key: string, kept: CacheEntry<T>): void {
    this.#kept.set(key, kept);
    this.#bytes += kept.bytes;
  }

  #remove(key: string, { bytes }: CacheEntry<T>): void {
    this.#kept.delete(key);
    this.#bytes -= bytes;
  }
}
