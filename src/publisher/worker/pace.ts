import { formatAddress, type ServerAddress } from '../../model/pools/pool.ts';
import type { Backoff } from '../../runtime/backoff.ts';

/** The part that the newest measure has in the mean. */
const WEIGHT = 0.2;
/** The first question comes after this part of the time that servers usually take: a little too early is no loss. */
const EARLY = 0.6;

/** How long servers took to have changes lately, so that few questions are asked in vain while they are busy. */
export class Pace {
  readonly #waits: Backoff;
  readonly #usual = new Map<string, number>();

  constructor(waits: Backoff) {
    this.#waits = waits;
  }

  /** The waits between questions about one change. */
  waits(server: ServerAddress): Backoff {
    const usual = this.#usual.get(formatAddress(server)) ?? 0;
    const firstMs = Math.min(Math.max(this.#waits.firstMs, usual * EARLY), this.#waits.maxMs);
    return { ...this.#waits, firstMs };
  }

  /** A server has had a change so many milliseconds after the order was taken. */
  arrived(server: ServerAddress, ms: number): void {
    const address = formatAddress(server);
    const usual = this.#usual.get(address) ?? ms;
    this.#usual.set(address, usual + WEIGHT * (ms - usual));
  }
}
