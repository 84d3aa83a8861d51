import { type Fqdn, parseZoneName, unicodeForm } from '../../dns/names.ts';
import type { Act } from '../acts/act.ts';
import type { UseCaseDeps } from '../use-case.ts';
import { nextTurn } from '../yield.ts';
import type { Blacklist } from './blacklist.ts';
import type { BlacklistGuard, Judgement } from './blacklist-guard.ts';
import { formsOf } from './name-index.ts';
import type { NameScanner, NameSurveyor, Place, Survey } from './name-scanner.ts';
import { type MatchingEntry, matchingEntry, type Prospect, prospectOf } from './name-tests.ts';

/** The most names of one request. */
export const MOST_CHECKED = 1000;
/** The most entries that are told of one name. */
const MOST_TOLD = 100;

/** What one request may take in all; the names after that are not checked. */
const BUDGET = {
  /** Milliseconds. */
  time: 10_000,
  /** In the units of the matcher: some forty checks that use up their budget. */
  units: 1_200_000_000,
  /** Characters of patterns that are told. */
  characters: 4_194_304,
} as const;

/** An entry that matches a name, and where. */
export interface FoundEntry extends MatchingEntry {
  /** Null where it is not known: it takes too long to find. */
  readonly place: Place | null;
}

/** What became of one name. */
export type NameCheck =
  | { readonly kind: 'invalid'; readonly fault: string }
  /** The budget of the request was used up before it. */
  | { readonly kind: 'not reached'; readonly name: Fqdn }
  | {
      readonly kind: 'checked';
      readonly name: Fqdn;
      readonly unicode: string;
      readonly prospect: Prospect;
      /** At most 100. */
      readonly matches: readonly FoundEntry[];
      /** Whether there may be others. */
      readonly more: boolean;
      /** If not everything could be looked at: entries that take too long. */
      readonly undecided: readonly Blacklist[];
    };

type Checked = Extract<NameCheck, { kind: 'checked' }>;

/** What is left of the budget of a request. */
interface Left {
  readonly until: number;
  units: number;
  characters: number;
}

export interface NameCheckDeps extends Pick<UseCaseDeps, 'store' | 'access' | 'clock'> {
  readonly guard: BlacklistGuard;
  /** Uses the index of the guard. */
  readonly surveyor: NameSurveyor;
  readonly scanner: NameScanner;
}

function isUsedUp({ until, units, characters }: Left): boolean {
  return units <= 0 || characters <= 0 || performance.now() >= until;
}

/** Those that the judgement rests on come first. */
function numbersOf(judgement: Judgement, { matches }: Survey): readonly number[] {
  const deciding = judgement.kind === 'blocked' ? judgement.rules : [];
  const noted = judgement.kind === 'free' ? judgement.noted.rules : [];
  return [...new Set([...[...deciding, ...noted].map(({ number }) => number), ...matches])];
}

/** The use case of asking about many names before somebody creates them. */
export function nameCheckUseCases({ store, access, clock, guard, surveyor, scanner }: NameCheckDeps) {
  async function placed(
    act: Act,
    forms: readonly string[],
    entries: readonly Blacklist[],
    { until }: Left,
  ): Promise<readonly (Place | null)[]> {
    const patterns = entries.map(({ pattern }) => pattern);
    return patterns.length === 0 ? [] : scanner.locate(patterns, forms, act.caller.projectId, until);
  }

  async function check(act: Act, name: Fqdn, projectId: string, left: Left): Promise<Checked> {
    const forms = formsOf(name);
    const judgement = await guard.judge(name, projectId);
    const survey = await surveyor.survey(forms, act.caller.projectId, MOST_TOLD);
    left.units -= survey.units;
    const numbers = numbersOf(judgement, survey);
    const told = numbers.slice(0, MOST_TOLD);
    const entries = await store.blacklists.entries(told);
    const open = judgement.kind === 'undecided' ? judgement.numbers : survey.undecided;
    const undecided = await store.blacklists.entries(open.filter((number) => !told.includes(number)));
    left.characters -= [...entries, ...undecided].reduce((sum, { pattern }) => sum + pattern.length, 0);
    const places = await placed(act, forms, entries, left);
    const { instant = clock.now() } = await store.blacklists.present();
    return {
      kind: 'checked',
      name,
      unicode: unicodeForm(name) ?? name,
      prospect: prospectOf(judgement),
      matches: entries.map((entry, at) => ({
        ...matchingEntry(entry, { name, projectId }, instant),
        place: places[at] ?? null,
      })),
      more: survey.more || numbers.length > told.length,
      undecided,
    };
  }

  async function checkUnless(act: Act, text: string, projectId: string, left: Left): Promise<NameCheck> {
    const name = parseZoneName(text);
    if (!name.ok) return { kind: 'invalid', fault: name.reason };
    if (isUsedUp(left)) return { kind: 'not reached', name: name.value };
    return check(act, name.value, projectId, left);
  }

  return {
    /**
     * What a create of each name would meet, and which entries match it; changes, marks and counts nothing.
     * @param projectId whose create it would be
     * @returns one for each text, in their order
     */
    async run(act: Act, texts: readonly string[], projectId: string): Promise<readonly NameCheck[]> {
      access.require(act, 'check_blacklists', { projectId: act.projectId });
      await guard.catchUp();
      const { units, characters, time } = BUDGET;
      const left: Left = { units, characters, until: performance.now() + time };
      const checks: NameCheck[] = [];
      for (const text of texts) {
        checks.push(await checkUnless(act, text, projectId, left));
        // However many names one request has, others have their turn after each.
        await nextTurn();
      }
      return checks;
    },
  };
}

export type NameCheckUseCases = ReturnType<typeof nameCheckUseCases>;
