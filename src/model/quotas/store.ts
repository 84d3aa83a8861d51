import type { NotifiedThresholds, ProjectState, QuotaChanges } from './quota.ts';

/** A project with its own limits. */
export interface LimitedProject extends ProjectState {
  readonly projectId: string;
}

export interface ProjectReads {
  /** A project's stored usage and its own limits. */
  state(projectId: string): Promise<ProjectState>;
  /** All projects with their own limits, ordered by id, in batches. */
  limited(): AsyncIterable<readonly LimitedProject[]>;
}

/** The growth of a project; negative if it shrinks. */
export interface ProjectGrowth {
  readonly zones?: number;
  readonly recordsets?: number;
}

export interface ProjectWrites {
  /** The state of a project, locked until the transaction ends. */
  lock(projectId: string): Promise<ProjectState>;
  /** Locks, as `lock` does, the projects that no other transaction has locked. Never waits. */
  lockFree(projectIds: readonly string[]): Promise<ReadonlyMap<string, ProjectState>>;
  /** Adds to the project's counters. */
  grow(projectId: string, by: ProjectGrowth): void;
  /** Adds to the zone counters of several locked projects. */
  growTogether(zones: ReadonlyMap<string, number>): void;
  /** Stores the notified thresholds for the number of zones. */
  setNotified(projectId: string, notified: NotifiedThresholds): void;
  setQuotas(projectId: string, changes: QuotaChanges): Promise<ProjectState>;
}
