import type { Fqdn } from '../../dns/names.ts';
import type { Act } from '../../model/acts/act.ts';
import type { Blacklist, BlacklistException } from '../../model/blacklists/blacklist.ts';
import { type Explanation, formsOf, type NameExplainer } from '../../model/blacklists/name-index.ts';
import { type Asked, counts, exceptionFor } from '../../model/blacklists/rule.ts';
import type { UseCaseDeps } from '../acts/use-case.ts';
import type { BlacklistGuard, Judgement } from './blacklist-guard.ts';

/** An entry that matches a name, and what it means for a create of it now. */
export interface MatchingEntry {
  readonly blacklist: Blacklist;
  /** Why the entry does not count; undefined if it does. */
  readonly passedOver?: 'expired' | BlacklistException;
}

/** What a create of a name would meet now. */
export type Prospect = 'refused' | 'undecided' | 'warned' | 'noted' | 'free';

/** The result of testing a name against the blacklists. */
export interface NameTest {
  /** Every entry that matches it. */
  readonly matches: readonly MatchingEntry[];
  /** The undecided entries; if nothing matches, a create of the name is refused because of them. */
  readonly undecided: readonly Blacklist[];
  /** For the project of the test. */
  readonly prospect: Prospect;
}

export interface NameTestDeps extends Pick<UseCaseDeps, 'store' | 'access' | 'clock'> {
  readonly guard: BlacklistGuard;
  /** Uses the index of the guard. */
  readonly explainer: NameExplainer;
}

/** What an entry that matches a name means for a create at an instant. */
export function matchingEntry(blacklist: Blacklist, asked: Asked, instant: string): MatchingEntry {
  if (counts(blacklist, asked, instant)) return { blacklist };
  return { blacklist, passedOver: exceptionFor(blacklist, asked, instant) ?? 'expired' };
}

export function prospectOf(judgement: Judgement): Prospect {
  if (judgement.kind === 'blocked') return 'refused';
  if (judgement.kind === 'undecided') return 'undecided';
  const { rules, found } = judgement.noted;
  if (rules.some(({ mode }) => mode === 'warn')) return 'warned';
  return found > 0 ? 'noted' : 'free';
}

/** An explanation may take more steps than the check of a create, which then refuses the name all the same. */
function explained(explanation: Explanation, judgement: Judgement): Explanation {
  const isEmpty = explanation.matches.length + explanation.undecided.length === 0;
  return isEmpty && judgement.kind === 'undecided'
    ? { matches: [], undecided: judgement.numbers }
    : explanation;
}

/** The use case of testing which patterns match a name. */
export function nameTestUseCases({ store, access, clock, guard, explainer }: NameTestDeps) {
  return {
    /**
     * Compares a name with every stored pattern, for the project of the act; creates, marks and counts nothing. The prospect
     * is what a create would meet now.
     */
    async run(act: Act, name: Fqdn): Promise<NameTest> {
      access.require(act, 'find_blacklists', { projectId: act.projectId });
      await guard.catchUp();
      const { instant = clock.now() } = await store.blacklists.present();
      const judgement = await guard.judge(name, act.projectId);
      const { matches, undecided } = explained(await explainer.explain(formsOf(name)), judgement);
      const entries = await store.blacklists.entries(matches);
      const asked = { name, projectId: act.projectId };
      return {
        matches: entries.map((blacklist) => matchingEntry(blacklist, asked, instant)),
        undecided: await store.blacklists.entries(undecided),
        prospect: prospectOf(judgement),
      };
    },
  };
}
