import { type Fqdn, unicodeForm } from '../../dns/names.ts';

export type Verdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'blocked'; readonly key: number }
  | { readonly kind: 'undecided'; readonly keys: readonly number[] };

/** All patterns of the blacklists, compiled for checking names. */
export interface NameIndex {
  readonly size: number;
  add(number: number, pattern: string): void;
  remove(number: number, pattern: string): void;
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
export function formsOf(name: Fqdn): readonly string[] {
  const unicode = unicodeForm(name);
  return unicode === undefined ? [name] : [name, unicode];
}
