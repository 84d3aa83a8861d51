import type { ListQuery } from '../lists.ts';

/** The stored record of an import or an export. */
export interface ZoneTask {
  readonly id: string;
  readonly kind: 'import' | 'export';
  readonly projectId: string;
  readonly zoneId: string;
  readonly status: 'COMPLETE';
  readonly message: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

export const ZONE_TASK_SORT_KEYS = ['created_at', 'id', 'updated_at', 'status'] as const;
export const ZONE_TASK_FILTERS = ['status', 'message', 'zone_id'] as const;
export type ZoneTaskQuery = ListQuery<
  (typeof ZONE_TASK_SORT_KEYS)[number],
  (typeof ZONE_TASK_FILTERS)[number]
>;
