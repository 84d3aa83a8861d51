import type { Fault } from '../errors.ts';

export const LIST_TASK_KINDS = ['import', 'sync', 'remove'] as const;
/** What is staged: entries that come, a list that becomes what its file says, or a list that goes. */
export type ListTaskKind = (typeof LIST_TASK_KINDS)[number];

/** What a task has come to so far. */
export interface ListTaskCounts {
  /** Lines of the file that have been read. */
  readonly lines: number;
  /** Entries that are new. */
  readonly added: number;
  /** Patterns of the file that existed already, or occur twice in it. */
  readonly present: number;
  /** Of them, those that the list holds newly. */
  readonly kept: number;
  /** Entries that go. */
  readonly removed: number;
}

/** An import, a sync or the removal of a list, staged in short transactions and seen from one short one on. */
export interface ListTask extends ListTaskCounts {
  readonly id: string;
  readonly kind: ListTaskKind;
  /** '' if no list is named. */
  readonly list: string;
  readonly status: 'ACTIVE' | 'COMPLETE' | 'ERROR';
  readonly message: string | null;
  /** The first faults of the file. */
  readonly faults: readonly Fault[];
  /** How many it has. */
  readonly faultCount: number;
  /** Of the file, hexadecimal; '' until it has been read. */
  readonly sha256: string;
  /** '' until what is staged is seen. */
  readonly eventId: string;
  readonly projectId: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  /** The revision of the blacklists from which on it is seen; 0 until then. */
  readonly revision: number;
  /** Of a dry run that is over; null otherwise. */
  readonly forecast: Forecast | null;
}

/** What a dry run says of an import or a sync. */
export interface Forecast {
  /** The first patterns that would come, and go. */
  readonly coming: readonly string[];
  readonly going: readonly string[];
  /** The first existing zones whose name a pattern that would come matches, or may match, and how many there are. */
  readonly zones: readonly string[];
  readonly zoneCount: number;
}

/** Which task, and who does it: what another process has taken over is refused to the former one. */
export interface HeldTask {
  readonly number: number;
  readonly holder: string;
  readonly list: string;
}
