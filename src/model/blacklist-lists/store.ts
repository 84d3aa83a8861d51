import type { Blacklist, Terms } from '../blacklists/blacklist.ts';
import type { Revision } from '../blacklists/store.ts';
import type { Stamp } from '../events/stamp.ts';
import type { BlacklistList } from './blacklist-list.ts';
import type { HeldTask, ListTask, ListTaskCounts } from './list-task.ts';

/** An unfinished task. After `heldUntil`, its process is assumed to be gone. */
export interface OpenTask extends HeldTask {
  readonly id: string;
  readonly heldUntil: string;
}

export interface BlacklistListReads {
  all(): Promise<readonly BlacklistList[]>;
  find(name: string): Promise<BlacklistList | undefined>;
  findTask(id: string): Promise<ListTask | undefined>;
  /** At most one, apart from tasks that former processes have left. */
  openTasks(): Promise<readonly OpenTask[]>;
  /**
   * The patterns that a task has staged to add or to remove: up to `limit` with a number greater than `after`, in
   * order.
   */
  staged(
    task: HeldTask,
    which: 'arrives' | 'leaves',
    after: number,
    limit: number,
  ): Promise<readonly StagedPattern[]>;
}

export interface StagedPattern {
  readonly number: number;
  readonly pattern: string;
}

/** The result of staging a batch of a file. */
export interface Staged {
  readonly added: number;
  /** Existing entries that the list did not hold before. */
  readonly kept: number;
}

/** How a batch is staged. */
export interface Staging {
  /** The task that adds the batch; 0 if it takes effect when its transaction commits. */
  readonly task: number;
  /** '' if no list holds it. */
  readonly list: string;
  /** Marks the entries that are in the file. */
  readonly mark: number;
  /** The number of the first entry of the batch. */
  readonly first: Revision;
  /** The event that adds the batch; '' for the task's event. */
  readonly eventId: string;
}

/** Counts of entries that left a list. */
export interface LeftCounts {
  /** Entries that the list no longer holds. */
  readonly released: number;
  /** Of those, entries that nothing else holds. */
  readonly removed: number;
}

/** The progress of removing rows, which takes several steps. A list may be long, and no row is read twice. */
export interface RemovalProgress {
  readonly step: number;
  /** The last key processed in this step; '' at its start. */
  readonly after: string;
}

export const START: RemovalProgress = { step: 0, after: '' };

export interface BlacklistListWrites {
  /** Serializes changes of lists, and returns the unfinished tasks. */
  lock(): Promise<readonly OpenTask[]>;
  /** Raises the revision by `count`, and returns the first of the new numbers. */
  reserve(count: number): Promise<Revision>;
  /** Runs many inserts, `count` of them, in bulk. */
  inBulk<T>(count: number, work: () => Promise<T>): Promise<T>;
  stage(staging: Staging, blacklists: readonly Blacklist[]): Promise<Staged>;
  /**
   * Releases the next entries of a list that lack the mark, at most `limit`. Also returns the key of the last one.
   * @param task the task that removes them, or the number by which `sweep` finds them
   */
  release(
    list: string,
    task: number,
    mark: number,
    page: { readonly after: string; readonly limit: number },
  ): Promise<LeftCounts & { readonly last: string }>;
  /** Removes entries and holds that this task released. Returns undefined once there are none left. */
  sweep(
    task: number,
    list: string,
    place: RemovalProgress,
    limit: number,
  ): Promise<RemovalProgress | undefined>;
  /** Sets the terms of all entries of a list. Returns the number of entries changed. */
  setTerms(list: string, terms: Partial<Terms>, updatedAt: string): Promise<number>;
  revision(): Promise<Revision>;
  find(name: string): Promise<BlacklistList | undefined>;
  /** Creates or updates a list, and counts its entries. */
  put(list: Pick<BlacklistList, 'name' | 'sha256' | 'eventId'>, now: string): Promise<BlacklistList>;
  remove(name: string): Promise<void>;

  insertTask(task: ListTask, held: HeldTask, heldUntil: string): Promise<void>;
  /** Adds to the counts of a task. Returns false if another process holds the task. */
  advance(task: HeldTask, more: Partial<ListTaskCounts>, heldUntil: string, now: string): Promise<boolean>;
  /** Extends the range of numbers of the task's entries. */
  widen(task: HeldTask, first: Revision, last: Revision): Promise<void>;
  /** Makes everything that the task has staged take effect. */
  publish(task: HeldTask, stamp: Stamp, sha256: string): Promise<ListTask>;
  /**
   * Records why a task failed. Returns false, and changes nothing, if it has taken effect or another process holds it.
   */
  fail(
    task: HeldTask,
    failure: Pick<ListTask, 'message' | 'faults' | 'faultCount' | 'sha256' | 'forecast'>,
    now: string,
  ): Promise<boolean>;
  /** Takes a task over from a process that is gone. Returns false if the task is over or has another holder. */
  takeTask(task: HeldTask, holder: string, heldUntil: string): Promise<boolean>;
  /**
   * Removes up to `limit` entries that a published task released. Returns undefined at the end, or if another process
   * holds the task.
   */
  sweepTask(
    task: HeldTask,
    place: RemovalProgress,
    limit: number,
    heldUntil: string,
  ): Promise<RemovalProgress | undefined>;
  /** Reverts up to `limit` rows that a task has staged. Returns undefined like `sweepTask`. */
  takeBack(
    task: HeldTask,
    place: RemovalProgress,
    limit: number,
    heldUntil: string,
  ): Promise<RemovalProgress | undefined>;
  /** Marks a task as finished. */
  endTask(task: HeldTask, status: ListTask['status'], now: string): Promise<void>;
  /** Deletes tasks that ended before this time without taking effect, so that no entry refers to them. */
  forgetTasks(before: string): Promise<void>;
}
