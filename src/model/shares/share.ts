import type { ListQuery } from '../lists.ts';

/** A zone that another project may see, and write recordsets of its own in. */
export interface Share {
  readonly id: string;
  readonly zoneId: string;
  /** The owner of the zone. */
  readonly projectId: string;
  /** With whom the zone is shared. */
  readonly targetProjectId: string;
  /** How many recordsets of the zone are the target's. */
  readonly recordsets: number;
  readonly createdAt: string;
  /** When the zone last changed its owner. */
  readonly updatedAt: string | null;
}

/** With how many projects a zone can be shared, and how many zones can be shared with a project. */
export const MOST_SHARES = 1000;

export const SHARE_SORT_KEYS = ['created_at', 'id', 'updated_at', 'target_project_id'] as const;
export const SHARE_FILTERS = ['target_project_id'] as const;
export type ShareQuery = ListQuery<(typeof SHARE_SORT_KEYS)[number], (typeof SHARE_FILTERS)[number]>;
