import type { Log } from '../../domain/log.ts';
import type { Outcome } from '../../domain/publication/publication.ts';
import type { PublicationStore } from './deps.ts';
import type { WorkerSettings } from './settings.ts';
import { pause, waitAfter } from './waits.ts';

/** Outcomes that one transaction writes. */
const MOST = 500;

/** Zones that are removed for good at once. */
const REMOVED_AT_ONCE = 16;

interface Waiting {
  readonly outcome: Outcome;
  readonly isRemoved: boolean;
  readonly since: number;
  readonly written: () => void;
}

/** Collects outcomes for a moment, and writes them in one transaction. */
export class Outcomes {
  readonly #store: PublicationStore;
  readonly #finishRemoval: (zoneId: string) => Promise<void>;
  readonly #log: Log;
  readonly #settings: Pick<WorkerSettings, 'settleDelay' | 'storeRetry' | 'lease'>;
  readonly #stopping: AbortSignal;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(
    deps: {
      readonly store: PublicationStore;
      finishRemoval(zoneId: string): Promise<void>;
      readonly log: Log;
    },
    settings: Pick<WorkerSettings, 'settleDelay' | 'storeRetry' | 'lease'>,
    stopping: AbortSignal,
  ) {
    this.#store = deps.store;
    this.#finishRemoval = (zoneId) => deps.finishRemoval(zoneId);
    this.#log = deps.log;
    this.#settings = settings;
    this.#stopping = stopping;
  }

  /**
   * Resolves once the outcome is written, or is of no use any more.
   * @param isRemoved whether the servers have dropped a zone that is being removed
   */
  add(outcome: Outcome, isRemoved = false): Promise<void> {
    return new Promise((written) => {
      this.#waiting.push({ outcome, isRemoved, since: performance.now(), written });
      this.#writing ??= this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    await pause(this.#settings.settleDelay, this.#stopping);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST);
      const removed = batch.filter(({ isRemoved }) => isRemoved);
      const others = batch.filter(({ isRemoved }) => !isRemoved);
      if (others.length > 0) await this.#settle(others);
      for (let at = 0; at < removed.length; at += REMOVED_AT_ONCE) {
        await Promise.all(
          removed.slice(at, at + REMOVED_AT_ONCE).map(({ outcome }) => this.#finish(outcome)),
        );
      }
      for (const { written } of batch) written();
    }
    this.#writing = undefined;
  }

  /** Tries again until the lease of the orders is over: then somebody else takes them, and finds out anew. */
  async #settle(batch: readonly Waiting[]): Promise<void> {
    const outcomes = batch.map(({ outcome }) => outcome);
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.#store.transaction((tx) => tx.publications.settle(outcomes));
      } catch (err) {
        if (failures === 0) this.#log.error({ err }, 'what the name servers have could not be stored');
        const isOver = performance.now() - batch[0]!.since > this.#settings.lease;
        if (isOver || !(await pause(waitAfter(this.#settings.storeRetry, failures), this.#stopping))) return;
      }
    }
  }

  /** A removal that fails is taken anew when its lease is over. */
  async #finish({ zoneId }: Outcome): Promise<void> {
    try {
      await this.#finishRemoval(zoneId);
    } catch (err) {
      this.#log.error(
        { err, zone_id: zoneId },
        'a zone that the name servers have dropped could not be removed',
      );
    }
  }
}
