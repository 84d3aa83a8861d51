import type { Limits } from '../quotas/quota.ts';

export interface ProjectCounts {
  readonly projects: number;
  readonly zones: number;
  /** Excluding managed ones. */
  readonly recordsets: number;
}

/** Counts of pending work, and the revision of the blacklists. */
export interface WaitingCounts {
  /** The revision of the blacklists. */
  readonly revision: number;
  readonly orders: OrderCounts;
  /** Committed events that are not sealed. */
  readonly eventsUnsealed: number;
  readonly webhooks: readonly WebhookMetrics[];
  /** Secondary zones that are due and that no process has claimed. */
  readonly secondariesDue: number;
}

/** Counts for the whole store; every process reads the same values. */
export type StoreCounts = ProjectCounts & WaitingCounts;

/** How far a webhook is behind. */
export interface WebhookMetrics {
  readonly name: string;
  /** Sealed events after its position. */
  readonly waiting: number;
  readonly isStopped: boolean;
}

/** Orders waiting to be published. */
export interface OrderCounts {
  /** Orders whose name servers are still to be checked. */
  readonly waiting: number;
  /** Of those, orders in ERROR. */
  readonly failing: number;
  /** Time of the oldest change that too few servers have; '' if there is none. */
  readonly oldest: string;
}

/** The limits to report on. Zone limits apply to the fullest zone of each project. */
export const LIMIT_KEYS = ['zones', 'zone_recordsets', 'zone_records', 'zone_size'] as const;
export type LimitKey = (typeof LIMIT_KEYS)[number];

/** For each limit, the number of projects near it, and of those that have reached it. */
export type NearLimits = Readonly<Record<LimitKey, { readonly near: number; readonly at: number }>>;

/** Usage in percent from which a limit counts as near. */
export const NEAR = 80;

/**
 * Reads whose cost grows with the number of projects or of pending items, never with zones or recordsets. They block
 * nothing.
 */
export interface MetricsReads {
  /** Reads every project. @throws DomainError `storage_unavailable`, `slow_read`, `too_many_reads` */
  projects(): Promise<ProjectCounts>;
  /** @throws DomainError like `projects` */
  waiting(now: string): Promise<WaitingCounts>;
  /**
   * Reads every project. Usage is the last computed value, a few seconds old.
   * @param defaults the limits of projects that set none
   * @param maxZoneSize in bytes
   * @throws DomainError like `projects`
   */
  nearLimits(defaults: Limits, maxZoneSize: number): Promise<NearLimits>;
}
