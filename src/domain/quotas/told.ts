/** What was told of one limit: the bits of the thresholds, and the limit that they are of. */
export interface Told {
  readonly bits: number;
  readonly limit: number;
}

export const UNTOLD: Told = { bits: 0, limit: 0 };
