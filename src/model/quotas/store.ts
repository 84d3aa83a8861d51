import type { ProjectState, QuotaChanges } from './quota.ts';
import type { Told } from './told.ts';

/** A project with limits of its own. */
export interface LimitedProject extends ProjectState {
  readonly projectId: string;
}

export interface ProjectReads {
  /** The stored state of a project: its usage and its own limits. */
  state(projectId: string): Promise<ProjectState>;
  /** Every project with limits of its own, in the order of their ids, in batches. */
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
  /** Those of the projects that no other transaction has locked, locked as by `lock`. It never waits. */
  lockFree(projectIds: readonly string[]): Promise<ReadonlyMap<string, ProjectState>>;
  /** Adds to the project's counters. */
  grow(projectId: string, by: ProjectGrowth): void;
  /** Adds zones to the counters of several projects, which are locked. */
  growTogether(zones: ReadonlyMap<string, number>): void;
  /** Keeps what the project was told of the limit of its zones. */
  setTold(projectId: string, told: Told): void;
  setQuotas(projectId: string, changes: QuotaChanges): Promise<ProjectState>;
}
