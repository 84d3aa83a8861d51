import type { Lists } from '../lists.ts';
import type { Limits } from '../quotas/quota.ts';
import type { ProjectUsage, UsageQuery } from './project-usage.ts';

/** A project's current data, and its usage as last stored. */
export interface FoundProject extends Pick<ProjectUsage, 'id' | 'recordsets' | 'used'> {
  readonly overrides: Partial<Limits>;
  readonly before: ProjectUsage | undefined;
}

export interface UsageReads extends Lists<ProjectUsage, UsageQuery> {
  /** When the last complete pass began; null before the first. */
  asOf(): Promise<string | null>;
  /**
   * The next projects after an id, in order; empty after the last.
   * @param changed projects whose zones are read, besides those whose counters differ from the stored usage
   */
  next(after: string, limit: number, changed: ReadonlySet<string> | 'all'): Promise<readonly FoundProject[]>;
  /**
   * The event position that the last complete pass covered; undefined if zones were never read, or if it is unknown.
   */
  lastPass(): Promise<number | undefined>;
  /** The projects of the events after one position, up to another. */
  changedProjects(after: number, upTo: number): Promise<ReadonlySet<string>>;
  /** Whether any zone is being removed. The end of a removal changes the usage without an event. */
  isLeaving(): Promise<boolean>;
  /** The id of the newest event without a position. */
  newestUnsealed(): Promise<string | undefined>;
  /** Whether any event up to this id has no position yet. */
  isUnsealed(upTo: string): Promise<boolean>;
}

export interface UsageWrites {
  put(usages: readonly ProjectUsage[]): void;
  /** Records that a complete pass began at this time, and the event position that it covered. */
  finish(startedAt: string, position: number): void;
}
