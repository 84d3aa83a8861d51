import type { BlacklistIndex } from '../../model/blacklists/name-index.ts';
import type { AddedPattern, NumberedPattern, Revision } from '../../model/blacklists/store.ts';
import { type Clock, earlier } from '../../model/clock.ts';
import type { Store } from '../../model/store.ts';
import { eachInTurns, TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { Log } from '../../runtime/log.ts';
import { IndexedNumbers, type PatternCounts } from './indexed-numbers.ts';

/** Minimum time between two progress reports, in milliseconds. */
const REPORT_MS = 1000;

/** Calls the function for each pattern and yields regularly, before and after each batch. */
async function eachOfBatches<T>(
  batches: AsyncIterable<readonly T[]>,
  work: (pattern: T) => void,
  afterBatch: () => void,
): Promise<void> {
  const turns = new TimeSlices();
  for await (const batch of batches) {
    await turns.next();
    await eachInTurns(batch, work, turns);
    afterBatch();
    await turns.next();
  }
}

export interface IndexUpkeepDeps {
  readonly store: Pick<Store, 'blacklists'>;
  readonly index: BlacklistIndex;
  readonly log: Log;
  readonly clock: Clock;
}

/** Keeps the index up to date with the store. */
export function indexUpkeep({ store, index, log, clock }: IndexUpkeepDeps) {
  let revision: Revision = 0;
  // Numbers of the indexed patterns. A pattern added and removed between two catch-ups was never indexed, and a pattern
  // that a failed catch-up has already applied must not be applied twice.
  let held = new IndexedNumbers();
  let catchingUp: Promise<void> | undefined;

  function add({ number, pattern, traits, mode }: AddedPattern): void {
    if (held.has(number)) return;
    index.add(number, pattern, traits);
    held.add(number, mode);
  }

  function remove({ number, pattern, traits }: NumberedPattern): void {
    if (!held.has(number)) return;
    index.remove(number, pattern, traits);
    held.delete(number);
  }

  /** Returns a function that logs the progress of the index, at most once a second. */
  function progressOf(total: number): () => void {
    let last = clock.now();
    return () => {
      const now = clock.now();
      if (earlier(now, REPORT_MS) < last) return;
      last = now;
      log.info({ patterns: index.size, total }, 'building the blacklist index');
    };
  }

  /** Applies the changes since the revision of the index. @throws the reason of the signal */
  async function takeIn(upTo: Revision, progress: () => void, signal?: AbortSignal): Promise<void> {
    const afterBatch = () => {
      signal?.throwIfAborted();
      progress();
    };
    await eachOfBatches(store.blacklists.added(revision, upTo), add, afterBatch);
    await eachOfBatches(store.blacklists.removed(revision, upTo), remove, afterBatch);
    revision = upTo;
  }

  /** Builds the index from the whole store, and logs its progress. */
  async function build(upTo: Revision, signal?: AbortSignal): Promise<void> {
    await takeIn(upTo, progressOf(await store.blacklists.size()), signal);
    if (index.size > 0) log.info({ patterns: index.size }, 'built the blacklist index');
  }

  /** Clears the index if the revision of the store went back: decisions are then invalid until it is rebuilt. */
  function forget(): void {
    index.clear();
    held = new IndexedNumbers();
    revision = 0;
  }

  async function catchUpOnce(signal?: AbortSignal): Promise<void> {
    const current = await store.blacklists.revision();
    if (current < revision) forget();
    if (current === revision) return;
    if (revision === 0) await build(current, signal);
    else await takeIn(current, () => {}, signal);
  }

  /**
   * Updates the index to a revision that the store had after this call began. Parallel calls share the work.
   * @param signal ends the work, also for calls that share it
   */
  async function catchUp(signal?: AbortSignal): Promise<void> {
    // Work in flight may have read the revision before this call: wait for it, then check again.
    while (catchingUp !== undefined) await catchingUp;
    catchingUp = catchUpOnce(signal).finally(() => {
      catchingUp = undefined;
    });
    await catchingUp;
  }

  return {
    catchUp,

    /** Revision of the index. */
    get revision(): Revision {
      return revision;
    },

    /** Number of indexed patterns by mode, and the revision of the index. */
    get present(): { readonly patterns: PatternCounts; readonly revision: Revision } {
      return { patterns: held.counts, revision };
    },
  };
}
