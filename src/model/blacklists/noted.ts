import type { Rule } from './rule.ts';

/** Entries that match a create but do not refuse it. */
export interface NonEnforcingMatches {
  /** At most 100, ordered by number. */
  readonly rules: readonly Rule[];
  /** Number found in all. */
  readonly found: number;
}

export const NOTHING_NON_ENFORCING: NonEnforcingMatches = { rules: [], found: 0 };
