import type { Fqdn } from '../../dns/names.ts';
import type { Act } from '../acts/act.ts';
import type { UseCaseDeps } from '../use-case.ts';
import type { Blacklist } from './blacklist.ts';
import type { BlacklistGuard } from './blacklist-guard.ts';
import { type Explanation, formsOf, type NameExplainer } from './name-index.ts';

/** The result of testing a name against the blacklists. */
export interface NameTest {
  /** Every entry that matches it. */
  readonly matches: readonly Blacklist[];
  /** The undecided entries; if nothing matches, a create of the name is refused because of them. */
  readonly undecided: readonly Blacklist[];
}

export interface NameTestDeps extends Pick<UseCaseDeps, 'store' | 'access'> {
  readonly guard: BlacklistGuard;
  /** Uses the index of the guard. */
  readonly explainer: NameExplainer;
}

/** The use case of testing which patterns match a name. */
export function nameTestUseCases({ store, access, guard, explainer }: NameTestDeps) {
  /** An explanation may take more steps than the check of a create, which then refuses the name all the same. */
  async function explain(act: Act, name: Fqdn): Promise<Explanation> {
    const explanation = await explainer.explain(formsOf(name));
    if (explanation.matches.length + explanation.undecided.length > 0) return explanation;
    const judgement = await guard.judge(name, act.projectId);
    return { matches: [], undecided: judgement.kind === 'undecided' ? judgement.numbers : [] };
  }

  async function entriesOf(numbers: readonly number[]): Promise<Blacklist[]> {
    const entries: Blacklist[] = [];
    for (const number of numbers) {
      const entry = await store.blacklists.findByNumber(number);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  return {
    /** Compares a name with every stored pattern; creates and marks nothing. */
    async run(act: Act, name: Fqdn): Promise<NameTest> {
      access.require(act, 'find_blacklists', { projectId: act.projectId });
      await guard.catchUp();
      const { matches, undecided } = await explain(act, name);
      return { matches: await entriesOf(matches), undecided: await entriesOf(undecided) };
    },
  };
}
