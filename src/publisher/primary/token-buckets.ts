/** Limits on messages, by whatever they are counted by. */

/** Messages per second, and maximum burst. */
export interface MessageRate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Maximum number of buckets kept; the least recently used are dropped. */
const MAX_BUCKETS = 10_000;

export class TokenBucket {
  readonly #rate: MessageRate;
  #left: number;
  #at: number;

  constructor(rate: MessageRate, now: number) {
    this.#rate = rate;
    this.#left = rate.burst;
    this.#at = now;
  }

  /** Takes one, if one is left. */
  take(now: number): boolean {
    if (!this.hasOne(now)) return false;
    this.#left -= 1;
    return true;
  }

  hasOne(now: number): boolean {
    const { perSecond, burst } = this.#rate;
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    return this.#left >= 1;
  }
}

/** Buckets by address, or by key. */
export class TokenBuckets {
  readonly #rate: MessageRate;
  /** Least recently used first. */
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(rate: MessageRate) {
    this.#rate = rate;
  }

  has(name: string): boolean {
    return this.#buckets.has(name);
  }

  of(name: string, now: number): TokenBucket {
    const bucket = this.#buckets.get(name) ?? new TokenBucket(this.#rate, now);
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > MAX_BUCKETS) this.#buckets.delete(this.#buckets.keys().next().value!);
    return bucket;
  }

  forget(name: string): void {
    this.#buckets.delete(name);
  }
}
