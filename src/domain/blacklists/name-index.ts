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
