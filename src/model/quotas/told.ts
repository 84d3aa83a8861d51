/** The notified thresholds of one limit: their bits, and the limit they apply to. */
export interface Told {
  readonly bits: number;
  readonly limit: number;
}

/** Whether the notified thresholds are equal. */
export function isSameTold(one: Told, other: Told): boolean {
  return one.bits === other.bits && one.limit === other.limit;
}

export const UNTOLD: Told = { bits: 0, limit: 0 };
