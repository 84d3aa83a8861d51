import type { Scope } from '../access/scope.ts';
import type { Lists } from '../lists.ts';
import type { ZoneTask, ZoneTaskQuery } from './zone-task.ts';

/** Tasks of one kind. */
export interface ZoneTasksWithin {
  readonly kind: ZoneTask['kind'];
  readonly scope: Scope;
}

export interface ZoneTaskReads extends Lists<ZoneTask, ZoneTaskQuery, ZoneTasksWithin> {
  find(id: string, within: ZoneTasksWithin): Promise<ZoneTask | undefined>;
}

export interface ZoneTaskWrites {
  insert(task: ZoneTask): void;
  /** Removes the oldest of a project beyond the given number. */
  keepNewest(kind: ZoneTask['kind'], projectId: string, count: number): void;
  /** False when there is no such task. */
  remove(id: string, within: ZoneTasksWithin): Promise<boolean>;
}
