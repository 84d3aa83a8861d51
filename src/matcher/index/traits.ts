/** How an entry takes part in the check of a name. */
export interface Traits {
  /** Whether a match refuses the name; a match of other entries is only noted. */
  readonly enforced: boolean;
  /** Whether the match of an enforced entry has to be looked at before it counts: it is told by its key. */
  readonly conditional: boolean;
}

/** Those of an entry that refuses every name that it matches. */
export const BLOCKS: Traits = { enforced: true, conditional: false };

/** Traits as a number of two bits. What does not refuse is noted, conditional or not. */
export const BLOCKING = 0;
export const CONDITIONAL = 1;
export const NOTED = 2;
export type Kind = typeof BLOCKING | typeof CONDITIONAL | typeof NOTED;

export function kindOf({ enforced, conditional }: Traits): Kind {
  if (!enforced) return NOTED;
  return conditional ? CONDITIONAL : BLOCKING;
}
