import type { Pool } from '../../model/pools/pool.ts';
import type { PoolReads } from '../../model/pools/store.ts';
import type { Log } from '../../runtime/log.ts';

/**
 * Time that pools are cached, in milliseconds. A server that asks for a catalog as soon as its NOTIFY arrives must not be
 * answered by what was read before there was one.
 */
const FRESH = 100;

/** The pools, at most a tenth of a second old. */
export class PrimaryPoolCache {
  readonly #pools: Pick<PoolReads, 'all'>;
  readonly #log: Log;
  #known: Promise<readonly Pool[]> | undefined;
  #until = 0;

  constructor(pools: Pick<PoolReads, 'all'>, log: Log) {
    this.#pools = pools;
    this.#log = log;
  }

  /** @throws anything the store throws; the next call reads again */
  current(): Promise<readonly Pool[]> {
    if (this.#known === undefined || performance.now() >= this.#until) this.#known = this.#read();
    return this.#known;
  }

  async #read(): Promise<readonly Pool[]> {
    // The time starts here: changes committed during the read may be missing.
    this.#until = performance.now() + FRESH;
    try {
      return await this.#pools.all();
    } catch (error) {
      this.#until = 0;
      this.#log.error({ err: error }, 'cannot read pools');
      throw error;
    }
  }
}
