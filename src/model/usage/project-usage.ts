import type { ListQuery } from '../lists.ts';
import type { Measure, MeasuredLimits } from '../quotas/percentages.ts';

/** What a project uses, beside its limits, as it was found a moment ago. */
export interface ProjectUsage {
  /** The project. */
  readonly id: string;
  /** In all its zones, without the managed ones. */
  readonly recordsets: number;
  /** Its zones, and the recordsets, records and bytes of the zone that has the most of each. */
  readonly used: Readonly<Record<Measure, number>>;
  readonly limits: MeasuredLimits;
  /** The highest part of a limit that is used, in percent; null if everything is unlimited. */
  readonly percentage: number | null;
}

export const USAGE_SORT_KEYS = ['percentage', 'project_id'] as const;
export const USAGE_FILTERS = ['project_id'] as const;
export type UsageQuery = ListQuery<(typeof USAGE_SORT_KEYS)[number], (typeof USAGE_FILTERS)[number]>;
