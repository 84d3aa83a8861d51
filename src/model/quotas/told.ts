/** What was told of one limit: the bits of the thresholds, and the limit that they are of. */
export interface Told {
  readonly bits: number;
  readonly limit: number;
}

/** Whether the same was told. */
export function isSameTold(one: Told, other: Told): boolean {
  return one.bits === other.bits && one.limit === other.limit;
}

export const UNTOLD: Told = { bits: 0, limit: 0 };
