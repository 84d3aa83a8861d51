import type { Scope } from '../acts/scope.ts';
import type { Page } from '../lists.ts';
import type { ZoneTask, ZoneTaskQuery } from './zone-task.ts';

export interface ZoneTaskReads {
  find(kind: ZoneTask['kind'], id: string, scope: Scope): Promise<ZoneTask | undefined>;
  /** Throws `marker_not_found`. */
  list(kind: ZoneTask['kind'], query: ZoneTaskQuery, scope: Scope): Promise<Page<ZoneTask>>;
}

export interface ZoneTaskWrites {
  insert(task: ZoneTask): void;
  /** Removes the oldest of a project, beyond so many. */
  keepNewest(kind: ZoneTask['kind'], projectId: string, count: number): void;
  /** False when there is no such task. */
  remove(kind: ZoneTask['kind'], id: string, scope: Scope): Promise<boolean>;
}
