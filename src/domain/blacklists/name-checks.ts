import { type Fqdn, parseZoneName, unicodeForm } from '../../dns/names.ts';
import type { Blacklist } from '../../model/blacklists/blacklist.ts';
import { formsOf } from '../../model/blacklists/name-index.ts';
import type { RequestedName } from '../../model/blacklists/rule.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { nextTurn } from '../../runtime/cooperative-yield.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import type { BlacklistChecker, BlacklistDecision } from './blacklist-checker.ts';
import type { MatchLocation, NameScanner, NameSurveyor, Survey } from './name-scanner.ts';
import { type MatchingEntry, matchingEntry, type PredictedResult, predictedResultOf } from './name-tests.ts';

/** Maximum number of names in one request. */
export const MAX_CHECKED = 1000;
/** Maximum number of entries shown for one name. */
const MAX_LISTED = 100;
/** Entries read at a time: with all their exceptions, each may be large. */
const AT_ONCE = 20;

/** Budget of one request. */
const BUDGET = {
  /** In milliseconds; later names are not checked. */
  time: 10_000,
  /** In units of the matcher: about forty checks that use up their budget; later names are not checked. */
  units: 1_200_000_000,
  /** Characters of the entries shown. Each name gets its share of the rest, and at least one entry. */
  characters: 4_194_304,
} as const;
/** Overhead of an entry besides its texts, in characters. */
const ENTRY = 300;

/** The fields shown of an entry. */
export type VisibleEntry = Pick<Blacklist, 'id' | 'pattern' | 'mode'>;

/** A matching entry, and the position of the match. */
export interface FoundEntry extends Pick<MatchingEntry, 'passedOver'> {
  readonly blacklist: VisibleEntry;
  /** Null if unknown, because the search takes too long. */
  readonly place: MatchLocation | null;
}

/** The result for one name. */
export type NameCheck =
  | { readonly kind: 'invalid'; readonly fault: string }
  /** The budget of the request was used up before this name. */
  | { readonly kind: 'not reached'; readonly name: Fqdn }
  | {
      readonly kind: 'checked';
      readonly name: Fqdn;
      readonly unicode: string;
      readonly prospect: PredictedResult;
      /** At most 100. */
      readonly matches: readonly FoundEntry[];
      /** True if there may be others. */
      readonly more: boolean;
      /** Entries that could not be decided because they take too long. */
      readonly undecided: readonly VisibleEntry[];
    };

type CheckedName = Extract<NameCheck, { kind: 'checked' }>;

/** The remaining budget of a request. */
interface RemainingBudget {
  readonly until: number;
  units: number;
  characters: number;
  /** Number of names left, including the current one. */
  names: number;
}

type UnlocatedEntry = Omit<FoundEntry, 'place'>;

export interface NameCheckDeps extends Pick<UseCaseDeps, 'store' | 'access' | 'clock'> {
  readonly checker: BlacklistChecker;
  /** Uses the index of the checker. */
  readonly surveyor: NameSurveyor;
  readonly scanner: NameScanner;
}

function budgetOf(names: number): RemainingBudget {
  const { units, characters, time } = BUDGET;
  return { units, characters, until: performance.now() + time, names };
}

function isUsedUp({ until, units }: RemainingBudget): boolean {
  return units <= 0 || performance.now() >= until;
}

function sizeOf({ blacklist, passedOver }: UnlocatedEntry): number {
  const description = typeof passedOver === 'object' ? (passedOver.description ?? '') : '';
  return ENTRY + blacklist.pattern.length + description.length;
}

/** Keeps only the fields shown: the whole entry may have a hundred exceptions. */
function visibleEntry(blacklist: Blacklist, asked: RequestedName, instant: string): UnlocatedEntry {
  const { id, pattern, mode } = blacklist;
  const { passedOver } = matchingEntry(blacklist, asked, instant);
  return { blacklist: { id, pattern, mode }, ...(passedOver === undefined ? {} : { passedOver }) };
}

/** Matching entries; those that the decision is based on come first. */
function numbersOf(decision: BlacklistDecision, { matches }: Survey): readonly number[] {
  const deciding = decision.kind === 'blocked' ? decision.rules : [];
  const noted = decision.kind === 'free' ? decision.noted.rules : [];
  return [...new Set([...[...deciding, ...noted].map(({ number }) => number), ...matches])];
}

/** The use case of checking many names before they are created. */
export function nameCheckUseCases({ store, access, clock, checker, surveyor, scanner }: NameCheckDeps) {
  /**
   * Locates the matches. Each name gets an equal share of the remaining time, since the decisions on the other names
   * matter more.
   */
  async function placed(
    context: RequestContext,
    forms: readonly string[],
    entries: readonly UnlocatedEntry[],
    { until, names }: RemainingBudget,
  ): Promise<readonly (MatchLocation | null)[]> {
    if (entries.length === 0) return [];
    const patterns = entries.map(({ blacklist }) => blacklist.pattern);
    const now = performance.now();
    return scanner.locate(patterns, forms, context.caller.projectId, now + (until - now) / names);
  }

  /** Reads entries a few at a time. */
  async function* entriesOf(numbers: readonly number[]): AsyncGenerator<Blacklist> {
    for (let from = 0; from < numbers.length; from += AT_ONCE)
      yield* await store.blacklists.entries(numbers.slice(from, from + AT_ONCE));
  }

  /** Entries within the name's share of the budget, at least one. */
  async function visibleEntries(
    numbers: readonly number[],
    asked: RequestedName,
    left: RemainingBudget,
  ): Promise<UnlocatedEntry[]> {
    const found: UnlocatedEntry[] = [];
    if (numbers.length === 0) return found;
    const { instant = clock.now() } = await store.blacklists.present();
    let share = left.characters / left.names;
    for await (const blacklist of entriesOf(numbers)) {
      const entry = visibleEntry(blacklist, asked, instant);
      found.push(entry);
      share -= sizeOf(entry);
      left.characters -= sizeOf(entry);
      if (share <= 0) break;
    }
    return found;
  }

  async function check(
    context: RequestContext,
    name: Fqdn,
    projectId: string,
    left: RemainingBudget,
  ): Promise<CheckedName> {
    const forms = formsOf(name);
    const asked = { name, projectId };
    const decision = await checker.check(name, projectId, context.caller.projectId);
    const survey = await surveyor.survey(forms, context.caller.projectId, MAX_LISTED);
    left.units -= survey.units;
    const numbers = numbersOf(decision, survey);
    const first = numbers.slice(0, MAX_LISTED);
    const matches = await visibleEntries(first, asked, left);
    const open = decision.kind === 'undecided' ? decision.numbers : survey.undecided;
    const others = open.filter((number) => !first.includes(number));
    const undecided = await visibleEntries(others, asked, left);
    const places = await placed(context, forms, matches, left);
    return {
      kind: 'checked',
      name,
      unicode: unicodeForm(name) ?? name,
      prospect: predictedResultOf(decision),
      matches: matches.map((entry, at) => ({ ...entry, place: places[at] ?? null })),
      more: survey.more || numbers.length > matches.length,
      undecided: undecided.map(({ blacklist }) => blacklist),
    };
  }

  async function checkUnless(
    context: RequestContext,
    text: string,
    projectId: string,
    left: RemainingBudget,
  ): Promise<NameCheck> {
    const name = parseZoneName(text);
    if (!name.ok) return { kind: 'invalid', fault: name.reason };
    if (isUsedUp(left)) return { kind: 'not reached', name: name.value };
    return check(context, name.value, projectId, left);
  }

  return {
    /**
     * Predicts the result of creating each name, and lists the matching entries. It changes, marks and counts nothing.
     * @param projectId the project that would create the names
     * @returns a result for each text, in order
     */
    async run(
      context: RequestContext,
      texts: readonly string[],
      projectId: string,
    ): Promise<readonly NameCheck[]> {
      access.require(context, 'check_blacklists', { projectId: context.projectId });
      await checker.catchUp();
      const left = budgetOf(texts.length);
      const checks: NameCheck[] = [];
      for (const text of texts) {
        checks.push(await checkUnless(context, text, projectId, left));
        left.names -= 1;
        // Yield to others after each name, however many the request has.
        await nextTurn(context.projectId);
      }
      return checks;
    },
  };
}

export type NameCheckUseCases = ReturnType<typeof nameCheckUseCases>;
