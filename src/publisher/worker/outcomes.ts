import type { OrderOutcome } from '../../model/publication/publication.ts';
import { delayAfter } from '../../runtime/backoff.ts';
import type { Log } from '../../runtime/log.ts';
import { pause } from '../../runtime/pause.ts';
import type { PublicationStore } from './deps.ts';
import type { WorkerSettings } from './settings.ts';

/** Maximum number of outcomes per transaction. */
const BATCH_SIZE = 500;

/** Maximum number of orders finished at once. */
const FINISHED_AT_ONCE = 16;

/** Store the outcome, run the next step instead, or both. */
export type Next = 'keep' | 'finish' | 'keep, and go on';

interface WaitingOutcome {
  readonly outcome: OrderOutcome;
  readonly next: Next;
  readonly since: number;
  readonly written: () => void;
}

/** Collects outcomes briefly and writes them in one transaction. */
export class Outcomes {
  readonly #store: PublicationStore;
  readonly #finishOrder: (orderId: string, isGone: boolean) => Promise<void>;
  readonly #log: Log;
  readonly #settings: Pick<WorkerSettings, 'settleDelayMs' | 'storeBackoff' | 'leaseMs'>;
  readonly #stopping: AbortSignal;
  #waiting: WaitingOutcome[] = [];
  #writing: Promise<void> | undefined;

  constructor(
    deps: {
      readonly store: PublicationStore;
      finish(orderId: string, isGone: boolean): Promise<void>;
      readonly log: Log;
    },
    settings: Pick<WorkerSettings, 'settleDelayMs' | 'storeBackoff' | 'leaseMs'>,
    stopping: AbortSignal,
  ) {
    this.#store = deps.store;
    this.#finishOrder = (orderId, isGone) => deps.finish(orderId, isGone);
    this.#log = deps.log;
    this.#settings = settings;
    this.#stopping = stopping;
  }

  /** Resolves once the outcome is written or no longer matters. */
  add(outcome: OrderOutcome, next: Next = 'keep'): Promise<void> {
    return new Promise((written) => {
      this.#waiting.push({ outcome, next, since: performance.now(), written });
      this.#writing ??= this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    await pause(this.#settings.settleDelayMs, this.#stopping);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_SIZE);
      const finished = batch.filter(({ next }) => next !== 'keep');
      const kept = batch.filter(({ next }) => next !== 'finish');
      if (kept.length > 0) await this.#settle(kept);
      for (let at = 0; at < finished.length; at += FINISHED_AT_ONCE) {
        const some = finished.slice(at, at + FINISHED_AT_ONCE);
        await Promise.all(some.map((one) => this.#finish(one)));
      }
      for (const { written } of batch) written();
    }
    this.#writing = undefined;
  }

  /** Retries until the lease of the orders expires; another process then claims and checks them. */
  async #settle(batch: readonly WaitingOutcome[]): Promise<void> {
    const outcomes = batch.map(({ outcome }) => outcome);
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.#store.transaction((tx) => tx.publications.settle(outcomes));
      } catch (err) {
        if (failures === 0) this.#log.error({ err }, 'cannot store the state of the name servers');
        const isOver = performance.now() - batch[0]!.since > this.#settings.leaseMs;
        if (isOver || !(await pause(delayAfter(this.#settings.storeBackoff, failures), this.#stopping)))
          return;
      }
    }
  }

  /** A failure is retried when the order is due again. */
  async #finish({ outcome: { orderId }, next }: WaitingOutcome): Promise<void> {
    try {
      await this.#finishOrder(orderId, next === 'finish');
    } catch (err) {
      this.#log.error({ err, order: orderId }, 'cannot complete the step after an order');
    }
  }
}
