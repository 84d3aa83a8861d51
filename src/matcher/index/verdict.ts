import { MOST_NAMED } from './budget.ts';

export type Verdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'blocked'; readonly key: number }
  /** The budget ran out; `keys` are patterns that used it up. */
  | { readonly kind: 'undecided'; readonly keys: readonly number[] };

/** All the keys of patterns that match, and of those that could not be decided about; sorted. */
export interface Explanation {
  readonly matches: readonly number[];
  readonly undecided: readonly number[];
}

/** A check that takes too long where it began, as plain data, so that it can be done anywhere. */
export interface LongCheck {
  readonly forms: readonly string[];
  /** For each form, the patterns whose literals are in it; those that have none are run besides. */
  readonly keys: readonly Int32Array[];
}

/** What the tables say, and what running the rest says, as one. */
export function joinedExplanation(matches: ReadonlySet<number>, ran: Explanation): Explanation {
  const all = new Set([...matches, ...ran.matches]);
  return {
    matches: [...all].sort((a, b) => a - b),
    undecided: ran.undecided.filter((key) => !all.has(key)),
  };
}

export function undecided(keys: Iterable<number>): Verdict {
  return { kind: 'undecided', keys: smallest(keys) };
}

export function smallest(keys: Iterable<number>): readonly number[] {
  const sorted = Int32Array.from(new Set(keys)).sort();
  return Array.from(sorted.subarray(0, MOST_NAMED));
}
