/**
 * Rate limits for NOTIFY messages from unknown addresses, each and in total: every message costs a read of the store.
 */

/** Messages per second, and maximum burst. */
interface NoticeRate {
  readonly perSecond: number;
  readonly burst: number;
}

const STRANGER: NoticeRate = { perSecond: 5, burst: 20 };
const STRANGERS: NoticeRate = { perSecond: 100, burst: 200 };
/** A master may have thousands of zones that change at once. */
const MASTER: NoticeRate = { perSecond: 500, burst: 2000 };
/** Maximum number of addresses kept; the least recently seen are dropped. */
const MAX_ADDRESSES = 10_000;

class TokenBucket {
  readonly #rate: NoticeRate;
  #left: number;
  #at: number;

  constructor(rate: NoticeRate, now: number) {
    this.#rate = rate;
    this.#left = rate.burst;
    this.#at = now;
  }

  take(now: number): boolean {
    const { perSecond, burst } = this.#rate;
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

export class NoticeLimits {
  readonly #now: () => number;
  /** Addresses whose NOTIFY was accepted, and all others, least recently seen first. */
  readonly #masters = new Map<string, TokenBucket>();
  readonly #strangers = new Map<string, TokenBucket>();
  readonly #all: TokenBucket;

  /** @param now in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#all = new TokenBucket(STRANGERS, now());
  }

  /** True if one more message from the address may be processed. */
  pass(address: string): boolean {
    const now = this.#now();
    const master = this.#masters.get(address);
    if (master !== undefined) return master.take(now);
    return this.#of(this.#strangers, address, STRANGER, now).take(now) && this.#all.take(now);
  }

  /** Records that the address belongs to a master. */
  know(address: string): void {
    this.#strangers.delete(address);
    this.#of(this.#masters, address, MASTER, this.#now());
  }

  #of(allowances: Map<string, TokenBucket>, address: string, rate: NoticeRate, now: number): TokenBucket {
    const allowance = allowances.get(address) ?? new TokenBucket(rate, now);
    allowances.delete(address);
    allowances.set(address, allowance);
    if (allowances.size > MAX_ADDRESSES) allowances.delete(allowances.keys().next().value!);
    return allowance;
  }
}
