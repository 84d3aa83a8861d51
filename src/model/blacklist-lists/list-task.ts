import type { Fault } from '../errors.ts';

export const LIST_TASK_KINDS = ['import', 'sync', 'remove'] as const;
/** What a task stages: new entries, a list made to match a file, or the removal of a list. */
export type ListTaskKind = (typeof LIST_TASK_KINDS)[number];

/** The progress of a task. */
export interface ListTaskCounts {
  /** Lines of the file read so far. */
  readonly lines: number;
  /** New entries. */
  readonly added: number;
  /** Patterns of the file that already existed, or that occur twice in it. */
  readonly present: number;
  /** Of those, the entries that the list did not hold before. */
  readonly kept: number;
  /** Entries removed. */
  readonly removed: number;
}

/**
 * An import, a sync or the removal of a list. It is staged in several short transactions; one more makes it take
 * effect.
 */
export interface ListTask extends ListTaskCounts {
  readonly id: string;
  readonly kind: ListTaskKind;
  /** '' if no list is named. */
  readonly list: string;
  readonly status: 'ACTIVE' | 'COMPLETE' | 'ERROR';
  readonly message: string | null;
  /** The first faults in the file. */
  readonly faults: readonly Fault[];
  /** Number of faults in the file. */
  readonly faultCount: number;
  /** SHA-256 of the file, in hexadecimal; '' until the file has been read. */
  readonly sha256: string;
  /** '' until the task takes effect. */
  readonly eventId: string;
  readonly projectId: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  /** The revision of the blacklists at which the task takes effect; 0 until then. */
  readonly revision: number;
  /** The result of a completed dry run; null otherwise. */
  readonly forecast: Forecast | null;
}

/** The effects that a dry run predicts for an import or a sync. */
export interface Forecast {
  /** The first patterns that would be added, and removed. */
  readonly coming: readonly string[];
  readonly going: readonly string[];
  /**
   * The first existing zones whose names match, or may match, a pattern that would be added, and the number of such
   * zones.
   */
  readonly zones: readonly string[];
  readonly zoneCount: number;
}

/** A task and the process that holds it. Writes of a former holder are refused. */
export interface HeldTask {
  readonly number: number;
  readonly holder: string;
  readonly list: string;
}
