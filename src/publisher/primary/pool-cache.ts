import type { Pool } from '../../model/pools/pool.ts';
import type { PoolReads } from '../../model/pools/store.ts';
import type { TsigKeyReads } from '../../model/tsig-keys/store.ts';
import type { TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import type { Log } from '../../runtime/log.ts';

/** Time that pools and keys are cached, in milliseconds. */
const FRESH = 1000;

export interface CachedPools {
  readonly pools: readonly Pool[];
  readonly keys: readonly TsigKey[];
}

/** The pools and keys, at most one second old. */
export class PrimaryPoolCache {
  readonly #pools: Pick<PoolReads, 'all'>;
  readonly #keys: Pick<TsigKeyReads, 'all'>;
  readonly #log: Log;
  #known: Promise<CachedPools> | undefined;
  #until = 0;

  constructor(pools: Pick<PoolReads, 'all'>, keys: Pick<TsigKeyReads, 'all'>, log: Log) {
    this.#pools = pools;
    this.#keys = keys;
    this.#log = log;
  }

  /** @throws anything the store throws; the next call reads again */
  current(): Promise<CachedPools> {
    if (this.#known === undefined || performance.now() >= this.#until) this.#known = this.#read();
    return this.#known;
  }

  async #read(): Promise<CachedPools> {
    // The time starts here: changes committed during the read may be missing.
    this.#until = performance.now() + FRESH;
    try {
      const [pools, keys] = await Promise.all([this.#pools.all(), this.#keys.all()]);
      return { pools, keys };
    } catch (error) {
      this.#until = 0;
      this.#log.error({ err: error }, 'cannot read pools and keys');
      throw error;
    }
  }
}
