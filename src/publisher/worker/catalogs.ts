import { epochSeconds } from '../../model/clock.ts';
import type { Pool } from '../../model/pools/pool.ts';
import type { WorkerDeps } from './deps.ts';
import type { Notifier } from './notify.ts';
import { MissingKey, type PoolsAndKeys } from './pools-and-keys.ts';
import type { WorkerSettings } from './settings.ts';

/** Adds new zones to the catalogs, removes deleted ones, and notifies the servers. */
export class Catalogs {
  readonly #deps: Pick<WorkerDeps, 'store' | 'clock' | 'log' | 'busy'>;
  readonly #notifier: Notifier;
  readonly #settings: Pick<WorkerSettings, 'catalogBatchSize' | 'busyCatalogBatchSize' | 'retryBackoff'>;
  /** Time of the last NOTIFY for the catalog of each pool. */
  readonly #notifiedAt = new Map<string, number>();

  constructor(
    deps: Pick<WorkerDeps, 'store' | 'clock' | 'log' | 'busy'>,
    notifier: Notifier,
    settings: Pick<WorkerSettings, 'catalogBatchSize' | 'busyCatalogBatchSize' | 'retryBackoff'>,
  ) {
    this.#deps = deps;
    this.#notifier = notifier;
    this.#settings = settings;
  }

  /** Moves each catalog with pending zones one step. A failure in one pool does not stop the others. */
  async move(directory: PoolsAndKeys): Promise<{ readonly hasMoved: boolean; readonly failure: unknown }> {
    const pools = [...directory.pools.values()].filter(({ catalogZone }) => catalogZone !== null);
    const moves = await Promise.allSettled(pools.map((pool) => this.#move(pool, directory)));
    const failure = moves.find((move) => move.status === 'rejected')?.reason;
    return { hasMoved: moves.some((move) => move.status === 'fulfilled' && move.value), failure };
  }

  /** Notifies the servers of a pool again, at most once per `retry.firstMs`, about zones they should know by now. */
  remind(pool: Pool, directory: PoolsAndKeys): void {
    const last = this.#notifiedAt.get(pool.id) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - last >= this.#settings.retryBackoff.firstMs) this.#tell(pool, directory);
  }

  async #move(pool: Pool, directory: PoolsAndKeys): Promise<boolean> {
    const { catalogBatchSize: catalogBatch, busyCatalogBatchSize: busyCatalogBatch } = this.#settings;
    const limit = this.#deps.busy() ? busyCatalogBatch : catalogBatch;
    const seconds = epochSeconds(this.#deps.clock.now());
    const serial = await this.#deps.store.transaction((tx) =>
      tx.publications.moveCatalog(pool.id, seconds, limit),
    );
    if (serial === undefined) return false;
    this.#tell(pool, directory);
    return true;
  }

  #tell(pool: Pool, directory: PoolsAndKeys): void {
    const { catalogZone, nameservers, alsoNotifies, tsigKey } = pool;
    if (catalogZone === null) return;
    this.#notifiedAt.set(pool.id, performance.now());
    try {
      const keys = directory.keysOf(pool, catalogZone.tsigKey ?? tsigKey);
      this.#notifier.notify(catalogZone.fqdn, [...nameservers, ...alsoNotifies], keys);
    } catch (error) {
      if (!(error instanceof MissingKey)) throw error;
      this.#deps.log.warn({ pool: pool.name }, 'the TSIG key of the catalog of a pool does not exist');
    }
  }
}
