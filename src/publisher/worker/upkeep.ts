import { pause, waitAfter } from '../../background/waits.ts';
import { earlier, epochSeconds } from '../../model/clock.ts';
import type { Chore, WorkerDeps } from './deps.ts';
import type { Directories } from './directory.ts';
import { giveWay } from './give-way.ts';
import type { WorkerSettings } from './settings.ts';

interface Parts extends WorkerDeps {
  readonly settings: WorkerSettings;
  readonly directories: Directories;
  wake(): void;
}

/** What goes on beside publication, in stretches, and gives way to it: orders that are missing, memories that are old. */
export class Upkeep {
  readonly #parts: Parts;
  readonly #stopping: AbortSignal;
  #mark = '';
  #reconciledAt = Number.NEGATIVE_INFINITY;
  /** The name up to which former zones have been looked at; undefined before the first and after the last. */
  #prunedTo: string | undefined;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts, stopping: AbortSignal) {
    this.#parts = parts;
    this.#stopping = stopping;
  }

  async run(): Promise<void> {
    const chores: readonly Chore[] = [() => this.#reconcile(), () => this.#prune(), ...this.#parts.chores];
    await Promise.all(chores.map((chore) => this.#repeat(chore)));
  }

  /** One stretch after the other, until there is no more for now; forever. */
  async #repeat(chore: Chore): Promise<void> {
    const { settings, log, busy } = this.#parts;
    let failures = 0;
    while (!this.#stopping.aborted) {
      try {
        const isMore = await chore();
        failures = 0;
        await pause(isMore ? settings.gap : settings.poll, this.#stopping);
      } catch (err) {
        if (failures === 0 && !this.#stopping.aborted)
          log.error({ err }, 'a chore of publication waits for the store');
        await pause(waitAfter(settings.storeRetry, failures), this.#stopping);
        failures += 1;
      }
      await giveWay(busy, this.#stopping);
    }
  }

  /** At the start, after pools changed, and each minute. Where no pool has changed it reads the pools alone. */
  async #reconcile(): Promise<boolean> {
    const { store, directories, settings, clock, finish, wake } = this.#parts;
    const { mark } = await directories.current();
    const now = performance.now();
    if (mark === this.#mark && now - this.#reconciledAt < settings.reconcileEvery) return false;
    const { changed, gone, isMore } = await store.transaction((tx) =>
      tx.publications.reconcile(settings.reconcileBatch, clock.now()),
    );
    for (const orderId of gone) await finish(orderId, false);
    if (changed > 0) wake();
    if (isMore) return true;
    this.#mark = mark;
    this.#reconciledAt = now;
    return false;
  }

  async #prune(): Promise<boolean> {
    const { store, clock, settings } = this.#parts;
    const now = performance.now();
    if (now - this.#prunedAt < settings.pruneEvery) return false;
    const before = earlier(clock.now(), settings.formerFor);
    const { pruneBatch } = settings;
    const isMore = await store.transaction(async ({ publications }) => {
      this.#prunedTo = await publications.pruneFormer(before, this.#prunedTo ?? '', pruneBatch);
      return publications.pruneCatalogs(epochSeconds(before), pruneBatch);
    });
    if (isMore || this.#prunedTo !== undefined) return true;
    this.#prunedAt = now;
    return false;
  }
}
