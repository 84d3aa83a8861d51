import type { Span } from '../run/text.ts';

/** Where a pattern is found: in the form of that number. */
export interface Place extends Span {
  readonly form: number;
}

/** The verdict of one pattern on one name. */
export const MISS = 0;
export const MATCH = 1;
export const UNDECIDED = 2;

/** What the thread is asked. */
export type Request =
  /** Names, each in all its forms. */
  | { readonly kind: 'scan'; readonly pattern: string; readonly names: readonly (readonly string[])[] }
  /** Where each pattern is found in the forms of one name. */
  | { readonly kind: 'locate'; readonly patterns: readonly string[]; readonly forms: readonly string[] };

/** What it answers: as many of the results as it came to in its time, at least one. */
export type Answer =
  | { readonly kind: 'scanned'; readonly verdicts: Uint8Array }
  /** Null where it is not known. */
  | { readonly kind: 'located'; readonly places: readonly (Place | null)[] };
