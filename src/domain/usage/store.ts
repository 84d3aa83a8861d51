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
  /** The next projects after an id, in their order; none after the last. */
  next(after: string, limit: number): Promise<readonly FoundProject[]>;
}

export interface UsageWrites {
  put(usages: readonly ProjectUsage[]): void;
  /** Keeps that a whole pass began at this time. */
  finish(startedAt: string): void;
}
