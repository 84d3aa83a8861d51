import { MOST_NAMED } from './budget.ts';
import type { Tally } from './tally.ts';

/** The patterns that do not refuse and match, as far as a budget of their own goes. */
export interface Notes {
  /** The smallest keys of those that were found, at most 100. */
  readonly matches: readonly number[];
  /** How many were found; none of them is counted twice. */
  readonly found: number;
}

/** The name may be taken, as far as the index can say. `notes` is missing where nothing was found to note. */
export type Pass =
  | { readonly kind: 'free'; readonly notes?: Notes }
  /** Conditional patterns match, and no other that refuses: all of them, sorted. */
  | { readonly kind: 'conditional'; readonly keys: readonly number[]; readonly notes?: Notes };

export type Refusal =
  | { readonly kind: 'blocked'; readonly key: number }
  /** The budget ran out; `keys` are patterns that used it up. */
  | { readonly kind: 'undecided'; readonly keys: readonly number[] };

export type Verdict = Pass | Refusal;

/** All the keys of patterns that match, and of those that could not be decided about; sorted. */
export interface Explanation {
  readonly matches: readonly number[];
  readonly undecided: readonly number[];
}

/** Some of the patterns that match. */
export interface Survey {
  /** Their keys, sorted. */
  readonly matches: readonly number[];
  /** Whether there may be others. */
  readonly more: boolean;
  /** If the budget ran out: keys of patterns that used it up, sorted; at most 100. */
  readonly undecided: readonly number[];
  /** In units: what it cost. */
  readonly units: number;
}

/** A check, or a part of one, that takes too long where it began, as plain data, so that it can be done anywhere. */
export interface LongCheck {
  readonly forms: readonly string[];
  /** For each form, the patterns whose literals are in it; those that have none are run besides. */
  readonly keys: readonly Int32Array[];
  /** Those of the part that match already, and do not block. */
  readonly kept: Int32Array;
}

/** A verdict; or a name that may be taken, and the notes have to be ended elsewhere. */
export type Noted = Verdict | { readonly kind: 'noting'; readonly pass: Pass; readonly rest: LongCheck };

/** What a check comes to, or that it has to be ended elsewhere; the notes come after that. */
export type Checked = Noted | { readonly kind: 'long'; readonly rest: LongCheck };

export const FREE: Pass = { kind: 'free' };

/** What the enforced patterns come to, all of which have been run. */
export function verdictOf({ blocked, kept }: Tally): Verdict {
  if (blocked > 0) return { kind: 'blocked', key: blocked };
  if (kept.length === 0) return FREE;
  return { kind: 'conditional', keys: sorted(kept) };
}

export function isRefusal(verdict: Verdict): verdict is Refusal {
  return verdict.kind === 'blocked' || verdict.kind === 'undecided';
}

/** @param kept Different keys. Undefined where there is nothing to note. */
export function notesOf(kept: readonly number[]): Notes | undefined {
  return kept.length === 0 ? undefined : { matches: smallest(kept), found: kept.length };
}

export function withNotes(pass: Pass, notes: Notes | undefined): Pass {
  if (notes === undefined) return pass;
  return pass.kind === 'free' ? { kind: 'free', notes } : { ...pass, notes };
}

/** What the tables say, and what running the rest says, as one. */
export function joinedExplanation(matches: ReadonlySet<number>, ran: Explanation): Explanation {
  const all = new Set([...matches, ...ran.matches]);
  return { matches: sorted(all), undecided: ran.undecided.filter((key) => !all.has(key)) };
}

/** What the tables alone say. */
export function quickSurvey(matches: ReadonlySet<number>, most: number): Survey {
  const keys = sorted(matches);
  return { matches: keys.slice(0, most), more: keys.length > most, undecided: [], units: 0 };
}

/** @param most how many are told; the tally has one more where there are more */
export function surveyOf({ kept, spent }: Tally, most: number, open: Iterable<number>): Survey {
  const matches = sorted(kept).slice(0, most);
  return { matches, more: kept.length > most, undecided: firstOf(open, kept), units: spent };
}

/** The first hundred that are not among those that match, sorted. */
function firstOf(keys: Iterable<number>, kept: readonly number[]): readonly number[] {
  const matching = new Set(kept);
  const found = new Set<number>();
  for (const key of keys) {
    if (found.size >= MOST_NAMED) break;
    if (!matching.has(key)) found.add(key);
  }
  return sorted(found);
}

export function undecided(keys: Iterable<number>): Refusal {
  return { kind: 'undecided', keys: smallest([...new Set(keys)]) };
}

function smallest(keys: readonly number[]): readonly number[] {
  if (keys.length === 1) return [keys[0]!];
  if (keys.length <= MOST_NAMED) return sorted(keys);
  return Array.from(Int32Array.from(keys).sort().subarray(0, MOST_NAMED));
}

function sorted(keys: Iterable<number>): readonly number[] {
  return [...keys].sort((a, b) => a - b);
}
