import type { ListQuery } from '../lists.ts';
import type { Measure, MeasuredLimits } from '../quotas/percentages.ts';

/** A project's recently computed usage and its limits. */
export interface ProjectUsage {
  /** The project's id. */
  readonly id: string;
  /** In all its zones, excluding managed ones. */
  readonly recordsets: number;
  /** Number of zones, and the recordsets, records and bytes of the zone that has the most of each. */
  readonly used: Readonly<Record<Measure, number>>;
  readonly limits: MeasuredLimits;
  /** The highest usage of any limit, in percent; null if everything is unlimited. */
  readonly percentage: number | null;
}

export const USAGE_SORT_KEYS = ['percentage', 'project_id'] as const;
export const USAGE_FILTERS = ['project_id'] as const;
export type UsageQuery = ListQuery<(typeof USAGE_SORT_KEYS)[number], (typeof USAGE_FILTERS)[number]>;
