import { type OwnerName, unicodeForm } from '../../dns/names.ts';

/** How an entry takes part in the check of a name. */
export interface Traits {
  /** Whether a match refuses the name; a match of other entries is only noted. */
  readonly enforced: boolean;
  /** Whether the entry has exceptions or an expiry: its match is told by its number, and the caller finds out whether it counts. */
  readonly conditional: boolean;
}

/** The entries that do not refuse and match, found within a budget of their own. */
export interface Notes {
  /** The smallest numbers, at most 100. */
  readonly matches: readonly number[];
  /** How many were found in all. */
  readonly found: number;
}

export type Verdict =
  | { readonly kind: 'free'; readonly notes?: Notes }
  /** Only conditional entries match that refuse: all of them. The name is free if none of them counts. */
  | { readonly kind: 'conditional'; readonly keys: readonly number[]; readonly notes?: Notes }
  | { readonly kind: 'blocked'; readonly key: number }
  | { readonly kind: 'undecided'; readonly keys: readonly number[] };

/** All patterns of the blacklists, compiled for checking names. */
export interface NameIndex {
  readonly size: number;
  add(number: number, pattern: string, traits: Traits): void;
  /** @param traits Those that it was added with. */
  remove(number: number, pattern: string, traits: Traits): void;
  clear(): void;
  /** The verdict on a name in all its forms, the Unicode one too; long checks of different projects take turns. */
  check(forms: readonly string[], onBehalfOf: string): Promise<Verdict>;
}

/** The numbers of all patterns that match a name, and of those that could not be decided. */
export interface Explanation {
  readonly matches: readonly number[];
  readonly undecided: readonly number[];
}

/** Checks a name against every pattern; that may take many times the steps of a verdict. */
export interface NameExplainer {
  explain(forms: readonly string[]): Promise<Explanation>;
}

/** The forms of a name that patterns are matched against: the canonical form, and the Unicode form if it has A-labels. */
export function formsOf(name: OwnerName): readonly string[] {
  const unicode = unicodeForm(name);
  return unicode === undefined ? [name] : [name, unicode];
}
