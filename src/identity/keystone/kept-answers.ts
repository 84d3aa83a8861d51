interface CachedAnswer<T> {
  readonly value: T;
  readonly until: number;
  readonly bytes: number;
}

export interface KeptLimits {
  readonly answers: number;
  readonly bytes: number;
}

/** A cache of answers with an expiry and bounded memory; it evicts the least recently used. */
export class KeptAnswers<T> {
  readonly #limits: KeptLimits;
  readonly #kept = new Map<string, CachedAnswer<T>>();
  #bytes = 0;

  constructor(limits: KeptLimits) {
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
      if (this.#kept.size <= this.#limits.answers && this.#bytes <= this.#limits.bytes) return;
      this.#remove(oldest, kept);
    }
  }

  #add(key: string, kept: CachedAnswer<T>): void {
    this.#kept.set(key, kept);
    this.#bytes += kept.bytes;
  }

  #remove(key: string, { bytes }: CachedAnswer<T>): void {
    this.#kept.delete(key);
    this.#bytes -= bytes;
  }
}
