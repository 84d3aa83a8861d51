import type { ProjectState, QuotaChanges } from './quota.ts';

export interface ProjectReads {
  /** What is stored of a project: its usage, and the limits that were set for it. */
  state(projectId: string): Promise<ProjectState>;
}

/** What a project gains; negative where it loses. */
export interface ProjectGrowth {
  readonly zones?: number;
  readonly recordsets?: number;
}

export interface ProjectWrites {
  /** The state of a project, which nobody else changes before this transaction ends. */
  lock(projectId: string): Promise<ProjectState>;
  /** Adds to the project's counters. */
  grow(projectId: string, by: ProjectGrowth): void;
  setQuotas(projectId: string, changes: QuotaChanges): Promise<ProjectState>;
  resetQuotas(projectId: string): void;
}
