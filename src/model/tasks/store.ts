import type { Scope } from '../access/scope.ts';
import type { Lists } from '../lists.ts';
import type { ZoneTask, ZoneTaskQuery } from './zone-task.ts';

/** The visible tasks of one kind. */
export interface ZoneTasksWithin {
  readonly kind: ZoneTask['kind'];
  readonly scope: Scope;
}

export interface ZoneTaskReads extends Lists<ZoneTask, ZoneTaskQuery, ZoneTasksWithin> {
  find(id: string, within: ZoneTasksWithin): Promise<ZoneTask | undefined>;
}

export interface ZoneTaskWrites {
  insert(task: ZoneTask): void;
  /** Removes a project's oldest tasks beyond `count`. */
  keepNewest(kind: ZoneTask['kind'], projectId: string, count: number): void;
  /** Returns false if there is no such task. */
  remove(id: string, within: ZoneTasksWithin): Promise<boolean>;
}
