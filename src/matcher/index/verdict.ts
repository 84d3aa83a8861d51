import { MAX_NAMED } from './budget.ts';
import type { Tally } from './tally.ts';

/** The noted patterns that match, as far as their own budget allows. */
export interface IndexNotes {
  /** The smallest keys found, at most 100. */
  readonly matches: readonly number[];
  /** Number found, without duplicates. */
  readonly found: number;
}

/** The name may be used, as far as the index can tell. `notes` is missing if nothing was noted. */
export type PassVerdict =
  | { readonly kind: 'free'; readonly notes?: IndexNotes }
  /** Only conditional patterns match. `keys` has the keys of all of them, sorted. */
  | { readonly kind: 'conditional'; readonly keys: readonly number[]; readonly notes?: IndexNotes };

export type RefusalVerdict =
  | { readonly kind: 'blocked'; readonly key: number }
  /** The budget ran out; `keys` are patterns that used it up. */
  | { readonly kind: 'undecided'; readonly keys: readonly number[] };

export type IndexVerdict = PassVerdict | RefusalVerdict;

/** The keys of all patterns that match, and of those that could not be decided, sorted. */
export interface IndexExplanation {
  readonly matches: readonly number[];
  readonly undecided: readonly number[];
}

/** Some of the patterns that match. */
export interface IndexSurvey {
  /** Their keys, sorted. */
  readonly matches: readonly number[];
  /** True if there may be more. */
  readonly more: boolean;
  /** If the budget ran out: keys of patterns that used it up, sorted; at most 100. */
  readonly undecided: readonly number[];
  /** Cost in units. */
  readonly units: number;
}

/**
 * A check, or a part of one, that takes too long where it began. It is plain data, so that any thread can finish it.
 */
export interface LongCheck {
  readonly forms: readonly string[];
  /** For each form, the patterns whose literals occur in it. Patterns without literals run in any case. */
  readonly keys: readonly Int32Array[];
  /** Matches of the part found so far that do not block. */
  readonly kept: Int32Array;
}

/** A verdict, or a name that may be used while its notes still have to be completed elsewhere. */
export type NonEnforcingVerdict =
  | IndexVerdict
  | { readonly kind: 'noting'; readonly pass: PassVerdict; readonly rest: LongCheck };

/** The result of a check, or that it has to be completed elsewhere; notes follow afterwards. */
export type IndexCheck = NonEnforcingVerdict | { readonly kind: 'long'; readonly rest: LongCheck };

export const FREE: PassVerdict = { kind: 'free' };

/** The verdict of the enforced patterns, once all have been run. */
export function verdictOf({ blocked, kept }: Tally): IndexVerdict {
  if (blocked > 0) return { kind: 'blocked', key: blocked };
  if (kept.length === 0) return FREE;
  return { kind: 'conditional', keys: sorted(kept) };
}

export function isRefusal(verdict: IndexVerdict): verdict is RefusalVerdict {
  return verdict.kind === 'blocked' || verdict.kind === 'undecided';
}

/**
 * @param kept distinct keys
 * @returns undefined if there is nothing to note
 */
export function notesOf(kept: readonly number[]): IndexNotes | undefined {
  return kept.length === 0 ? undefined : { matches: smallest(kept), found: kept.length };
}

export function withNotes(pass: PassVerdict, notes: IndexNotes | undefined): PassVerdict {
  if (notes === undefined) return pass;
  return pass.kind === 'free' ? { kind: 'free', notes } : { ...pass, notes };
}

/** Joins the results of the tables and of the patterns that were run. */
export function joinedExplanation(matches: ReadonlySet<number>, ran: IndexExplanation): IndexExplanation {
  const all = new Set([...matches, ...ran.matches]);
  return { matches: sorted(all), undecided: ran.undecided.filter((key) => !all.has(key)) };
}

/** A survey that needed only the tables. */
export function quickSurvey(matches: ReadonlySet<number>, max: number): IndexSurvey {
  const keys = sorted(matches);
  return { matches: keys.slice(0, max), more: keys.length > max, undecided: [], units: 0 };
}

/** @param max maximum number of matches to report; the tally has one more if there are more */
export function surveyOf({ kept, spent }: Tally, max: number, open: Iterable<number>): IndexSurvey {
  const matches = sorted(kept).slice(0, max);
  return { matches, more: kept.length > max, undecided: firstOf(open, kept), units: spent };
}

/** The first hundred keys that are not among the matches, sorted. */
function firstOf(keys: Iterable<number>, kept: readonly number[]): readonly number[] {
  const matching = new Set(kept);
  const found = new Set<number>();
  for (const key of keys) {
    if (found.size >= MAX_NAMED) break;
    if (!matching.has(key)) found.add(key);
  }
  return sorted(found);
}

export function undecided(keys: Iterable<number>): RefusalVerdict {
  return { kind: 'undecided', keys: smallest([...new Set(keys)]) };
}

function smallest(keys: readonly number[]): readonly number[] {
  if (keys.length === 1) return [keys[0]!];
  if (keys.length <= MAX_NAMED) return sorted(keys);
  return Array.from(Int32Array.from(keys).sort().subarray(0, MAX_NAMED));
}

function sorted(keys: Iterable<number>): readonly number[] {
  return [...keys].sort((a, b) => a - b);
}
