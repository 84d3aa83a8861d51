import type { Limits } from '../quotas/quota.ts';

export interface ProjectCounts {
  readonly projects: number;
  readonly zones: number;
  /** Without the managed ones. */
  readonly recordsets: number;
}

/** What waits, and where the blacklists are. */
export interface WaitingCounts {
  /** The revision of the blacklists. */
  readonly revision: number;
  readonly orders: OrderCounts;
  /** Events that are committed and not sealed. */
  readonly eventsUnsealed: number;
  readonly webhooks: readonly WebhookFigures[];
  /** Secondary zones that are due, and that no process has taken. */
  readonly secondariesDue: number;
}

/** What the whole store comes to: the same for every process that reads it. */
export type StoreCounts = ProjectCounts & WaitingCounts;

/** How far a receiver of events is behind. */
export interface WebhookFigures {
  readonly name: string;
  /** Sealed events after its position. */
  readonly waiting: number;
  readonly isStopped: boolean;
}

/** What waits to be published. */
export interface OrderCounts {
  /** Orders that name servers have to be looked after for. */
  readonly waiting: number;
  /** Those of them that are in ERROR. */
  readonly failing: number;
  /** Since when the oldest change that too few servers have is waiting; '' for none. */
  readonly oldest: string;
}

/** The keys that the limits of projects are compared by; those of zones for the fullest zone of each project. */
export const LIMIT_KEYS = ['zones', 'zone_recordsets', 'zone_records', 'zone_size'] as const;
export type LimitKey = (typeof LIMIT_KEYS)[number];

/** How many projects are near a limit, and how many have reached it. */
export type NearLimits = Readonly<Record<LimitKey, { readonly near: number; readonly at: number }>>;

/** The share of a limit from which on it is near, in per cent. */
export const NEAR = 80;

/** Reads whose cost grows with the projects or with what waits, never with the zones or the recordsets. They hold up nobody. */
export interface FigureReads {
  /** Reads every project. @throws DomainError `storage_unavailable`, `slow_read`, `too_many_reads` */
  projects(): Promise<ProjectCounts>;
  /** @throws DomainError as above */
  waiting(now: string): Promise<WaitingCounts>;
  /**
   * Reads every project. What each project uses is what was found out when it was last looked at, a few seconds ago.
   * @param defaults the limits of projects without limits of their own
   * @param maxZoneSize in bytes
   * @throws DomainError as above
   */
  nearLimits(defaults: Limits, maxZoneSize: number): Promise<NearLimits>;
}
