/** Publication: brings committed changes to the name servers and confirms that they arrived. */

import { setMaxListeners } from 'node:events';
import { later } from '../../model/clock.ts';
import type { ClaimedOrder } from '../../model/publication/publication.ts';
import type { Job, Jobs, StartedJob } from '../../runtime/jobs.ts';
import { Catalogs } from './catalogs.ts';
import type { WorkerDeps } from './deps.ts';
import { DnsClient } from './dns-client.ts';
import { LatencyEstimator } from './latency-estimator.ts';
import { Notifier } from './notify.ts';
import { OrderTrackers } from './order-trackers.ts';
import { formerZoneRemoval, reconciliation } from './order-upkeep.ts';
import { type PoolsAndKeys, PoolsAndKeysCache } from './pools-and-keys.ts';
import type { WorkerSettings } from './settings.ts';
import { sweep } from './sweep.ts';

export interface Worker {
  /** Checks for orders soon. Calls are combined. */
  wake(): void;
}

class PublicationWorker implements Worker {
  readonly #deps: WorkerDeps;
  readonly #settings: WorkerSettings;
  readonly #exchanges: DnsClient;
  readonly #notifier: Notifier;
  readonly #directories: PoolsAndKeysCache;
  readonly #catalogs: Catalogs;
  readonly #trackers: OrderTrackers;
  readonly #job: StartedJob;
  #isFull = false;

  constructor(jobs: Jobs, deps: WorkerDeps, settings: WorkerSettings) {
    const { signal } = jobs;
    // Every order, query and pause adds a listener.
    setMaxListeners(0, signal);
    this.#deps = deps;
    this.#settings = settings;
    this.#exchanges = new DnsClient(settings);
    this.#notifier = new Notifier(this.#exchanges, settings, deps.log);
    this.#directories = new PoolsAndKeysCache(deps, settings.pollMs);
    this.#catalogs = new Catalogs(deps, this.#notifier, settings);
    const parts = { ...deps, exchanges: this.#exchanges, settings };
    const trackers = {
      ...parts,
      notifier: this.#notifier,
      latency: new LatencyEstimator(settings.queryBackoff),
    };
    this.#trackers = new OrderTrackers(trackers, signal, () => this.#capacityFreed());
    const beside = { ...parts, directories: this.#directories, wake: () => this.wake() };
    this.#job = jobs.start(this.#publication());
    jobs.start(reconciliation(beside));
    jobs.start(formerZoneRemoval(beside));
    jobs.start(sweep(beside, signal));
  }

  wake(): void {
    this.#job.wake();
  }

  #publication(): Job {
    const { pollMs: poll, storeBackoff: storeRetry } = this.#settings;
    return {
      name: 'publication',
      intervalMs: poll,
      gapMs: () => this.#gap(),
      retry: storeRetry,
      slice: () => this.#takeOrders(),
      finish: async () => {
        await this.#trackers.ended();
        this.#notifier.stop();
        this.#exchanges.close();
      },
    };
  }

  async #takeOrders(): Promise<boolean> {
    const directory = await this.#directories.current();
    if (directory.pools.size === 0) return false;
    const moves = await this.#catalogs.move(directory);
    const isMore = await this.#claim();
    if (moves.failure !== undefined) throw moves.failure;
    return moves.hasMoved || isMore;
  }

  async #claim(): Promise<boolean> {
    const limit = this.#capacity();
    this.#isFull = limit <= 0;
    if (this.#isFull) return false;
    const now = this.#deps.clock.now();
    const until = later(now, this.#settings.leaseMs);
    const orders = await this.#deps.store.transaction((tx) => tx.publications.claim(now, until, limit));
    if (orders.length === 0) return false;
    // Read after the claim: an order may be due because its pool has just changed.
    const directory = await this.#directories.current(performance.now());
    for (const order of orders) this.#begin(order, directory);
    return orders.length >= limit;
  }

  /** Wakes the job once a batch fits again, if there was no room before. */
  #capacityFreed(): void {
    if (!this.#isFull || this.#capacity() < this.#settings.busyBatchSize) return;
    this.#isFull = false;
    this.wake();
  }

  /** Number of orders that may be claimed now. */
  #capacity(): number {
    const {
      maxTracked: trackers,
      batchSize: batch,
      busyMaxTracked: busyTrackers,
      busyBatchSize: busyBatch,
    } = this.#settings;
    const { running } = this.#trackers;
    return this.#deps.busy()
      ? Math.min(busyBatch, busyTrackers - running)
      : Math.min(batch, trackers - running);
  }

  #begin(order: ClaimedOrder, directory: PoolsAndKeys): void {
    const pool = directory.pools.get(order.poolId);
    if (pool !== undefined && order.attempts > 0) this.#catalogs.remind(pool, directory);
    this.#trackers.begin(order, directory);
  }

  /** Grows with the number of orders being confirmed. */
  #gap(): number {
    const { minGapMs: gap, busyMinGapMs: busyGap, maxGapMs: longestGap } = this.#settings;
    const least = this.#deps.busy() ? busyGap : gap;
    return Math.max(least, Math.min(longestGap, this.#trackers.running));
  }
}

/** Starts publication. Every process runs it, and they share the work. */
export function startWorker(jobs: Jobs, deps: WorkerDeps, settings: WorkerSettings): Worker {
  return new PublicationWorker(jobs, deps, settings);
}
