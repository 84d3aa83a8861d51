import type { TextSpan } from '../run/text.ts';

/** Where a pattern is found: the index of the form, and the span in it. */
export interface ScanLocation extends TextSpan {
  readonly form: number;
}

/** The verdict of one pattern on one name. */
export const MISS = 0;
export const MATCH = 1;
export const UNDECIDED = 2;

/** Requests to the thread. */
export type ScanRequest =
  /** Matches a pattern against names, each in all its forms. */
  | { readonly kind: 'scan'; readonly pattern: string; readonly names: readonly (readonly string[])[] }
  /** Locates each pattern in the forms of one name. */
  | { readonly kind: 'locate'; readonly patterns: readonly string[]; readonly forms: readonly string[] };

/** Responses: as many results as were completed in time, at least one. */
export type ScanResponse =
  | { readonly kind: 'scanned'; readonly verdicts: Uint8Array }
  /** Null if unknown. */
  | { readonly kind: 'located'; readonly places: readonly (ScanLocation | null)[] };
