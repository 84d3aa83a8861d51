/**
 * Rate limits for NOTIFY messages from unknown addresses, each and in total: every message costs a read of the store.
 */
import { type MessageRate, TokenBucket, TokenBuckets } from './token-buckets.ts';

const STRANGER: MessageRate = { perSecond: 5, burst: 20 };
const STRANGERS: MessageRate = { perSecond: 100, burst: 200 };
/** A master may have thousands of zones that change at once. */
const MASTER: MessageRate = { perSecond: 500, burst: 2000 };

export class NoticeLimits {
  readonly #now: () => number;
  /** Addresses whose NOTIFY was accepted, and all others, least recently seen first. */
  readonly #masters: TokenBuckets;
  readonly #strangers: TokenBuckets;
  readonly #all: TokenBucket;

  /** @param now in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#masters = new TokenBuckets(MASTER);
    this.#strangers = new TokenBuckets(STRANGER);
    this.#all = new TokenBucket(STRANGERS, now());
  }

  /** True if one more message from the address may be processed. */
  pass(address: string): boolean {
    const now = this.#now();
    if (this.#masters.has(address)) return this.#masters.of(address, now).take(now);
    return this.#strangers.of(address, now).take(now) && this.#all.take(now);
  }

  /** Records that the address belongs to a master. */
  know(address: string): void {
    this.#strangers.forget(address);
    this.#masters.of(address, this.#now());
  }
}
