/** How an entry takes part in the check of a name. */
export interface PatternTraits {
  /** True if a match refuses the name. Matches of other entries are only noted. */
  readonly enforced: boolean;
  /** True if the caller must examine a match of an enforced entry, reported by key, before it counts. */
  readonly conditional: boolean;
}

/** Traits of an entry that refuses every name it matches. */
export const BLOCKS: PatternTraits = { enforced: true, conditional: false };

/** Traits as a number of two bits. Entries that are not enforced are noted, conditional or not. */
export const BLOCKING = 0;
export const CONDITIONAL = 1;
export const NOTED = 2;
export type PatternKind = typeof BLOCKING | typeof CONDITIONAL | typeof NOTED;

export function kindOf({ enforced, conditional }: PatternTraits): PatternKind {
  if (!enforced) return NOTED;
  return conditional ? CONDITIONAL : BLOCKING;
}
