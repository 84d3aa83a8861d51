import type { Blacklist, Terms } from '../blacklists/blacklist.ts';
import type { Revision } from '../blacklists/store.ts';
import type { Stamp } from '../events/stamp.ts';
import type { BlacklistList } from './blacklist-list.ts';
import type { HeldTask, ListTask, ListTaskCounts } from './list-task.ts';

/** A task that is not over, and whether its process may be gone. */
export interface OpenTask extends HeldTask {
  readonly id: string;
  readonly heldUntil: string;
}

export interface BlacklistListReads {
  all(): Promise<readonly BlacklistList[]>;
  find(name: string): Promise<BlacklistList | undefined>;
  findTask(id: string): Promise<ListTask | undefined>;
  /** There is one at most, but for those that have been left by processes of before. */
  openTasks(): Promise<readonly OpenTask[]>;
  /** The patterns that a task has staged to come, or to go: so many of them, in the order of their numbers. */
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

/** What a batch of a file has come to. */
export interface Staged {
  readonly added: number;
  /** Those that existed, and that the list did not hold. */
  readonly kept: number;
}

/** Where a batch is staged. */
export interface Staging {
  /** The task that brings it; 0 if it is there as soon as its transaction is committed. */
  readonly task: number;
  /** '' if no list holds it. */
  readonly list: string;
  /** Marks what the file has. */
  readonly mark: number;
  /** The number of the first entry of the batch. */
  readonly first: Revision;
  /** The event that brings it; '' for that of the task. */
  readonly eventId: string;
}

/** What has left a list. */
export interface Left {
  /** Entries that the list holds no more. */
  readonly released: number;
  /** Of them, those that nothing else holds. */
  readonly removed: number;
}

/** How far the removal of rows has come, which takes several steps; a list may be long, and no row is looked at twice. */
export interface Place {
  readonly step: number;
  /** The last key of the step; '' at its start. */
  readonly after: string;
}

export const START: Place = { step: 0, after: '' };

export interface BlacklistListWrites {
  /** Serializes the changes of lists, and returns the tasks that are not over. */
  lock(): Promise<readonly OpenTask[]>;
  /** Raises the revision by so many; returns the first of these numbers. */
  reserve(count: number): Promise<Revision>;
  /** Runs many inserts; `count` of them. */
  inBulk<T>(count: number, work: () => Promise<T>): Promise<T>;
  stage(staging: Staging, blacklists: readonly Blacklist[]): Promise<Staged>;
  /**
   * Lets go of the next entries of a list that the mark does not have, so many at the most; returns the last one, too.
   * @param task that takes them away, or the number under which `sweep` finds them
   */
  release(
    list: string,
    task: number,
    mark: number,
    page: { readonly after: string; readonly limit: number },
  ): Promise<Left & { readonly last: string }>;
  /** Removes entries, and what held them, that have left by this task. Undefined if there are none any more. */
  sweep(task: number, list: string, place: Place, limit: number): Promise<Place | undefined>;
  /** Gives all entries of a list other terms; returns how many had others. */
  setTerms(list: string, terms: Partial<Terms>, updatedAt: string): Promise<number>;
  revision(): Promise<Revision>;
  find(name: string): Promise<BlacklistList | undefined>;
  /** Stores that a list has changed, or has come. Its entries are counted. */
  put(list: Pick<BlacklistList, 'name' | 'sha256' | 'eventId'>, now: string): Promise<BlacklistList>;
  remove(name: string): Promise<void>;

  insertTask(task: ListTask, held: HeldTask, heldUntil: string): Promise<void>;
  /** Adds to the counts of a task. False if it is not this process's any more. */
  advance(task: HeldTask, more: Partial<ListTaskCounts>, heldUntil: string, now: string): Promise<boolean>;
  /** Widens the range of the numbers of its entries. */
  widen(task: HeldTask, first: Revision, last: Revision): Promise<void>;
  /** From now on what it has staged is there. */
  publish(task: HeldTask, stamp: Stamp, sha256: string): Promise<ListTask>;
  /** Says why a task has come to nothing. False, and nothing changed, if it is in force, or another process's. */
  fail(
    task: HeldTask,
    failure: Pick<ListTask, 'message' | 'faults' | 'faultCount' | 'sha256' | 'forecast'>,
    now: string,
  ): Promise<boolean>;
  /** Takes a task over from a process that is gone. */
  takeTask(task: HeldTask, holder: string, heldUntil: string): Promise<boolean>;
  /** Removes what a published task has taken away: so many entries. Undefined at the end, and where it is another process's. */
  sweepTask(task: HeldTask, place: Place, limit: number, heldUntil: string): Promise<Place | undefined>;
  /** Takes back what a task has staged: so many rows. The same. */
  takeBack(task: HeldTask, place: Place, limit: number, heldUntil: string): Promise<Place | undefined>;
  /** Nothing is left to do. */
  endTask(task: HeldTask, status: ListTask['status'], now: string): Promise<void>;
  /** Forgets tasks that ended before, and whose entries are not named by them. */
  forgetTasks(before: string): Promise<void>;
}
