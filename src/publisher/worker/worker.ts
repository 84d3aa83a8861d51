/** Publication: brings what is committed to the name servers, and finds out whether it arrived. */

import { setMaxListeners } from 'node:events';
import { type Work, WorkLoop } from '../../background/work-loop.ts';
import { later } from '../../model/clock.ts';
import type { ClaimedOrder } from '../../model/publication/publication.ts';
import { Catalogs } from './catalogs.ts';
import type { WorkerDeps } from './deps.ts';
import { Directories, type Directory } from './directory.ts';
import { Exchanges } from './exchanges.ts';
import { Looks } from './looks.ts';
import { Notifier } from './notify.ts';
import { Pace } from './pace.ts';
import type { WorkerSettings } from './settings.ts';
import { Sweep } from './sweep.ts';
import { Upkeep } from './upkeep.ts';

export interface Worker {
  /** Says that something was committed. Any number of calls is one look for orders. */
  wake(): void;
  /** Ends it: nothing is in flight any more when this resolves. */
  stop(): Promise<void>;
}

class PublicationWorker implements Worker {
  readonly #deps: WorkerDeps;
  readonly #settings: WorkerSettings;
  readonly #stopping = new AbortController();
  readonly #exchanges: Exchanges;
  readonly #notifier: Notifier;
  readonly #directories: Directories;
  readonly #catalogs: Catalogs;
  readonly #looks: Looks;
  readonly #running: Promise<unknown>;
  readonly #loop: WorkLoop;
  #isFull = false;

  constructor(deps: WorkerDeps, settings: WorkerSettings) {
    const { signal } = this.#stopping;
    // Every zone in hand, question and pause listens.
    setMaxListeners(0, signal);
    this.#deps = deps;
    this.#settings = settings;
    this.#exchanges = new Exchanges(settings);
    this.#notifier = new Notifier(this.#exchanges, settings, deps.log);
    this.#directories = new Directories(deps, settings.poll);
    this.#catalogs = new Catalogs(deps, this.#notifier, settings);
    const parts = { ...deps, exchanges: this.#exchanges, settings };
    const looks = { ...parts, notifier: this.#notifier, pace: new Pace(settings.ask) };
    this.#looks = new Looks(looks, signal, () => this.#roomAgain());
    const beside = { ...parts, directories: this.#directories, wake: () => this.wake() };
    this.#loop = new WorkLoop(this.#work(), { poll: settings.poll, retry: settings.storeRetry }, signal);
    this.#running = Promise.all([
      this.#loop.run(),
      new Upkeep(beside, signal).run(),
      new Sweep(beside, signal).run(),
    ]);
  }

  wake(): void {
    this.#loop.wake();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#looks.ended();
    this.#notifier.stop();
    this.#exchanges.close();
  }

  #work(): Work {
    const { log } = this.#deps;
    return {
      turn: () => this.#turn(),
      gap: () => this.#gap(),
      failed: (err) => log.error({ err }, 'publication waits for the store'),
      recovered: () => log.info({}, 'publication goes on'),
    };
  }

  /** Whether there may be more to do at once. */
  async #turn(): Promise<boolean> {
    const directory = await this.#directories.current();
    if (directory.pools.size === 0) return false;
    const moves = await this.#catalogs.move(directory);
    const isMore = await this.#claim(directory);
    if (moves.failure !== undefined) throw moves.failure;
    return moves.hasMoved || isMore;
  }

  async #claim(directory: Directory): Promise<boolean> {
    const limit = this.#room();
    this.#isFull = limit <= 0;
    if (this.#isFull) return false;
    const now = this.#deps.clock.now();
    const until = later(now, this.#settings.lease);
    const orders = await this.#deps.store.transaction((tx) => tx.publications.claim(now, until, limit));
    for (const order of orders) this.#begin(order, directory);
    return orders.length >= limit;
  }

  /** Wakes the loop once a batch can be taken, if there was no room for more. */
  #roomAgain(): void {
    if (!this.#isFull || this.#room() < this.#settings.busyBatch) return;
    this.#isFull = false;
    this.wake();
  }

  /** How many orders may be taken now. */
  #room(): number {
    const { looks, batch, busyLooks, busyBatch } = this.#settings;
    const { running } = this.#looks;
    return this.#deps.busy() ? Math.min(busyBatch, busyLooks - running) : Math.min(batch, looks - running);
  }

  #begin(order: ClaimedOrder, directory: Directory): void {
    const pool = directory.pools.get(order.poolId);
    if (pool !== undefined && order.attempts > 0) this.#catalogs.remind(pool, directory);
    this.#looks.begin(order, directory);
  }

  /** A longer one while many orders are looked after. */
  #gap(): number {
    const { gap, busyGap, longestGap } = this.#settings;
    const least = this.#deps.busy() ? busyGap : gap;
    return Math.max(least, Math.min(longestGap, this.#looks.running));
  }
}

/** Starts publication; every process of the service has its own, and they share the work. */
export function startWorker(deps: WorkerDeps, settings: WorkerSettings): Worker {
  return new PublicationWorker(deps, settings);
}
