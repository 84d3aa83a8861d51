import type { OwnerName } from '../../dns/names.ts';
import { type BlacklistIndex, formsOf, type Verdict } from '../../model/blacklists/name-index.ts';
import { NOTHING_NON_ENFORCING } from '../../model/blacklists/noted.ts';
import { ALWAYS, type RequestedName, type ValiditySpan } from '../../model/blacklists/rule.ts';
import type { AddedPattern, NumberedPattern, Revision } from '../../model/blacklists/store.ts';
import { type Clock, earlier } from '../../model/clock.ts';
import { DomainError } from '../../model/errors.ts';
import { type MetricsRecorder, NO_METRICS } from '../../model/metrics/metrics-recorder.ts';
import type { Store } from '../../model/store.ts';
import { eachInTurns, ShortWork, TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { Log } from '../../runtime/log.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import { IndexedNumbers, type PatternCounts } from './indexed-numbers.ts';
import { decide, type NameDecision, rulesToRead } from './name-decision.ts';

/** The decision on a name, and the revision of the blacklists and the time span for which it holds. */
export type BlacklistDecision = NameDecision & { readonly revision: Revision; readonly span: ValiditySpan };

/** Maximum number of attempts at a check, which is retried if the blacklists change meanwhile. */
const MAX_ATTEMPTS = 100;

/** Matching names, in milliseconds for each round of the event loop. */
const MATCHING_MS = 4;
const matching = new ShortWork(MATCHING_MS);

/** Minimum time between two progress reports, in milliseconds. */
const REPORT_MS = 1000;

export const CHANGES_TOO_FAST = 'The blacklists are changing too fast. Retry later.';

/** Calls the function for each pattern and yields regularly, before and after each batch. */
async function eachOfBatches<T>(
  batches: AsyncIterable<readonly T[]>,
  work: (pattern: T) => void,
  afterBatch?: () => void,
): Promise<void> {
  const turns = new TimeSlices();
  for await (const batch of batches) {
    await turns.next();
    await eachInTurns(batch, work, turns);
    afterBatch?.();
    await turns.next();
  }
}

/**
 * Keeps the index up to date with the store, and checks names against it. Checks run outside transactions, so that a
 * slow one blocks no other request. The caller compares the revision of the decision with the store's inside its own
 * transaction, and checks again if they differ.
 */
export function blacklistChecker(deps: {
  store: Store;
  index: BlacklistIndex;
  log: Log;
  clock: Clock;
  meter?: Pick<MetricsRecorder, 'nameChecked'>;
}) {
  const { store, index, log, clock, meter = NO_METRICS } = deps;
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

  async function takeIn(after: Revision, upTo: Revision, progress?: () => void): Promise<void> {
    await eachOfBatches(store.blacklists.added(after, upTo), add, progress);
    await eachOfBatches(store.blacklists.removed(after, upTo), remove);
    revision = upTo;
  }

  /** Clears the index if the revision of the store went back: decisions are then invalid until it is rebuilt. */
  function forget(): void {
    index.clear();
    held = new IndexedNumbers();
    revision = 0;
  }

  async function catchUpOnce(): Promise<void> {
    const current = await store.blacklists.revision();
    if (current < revision) forget();
    if (current !== revision) await takeIn(revision, current);
  }

  /** Updates the index to a revision that the store had after this call began. Parallel calls share the work. */
  async function catchUp(): Promise<void> {
    // Work in flight may have read the revision before this call: wait for it, then check again.
    while (catchingUp !== undefined) await catchingUp;
    catchingUp = catchUpOnce().finally(() => {
      catchingUp = undefined;
    });
    await catchingUp;
  }

  /** The verdict, and the revision of the index that it is based on. */
  async function check(forms: readonly string[], onBehalfOf: string) {
    const begun = performance.now();
    let at = revision;
    const verdict = await matching.do(onBehalfOf, () => {
      at = revision;
      return index.check(forms, onBehalfOf);
    });
    meter.nameChecked(verdict.kind, (performance.now() - begun) / 1000);
    return { verdict, at };
  }

  /** The decision at the store's current revision and time; undefined if the index is behind. */
  async function confirm(
    verdict: Verdict,
    asked: RequestedName,
    at: Revision,
  ): Promise<BlacklistDecision | undefined> {
    if (verdict.kind === 'free' && verdict.notes === undefined)
      return { kind: 'free', noted: NOTHING_NON_ENFORCING, revision: at, span: ALWAYS };
    const numbers = rulesToRead(verdict);
    const [{ revision: present, instant }, rules] = await pipelined(
      store.blacklists.present(),
      numbers.length > 0 ? store.blacklists.rules(numbers) : Promise.resolve([]),
    );
    if (present !== at || rules.length < numbers.length) return undefined;
    return { ...decide(verdict, rules, asked, instant ?? clock.now()), revision: at };
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

    /** Builds the index from the whole store, and logs its progress. */
    async load(): Promise<void> {
      const progress = progressOf(await store.blacklists.size());
      await takeIn(0, await store.blacklists.revision(), progress);
      if (index.size > 0) log.info({ patterns: index.size }, 'built the blacklist index');
    },

    /**
     * Checks a name that a project wants to create. A refusal is confirmed at the store's current revision. A pass must
     * be confirmed by the caller, at the time of the creation, too.
     * @param onBehalfOf the project whose share of the matcher a long check uses
     */
    async check(name: OwnerName, projectId: string, onBehalfOf = projectId): Promise<BlacklistDecision> {
      const forms = formsOf(name);
      const asked = { name, projectId };
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const { verdict, at } = await check(forms, onBehalfOf);
        const decision = await confirm(verdict, asked, at);
        if (decision !== undefined) return decision;
        await catchUp();
      }
      throw new DomainError('storage_unavailable', CHANGES_TOO_FAST);
    },
  };
}

export type BlacklistChecker = ReturnType<typeof blacklistChecker>;
