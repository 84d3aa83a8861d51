import type { Lists } from '../lists.ts';
import type { Limits } from '../quotas/quota.ts';
import type { ProjectUsage, UsageQuery } from './project-usage.ts';

/** A project as the store has it now, and what was kept of it before. */
export interface FoundProject extends Pick<ProjectUsage, 'id' | 'recordsets' | 'used'> {
  readonly overrides: Partial<Limits>;
  readonly before: ProjectUsage | undefined;
}

export interface UsageReads extends Lists<ProjectUsage, UsageQuery> {
  /** When the last whole pass began; null before there was one. */
  asOf(): Promise<string | null>;
  /**
   * The next projects after an id, in their order; none after the last.
   * @param changed those whose zones are looked at, beside those whose counters differ from what was kept
   */
  next(after: string, limit: number, changed: ReadonlySet<string> | 'all'): Promise<readonly FoundProject[]>;
  /** The position of the events that the last whole pass knew; undefined if zones have not been looked at, or nobody knows. */
  lastPass(): Promise<number | undefined>;
  /** The projects that events after a position, up to another one, are about. */
  changedProjects(after: number, upTo: number): Promise<ReadonlySet<string>>;
  /** Whether a zone is being removed: its end, which changes the usage, is no event. */
  isLeaving(): Promise<boolean>;
  /** The id of the newest event that has no position yet. */
  newestUnsealed(): Promise<string | undefined>;
  /** Whether an event up to an id has no position yet. */
  isUnsealed(upTo: string): Promise<boolean>;
}

export interface UsageWrites {
  put(usages: readonly ProjectUsage[]): void;
  /** Keeps that a whole pass began at this time, and the position of the events that it knew. */
  finish(startedAt: string, position: number): void;
}
