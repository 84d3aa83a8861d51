import type { Fqdn } from '../../dns/names.ts';
import type { Mode } from '../blacklists/blacklist.ts';
import type { PatternWarning } from '../blacklists/pattern-language.ts';
import type { ListQuery } from '../lists.ts';

/** Where zones go on that have been looked at: the time of creation and the id of the last. */
export interface ZonePosition {
  readonly createdAt: string;
  readonly id: string;
}

/** Before the first zone. */
export const AT_THE_START: ZonePosition = { createdAt: '', id: '' };

/** How far the search has come, and what it has found. */
export interface PreviewProgress {
  readonly position: ZonePosition;
  /** Zones that have been looked at. */
  readonly seen: number;
  readonly matched: number;
  /** Zones for which the budget of a check ran out. */
  readonly undecided: number;
  /** How many of both can be listed. */
  readonly kept: number;
}

/** The search for the existing zones that a pattern matches, before it becomes a rule. */
export interface Preview extends PreviewProgress {
  readonly id: string;
  readonly projectId: string;
  readonly pattern: string;
  readonly mode: Mode;
  /** Of the entry whose pattern it is; null for one that is not stored. */
  readonly blacklistId: string | null;
  /** ERROR: `message` says why it did not come to an end. */
  readonly status: 'PENDING' | 'RUNNING' | 'COMPLETE' | 'ERROR' | 'CANCELLED';
  readonly message: string | null;
  /** Why the text is no pattern; then no zone is looked at. */
  readonly faults: readonly string[];
  readonly warnings: readonly PatternWarning[];
  /** How many zones there were when it began; only those are looked at. */
  readonly total: number;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  readonly endedAt: string | null;
}

/** A zone that it has found. */
export interface PreviewZone {
  /** Of the zone. */
  readonly id: string;
  readonly name: Fqdn;
  readonly projectId: string;
  /** Whether the budget of a check ran out, so that nobody knows. */
  readonly isUndecided: boolean;
}

export const PREVIEW_ZONE_SORT_KEYS = ['name', 'id'] as const;
export const PREVIEW_ZONE_FILTERS = ['project_id'] as const;
export type PreviewZoneQuery = ListQuery<
  (typeof PREVIEW_ZONE_SORT_KEYS)[number],
  (typeof PREVIEW_ZONE_FILTERS)[number]
>;

/** How many zones of one preview can be listed; the others are counted. */
export const MOST_KEPT = 100_000;
/** How many of one project are kept; the oldest one that has ended goes for a new one. */
export const MOST_OF_PROJECT = 10;
/** How long it is kept after its end, and how long it may take, in milliseconds. */
export const KEPT_MS = 3_600_000;
export const LONGEST_MS = 3_600_000;
