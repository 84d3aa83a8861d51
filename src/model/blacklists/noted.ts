import type { Rule } from './rule.ts';

/** The entries that a create meets and that do not refuse it. */
export interface Noted {
  /** At most 100, in the order of their numbers. */
  readonly rules: readonly Rule[];
  /** How many were found in all. */
  readonly found: number;
}

export const NOTHING_NOTED: Noted = { rules: [], found: 0 };
