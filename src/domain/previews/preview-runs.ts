import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, earlier, later } from '../../model/clock.ts';
import {
  KEPT_MS,
  LONGEST_MS,
  MAX_KEPT,
  type Preview,
  type PreviewZone,
} from '../../model/previews/preview.ts';
import type { Holder } from '../../model/previews/store.ts';
import type { Store } from '../../model/store.ts';
import type { NameScanner } from '../blacklists/name-scanner.ts';
import { type ScanStep, scanZones } from './zone-scan.ts';

/** Time until another process takes over the previews of one that has died, in milliseconds. */
const LEASE_MS = 15_000;
/** Interval at which a process extends its hold of a preview, and finds out that the preview was deleted; in milliseconds. */
const RENEW_MS = 2000;
/** Progress is stored at this interval in milliseconds, or after this number of found zones. */
const STORE_MS = 1000;
const MAX_UNSTORED = 500;
/** Pause after each step, so that a preview never takes all of the store. */
const GAP_MS = 2;
/** How long a preview may run while others wait for a place, in milliseconds. */
const TURN_MS = 10_000;

const TOO_LONG = 'Stopped after an hour. "zones" lists what was found until then.';

export interface PreviewRunDeps {
  readonly store: Pick<Store, 'previews' | 'transaction'>;
  readonly clock: Clock;
  readonly scanner: NameScanner;
  /** Milliseconds. */
  readonly turn?: number;
}

/** A preview that this process runs. */
class PreviewRun {
  readonly #deps: PreviewRunDeps;
  readonly #holder: string;
  #preview: Preview;
  #unstored: PreviewZone[] = [];
  #storeAt = 0;
  #turnEnds: number;
  #yields = false;

  constructor(deps: PreviewRunDeps, holder: string, preview: Preview) {
    this.#deps = deps;
    this.#holder = holder;
    this.#preview = preview;
    this.#turnEnds = performance.now() + (deps.turn ?? TURN_MS);
  }

  async perform(stopping: AbortSignal): Promise<void> {
    const lost = new AbortController();
    const ended = new AbortController();
    const signal = AbortSignal.any([stopping, lost.signal]);
    const keeping = this.#keep(lost, ended.signal);
    try {
      await this.#scan(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      ended.abort();
      await keeping;
      // A failed preview waits for its lease to expire.
      if (stopping.aborted || this.#yields) await this.#release();
    }
  }

  async #release(): Promise<void> {
    const { store, clock } = this.#deps;
    const by = { ...this.#by, until: clock.now() };
    await store.transaction(async (tx) => tx.previews.release(by));
  }

  get #by(): Holder {
    const until = later(this.#deps.clock.now(), LEASE_MS);
    return { id: this.#preview.id, holder: this.#holder, until };
  }

  async #scan(signal: AbortSignal): Promise<void> {
    const { pattern, createdAt, projectId } = this.#preview;
    // This also ends a preview that fails at each attempt.
    if (this.#isTooLong) return this.#end('ERROR', TOO_LONG);
    const scan = { pattern, createdBy: createdAt, onBehalfOf: projectId, signal };
    for await (const step of scanZones(this.#deps, scan, this.#preview)) {
      this.#take(step);
      if (this.#isStoring && !(await this.#store())) return;
      if (this.#isTooLong) return this.#end('ERROR', TOO_LONG);
      if (await this.#isOthersTurn()) return this.#yield();
      await delay(GAP_MS);
    }
    await this.#end('COMPLETE', null);
  }

  #take({ progress, found }: ScanStep): void {
    const kept = found.slice(0, MAX_KEPT - this.#preview.kept);
    this.#unstored.push(...kept);
    this.#preview = { ...this.#preview, ...progress, kept: this.#preview.kept + kept.length };
  }

  get #isTooLong(): boolean {
    return this.#deps.clock.now() > later(this.#preview.createdAt, LONGEST_MS);
  }

  /** True if this preview has had its turn and another one waits. */
  async #isOthersTurn(): Promise<boolean> {
    if (performance.now() < this.#turnEnds) return false;
    this.#turnEnds = performance.now() + RENEW_MS;
    const { store, clock } = this.#deps;
    return (await store.previews.waiting(clock.now(), 1)).length > 0;
  }

  async #yield(): Promise<void> {
    this.#yields = await this.#store();
  }

  get #isStoring(): boolean {
    return this.#unstored.length >= MAX_UNSTORED || performance.now() >= this.#storeAt;
  }

  /** Stores the found zones together with the progress, so that another process can continue at exactly this point. */
  async #store(): Promise<boolean> {
    this.#storeAt = performance.now() + STORE_MS;
    const found = this.#unstored;
    this.#unstored = [];
    const { store, clock } = this.#deps;
    return store.transaction((tx) => tx.previews.advance(this.#by, this.#preview, found, clock.now()));
  }

  async #end(status: 'COMPLETE' | 'ERROR', message: string | null): Promise<void> {
    if (!(await this.#store())) return;
    const { store, clock } = this.#deps;
    await store.transaction(async (tx) => tx.previews.end(this.#by, status, message, clock.now()));
  }

  async #keep(lost: AbortController, ended: AbortSignal): Promise<void> {
    while (await delay(RENEW_MS, true, { signal: ended }).catch(() => false)) {
      // While the store is away nobody can take the preview; the next attempt shows who has it.
      const isKept = await this.#deps.store.transaction((tx) => tx.previews.keep(this.#by)).catch(() => true);
      if (!isKept) return lost.abort();
    }
  }
}

/** Runs waiting previews, whichever process accepted them. */
export function previewRuns(deps: PreviewRunDeps) {
  const { store, clock } = deps;
  const holder = randomUUID();
  return {
    /** Takes a preview that no process runs. @returns a function that runs it; undefined if there is none */
    async next(): Promise<((stopping: AbortSignal) => Promise<void>) | undefined> {
      const now = clock.now();
      for (const id of await store.previews.waiting(now, 10)) {
        const by: Holder = { id, holder, until: later(now, LEASE_MS) };
        const preview = await store.transaction((tx) => tx.previews.take(by, now));
        if (preview !== undefined)
          return (stopping) => new PreviewRun(deps, holder, preview).perform(stopping);
      }
      return undefined;
    },

    /** Removes some outdated previews. @returns whether there may be more */
    async removeSome(): Promise<boolean> {
      const id = await store.previews.outdated(earlier(clock.now(), KEPT_MS));
      if (id === undefined) return false;
      await store.transaction((tx) => tx.previews.removeSome(id));
      return true;
    },
  };
}

export type PreviewRuns = ReturnType<typeof previewRuns>;
