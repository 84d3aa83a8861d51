import type { Fqdn } from '../../dns/names.ts';
import type { Blacklist, BlacklistException } from '../../model/blacklists/blacklist.ts';
import { type Explanation, formsOf, type NameExplainer } from '../../model/blacklists/name-index.ts';
import { counts, exceptionFor, type RequestedName } from '../../model/blacklists/rule.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import type { BlacklistChecker, BlacklistDecision } from './blacklist-checker.ts';

/** An entry that matches a name, and its effect on a create now. */
export interface MatchingEntry {
  readonly blacklist: Blacklist;
  /** Why the entry has no effect; undefined if it has. */
  readonly passedOver?: 'expired' | BlacklistException;
}

/** The predicted result of a create now. */
export type PredictedResult = 'refused' | 'undecided' | 'warned' | 'noted' | 'free';

/** The result of testing a name against the blacklists. */
export interface NameTest {
  /** Every entry that matches it. */
  readonly matches: readonly MatchingEntry[];
  /** The undecided entries. If nothing matches, they cause a create to be refused. */
  readonly undecided: readonly Blacklist[];
  /** For the project of the test. */
  readonly prospect: PredictedResult;
}

export interface NameTestDeps extends Pick<UseCaseDeps, 'store' | 'access' | 'clock'> {
  readonly checker: BlacklistChecker;
  /** Uses the index of the checker. */
  readonly explainer: NameExplainer;
}

/** The effect of a matching entry on a create at a given time. */
export function matchingEntry(blacklist: Blacklist, asked: RequestedName, instant: string): MatchingEntry {
  if (counts(blacklist, asked, instant)) return { blacklist };
  return { blacklist, passedOver: exceptionFor(blacklist, asked, instant) ?? 'expired' };
}

export function predictedResultOf(decision: BlacklistDecision): PredictedResult {
  if (decision.kind === 'blocked') return 'refused';
  if (decision.kind === 'undecided') return 'undecided';
  const { rules, found } = decision.noted;
  if (rules.some(({ mode }) => mode === 'warn')) return 'warned';
  return found > 0 ? 'noted' : 'free';
}

/**
 * An explanation may take more steps than the check of a create, so it may decide entries for which a create is still
 * refused.
 */
function explained(explanation: Explanation, decision: BlacklistDecision): Explanation {
  const isEmpty = explanation.matches.length + explanation.undecided.length === 0;
  return isEmpty && decision.kind === 'undecided'
    ? { matches: [], undecided: decision.numbers }
    : explanation;
}

/** The use case of testing which patterns match a name. */
export function nameTestUseCases({ store, access, clock, checker, explainer }: NameTestDeps) {
  return {
    /**
     * Compares a name with every stored pattern, for the project of the request, and predicts the result of a create now.
     * It creates, marks and counts nothing.
     */
    async run(context: RequestContext, name: Fqdn): Promise<NameTest> {
      access.require(context, 'find_blacklists', { projectId: context.projectId });
      await checker.catchUp();
      const { instant = clock.now() } = await store.blacklists.present();
      const decision = await checker.check(name, context.projectId);
      const { matches, undecided } = explained(await explainer.explain(formsOf(name)), decision);
      const entries = await store.blacklists.entries(matches);
      const asked = { name, projectId: context.projectId };
      return {
        matches: entries.map((blacklist) => matchingEntry(blacklist, asked, instant)),
        undecided: await store.blacklists.entries(undecided),
        prospect: predictedResultOf(decision),
      };
    },
  };
}
