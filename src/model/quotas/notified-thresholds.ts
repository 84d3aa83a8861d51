/** The notified thresholds of one limit: their bits, and the limit they apply to. */
export interface NotifiedThresholds {
  readonly bits: number;
  readonly limit: number;
}

/** Whether the notified thresholds are equal. */
export function isSameTold(one: NotifiedThresholds, other: NotifiedThresholds): boolean {
  return one.bits === other.bits && one.limit === other.limit;
}

export const NOTHING_NOTIFIED: NotifiedThresholds = { bits: 0, limit: 0 };
