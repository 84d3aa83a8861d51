import type { OwnerName } from '../../dns/names.ts';
import { type BlacklistIndex, formsOf, type Verdict } from '../../model/blacklists/name-index.ts';
import { NOTHING_NON_ENFORCING } from '../../model/blacklists/noted.ts';
import { ALWAYS, type RequestedName, type ValiditySpan } from '../../model/blacklists/rule.ts';
import type { Revision } from '../../model/blacklists/store.ts';
import type { Clock } from '../../model/clock.ts';
import { DomainError } from '../../model/errors.ts';
import { type MetricsRecorder, NO_METRICS } from '../../model/metrics/metrics-recorder.ts';
import type { Store } from '../../model/store.ts';
import { ShortWork } from '../../runtime/cooperative-yield.ts';
import type { Log } from '../../runtime/log.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import { indexUpkeep } from './index-upkeep.ts';
import { decide, type NameDecision, rulesToRead } from './name-decision.ts';

/** The decision on a name, and the revision of the blacklists and the time span for which it holds. */
export type BlacklistDecision = NameDecision & { readonly revision: Revision; readonly span: ValiditySpan };

/** Maximum number of attempts at a check, which is retried if the blacklists change meanwhile. */
const MAX_ATTEMPTS = 100;

/** Matching names, in milliseconds for each round of the event loop. */
const MATCHING_MS = 4;
const matching = new ShortWork(MATCHING_MS);

export const CHANGES_TOO_FAST = 'The blacklists are changing too fast. Retry later.';

/**
 * Checks names against the index. Checks run outside transactions, so that a slow one blocks no other request. The
 * caller compares the revision of the decision with the store's inside its own transaction, and checks again if they
 * differ.
 */
export function blacklistChecker(deps: {
  store: Store;
  index: BlacklistIndex;
  log: Log;
  clock: Clock;
  meter?: Pick<MetricsRecorder, 'nameChecked'>;
}) {
  const { store, index, clock, meter = NO_METRICS } = deps;
  const upkeep = indexUpkeep(deps);

  /** The verdict, and the revision of the index that it is based on. */
  async function check(forms: readonly string[], onBehalfOf: string) {
    const begun = performance.now();
    let at = upkeep.revision;
    const verdict = await matching.do(onBehalfOf, () => {
      at = upkeep.revision;
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
      numbers.length > 0 ? store.blacklists.rules(numbers, asked) : Promise.resolve([]),
    );
    if (present !== at || rules.length < numbers.length) return undefined;
    return { ...decide(verdict, rules, asked, instant ?? clock.now()), revision: at };
  }

  return {
    catchUp: upkeep.catchUp,

    /** Revision of the index. */
    get revision(): Revision {
      return upkeep.revision;
    },

    /** Number of indexed patterns by mode, and the revision of the index. */
    get present() {
      return upkeep.present;
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
        await upkeep.catchUp();
      }
      throw new DomainError('storage_unavailable', CHANGES_TOO_FAST);
    },
  };
}

export type BlacklistChecker = ReturnType<typeof blacklistChecker>;
