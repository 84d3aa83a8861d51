import type { ListQuery } from '../lists.ts';
import type { ScopeJson } from '../scopes/credential-scope.ts';

/** Lets another project see a zone and write its own recordsets in it. */
export interface Share {
  readonly id: string;
  readonly zoneId: string;
  /** The zone's owner. */
  readonly projectId: string;
  /** The project that the zone is shared with. */
  readonly targetProjectId: string;
  /** Number of the target's recordsets in the zone. */
  readonly recordsets: number;
  /** Narrows what the target reads and writes in the zone; undefined for nothing. */
  readonly scope?: ScopeJson | undefined;
  readonly createdAt: string;
  /** When the zone last changed owner. */
  readonly updatedAt: string | null;
}

export type ShareDraft = Pick<Share, 'targetProjectId' | 'scope'>;

/** Maximum number of shares per zone, and of zones shared with a project. */
export const MAX_SHARES = 1000;

export const SHARE_SORT_KEYS = ['created_at', 'id', 'updated_at', 'target_project_id'] as const;
export const SHARE_FILTERS = ['target_project_id'] as const;
export type ShareQuery = ListQuery<(typeof SHARE_SORT_KEYS)[number], (typeof SHARE_FILTERS)[number]>;
