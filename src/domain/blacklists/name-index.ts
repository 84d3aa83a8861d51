import { type Fqdn, unicodeForm } from '../../dns/names.ts';

export type Verdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'blocked'; readonly key: number }
  | { readonly kind: 'undecided'; readonly keys: readonly number[] };

/** All patterns of the blacklists, ready to be asked about a name. */
export interface NameIndex {
  readonly size: number;
  add(number: number, pattern: string): void;
  remove(number: number, pattern: string): void;
  clear(): void;
  /** The verdict on a name in all its forms, the Unicode one too; long checks of different projects take turns. */
  check(forms: readonly string[], onBehalfOf: string): Promise<Verdict>;
}

/** The numbers of all patterns that match a name, and of those that could not be decided about. */
export interface Explanation {
  readonly matches: readonly number[];
  readonly undecided: readonly number[];
}

/** The same patterns, asked about a name one and all; that may take many times the steps of a verdict. */
export interface NameExplainer {
  explain(forms: readonly string[]): Promise<Explanation>;
}

/** The forms of a name that patterns are compared with: the canonical one, and the Unicode form where it has A-labels. */
export function formsOf(name: Fqdn): readonly string[] {
  const unicode = unicodeForm(name);
  return unicode === undefined ? [name] : [name, unicode];
}
