import type { Fqdn } from '../../dns/names.ts';
import type { Mode } from '../blacklists/blacklist.ts';
import type { PatternWarning } from '../blacklists/pattern-language.ts';
import type { ListQuery } from '../lists.ts';

/** How far the search has read the zones: the creation time and id of the last zone. */
export interface ZonePosition {
  readonly createdAt: string;
  readonly id: string;
}

/** Before the first zone. */
export const AT_THE_START: ZonePosition = { createdAt: '', id: '' };

/** Progress and results of the search. */
export interface PreviewProgress {
  readonly position: ZonePosition;
  /** Zones checked. */
  readonly seen: number;
  readonly matched: number;
  /** Zones whose check exhausted its budget. */
  readonly undecided: number;
  /** Number of matched and undecided zones that can be listed. */
  readonly kept: number;
}

/** A search for existing zones that match a pattern, before it becomes a rule. */
export interface Preview extends PreviewProgress {
  readonly id: string;
  readonly projectId: string;
  readonly pattern: string;
  readonly mode: Mode;
  /** The entry that has the pattern; null for a pattern that is not stored. */
  readonly blacklistId: string | null;
  /** ERROR: `message` says why the search did not finish. */
  readonly status: 'PENDING' | 'RUNNING' | 'COMPLETE' | 'ERROR' | 'CANCELLED';
  readonly message: string | null;
  /** Why the pattern is invalid; then no zone is checked. */
  readonly faults: readonly string[];
  readonly warnings: readonly PatternWarning[];
  /** Number of zones when the search began; only those are checked. */
  readonly total: number;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  readonly endedAt: string | null;
}

/** A zone that the search found. */
export interface PreviewZone {
  /** The zone's id. */
  readonly id: string;
  readonly name: Fqdn;
  readonly projectId: string;
  /** True if the check exhausted its budget, so that the result is unknown. */
  readonly isUndecided: boolean;
}

export const PREVIEW_ZONE_SORT_KEYS = ['name', 'id'] as const;
export const PREVIEW_ZONE_FILTERS = ['project_id'] as const;
export type PreviewZoneQuery = ListQuery<
  (typeof PREVIEW_ZONE_SORT_KEYS)[number],
  (typeof PREVIEW_ZONE_FILTERS)[number]
>;

/** Maximum number of listed zones per preview; more are only counted. */
export const MAX_KEPT = 100_000;
/** Maximum number of previews kept per project. A new one replaces the oldest finished one. */
export const MAX_OF_PROJECT = 10;
/** How long a finished preview is kept, and how long one may run; in milliseconds. */
export const KEPT_MS = 3_600_000;
export const LONGEST_MS = 3_600_000;
