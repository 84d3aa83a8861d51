import { clientNetwork } from '../../addresses/networks.ts';

/** Maximum number of addresses counted separately within one second; further ones share one count. */
const MAX_ADDRESSES = 100_000;

/** Counts events, such as failed credentials, per address and second. */
export class PerAddress {
  readonly #limit: number;
  #second = 0;
  #counts = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True if one more would exceed the limit. Counts nothing. */
  isAtLimit(address: string): boolean {
    const count = this.#second === this.#now() ? (this.#counts.get(this.#keyOf(address)) ?? 0) : 0;
    return count >= this.#limit;
  }

  /** Counts one more; true if the address has exceeded its limit for this second. */
  isBeyondLimit(address: string): boolean {
    const second = this.#now();
    if (second !== this.#second) {
      this.#second = second;
      this.#counts = new Map();
    }
    const key = this.#keyOf(address);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count > this.#limit;
  }

  #now(): number {
    return Math.floor(performance.now() / 1000);
  }

  #keyOf(address: string): string {
    const network = clientNetwork(address);
    return this.#counts.has(network) || this.#counts.size < MAX_ADDRESSES ? network : 'the rest';
  }
}
