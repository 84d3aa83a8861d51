import { type OwnerName, unicodeForm } from '../../dns/names.ts';

/** How an entry takes part in checking a name. */
export interface Traits {
  /** True if a match refuses the name. Matches of other entries are only noted. */
  readonly enforced: boolean;
  /**
   * True if the entry has exceptions or an expiry: a match reports its number, and the caller decides whether it
   * applies.
   */
  readonly conditional: boolean;
}

/** Matches that do not refuse the name, found within a separate budget. */
export interface Notes {
  /** The lowest numbers, at most 100. */
  readonly matches: readonly number[];
  /** Number of matches found in all. */
  readonly found: number;
}

export type Verdict =
  | { readonly kind: 'free'; readonly notes?: Notes }
  /** The only refusing matches are conditional; all of them are listed. The name is free if none of them applies. */
  | { readonly kind: 'conditional'; readonly keys: readonly number[]; readonly notes?: Notes }
  | { readonly kind: 'blocked'; readonly key: number }
  | { readonly kind: 'undecided'; readonly keys: readonly number[] };

/** All patterns of the blacklists, compiled for checking names. */
export interface BlacklistIndex {
  readonly size: number;
  add(number: number, pattern: string, traits: Traits): void;
  /** @param traits those that it was added with */
  remove(number: number, pattern: string, traits: Traits): void;
  clear(): void;
  /** Checks a name in all its forms, including Unicode. Long checks of different projects take turns. */
  check(forms: readonly string[], onBehalfOf: string): Promise<Verdict>;
}

/** The numbers of all patterns that match a name, and of those that were undecided within the budget. */
export interface Explanation {
  readonly matches: readonly number[];
  readonly undecided: readonly number[];
}

/** Checks a name against every pattern, which may take many times the steps of a verdict. */
export interface NameExplainer {
  explain(forms: readonly string[]): Promise<Explanation>;
}

/** The forms of a name to match: the canonical form, and the Unicode form if it has A-labels. */
export function formsOf(name: OwnerName): readonly string[] {
  const unicode = unicodeForm(name);
  return unicode === undefined ? [name] : [name, unicode];
}
