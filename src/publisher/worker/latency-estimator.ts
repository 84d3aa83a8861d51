import { formatAddress, type ServerAddress } from '../../model/pools/pool.ts';
import type { Backoff } from '../../runtime/backoff.ts';

/** Weight of the newest measurement in the moving average. */
const WEIGHT = 0.2;
/** Fraction of a server's usual time before the first query: a little too early costs nothing. */
const EARLY = 0.6;

/** Tracks how long servers take to load changes, so that busy servers get few useless queries. */
export class LatencyEstimator {
  readonly #waits: Backoff;
  readonly #usual = new Map<string, number>();

  constructor(waits: Backoff) {
    this.#waits = waits;
  }

  /** The waits between queries about one change. */
  waits(server: ServerAddress): Backoff {
    const usual = this.#usual.get(formatAddress(server)) ?? 0;
    const firstMs = Math.min(Math.max(this.#waits.firstMs, usual * EARLY), this.#waits.maxMs);
    return { ...this.#waits, firstMs };
  }

  /** Records that a server had a change `ms` milliseconds after the order was claimed. */
  arrived(server: ServerAddress, ms: number): void {
    const address = formatAddress(server);
    const usual = this.#usual.get(address) ?? ms;
    this.#usual.set(address, usual + WEIGHT * (ms - usual));
  }
}
