import { DomainError } from '../errors.ts';

/** The notified thresholds of one limit: their bits, and the limit they apply to. */
export interface NotifiedThresholds {
  readonly bits: number;
  readonly limit: number;
}

/** Whether the notified thresholds are equal. */
export function isSameNotified(one: NotifiedThresholds, other: NotifiedThresholds): boolean {
  return one.bits === other.bits && one.limit === other.limit;
}

export const NOTHING_NOTIFIED: NotifiedThresholds = { bits: 0, limit: 0 };

export const QUOTA_KEYS = [
  'zones',
  'zone_recordsets',
  'zone_records',
  'recordset_records',
  'api_export_size',
] as const;
export type QuotaKey = (typeof QUOTA_KEYS)[number];

/** A full set of limits; -1 means unlimited. */
export type Limits = Readonly<Record<QuotaKey, number>>;
/** Null resets a limit to its default. */
export type QuotaChanges = Partial<Readonly<Record<QuotaKey, number | null>>>;

export const UNLIMITED = -1;
export const MAX_LIMIT = 2147483647;

export interface ProjectState {
  readonly zones: number;
  /** In all its zones, excluding managed ones. */
  readonly recordsets: number;
  /** Limits set for this project; the others have their defaults. */
  readonly overrides: Partial<Limits>;
  /** The notified thresholds for the number of zones. */
  readonly notified: NotifiedThresholds;
}

/** The effective limits: those set for the project, else the defaults. */
export function limitsOf(state: Pick<ProjectState, 'overrides'>, defaults: Limits): Limits {
  return { ...defaults, ...state.overrides };
}

export function hasCapacity(limit: number, usage: number): boolean {
  return limit === UNLIMITED || usage <= limit;
}

/**
 * Refuses growth beyond a limit. A change that keeps or reduces the usage always passes.
 * @param usage the usage after the change
 * @throws DomainError `over_quota`
 */
export function requireCapacity(
  key: QuotaKey | 'max_zone_size',
  limit: number,
  usage: number,
  growth: number,
): void {
  if (growth <= 0 || hasCapacity(limit, usage)) return;
  throw new DomainError(
    'over_quota',
    `Quota exceeded for ${key}: the limit is ${limit}, the usage is ${usage - growth}, and ${usage} would be needed. Delete what you no longer use, or ask an administrator for a higher limit.`,
    { details: { quota: key, limit, needed: usage } },
  );
}
