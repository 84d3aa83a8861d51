import { randomUUID } from 'node:crypto';
import type { Scope } from '../access/scope.ts';
import type { Clock } from '../clock.ts';
import { DomainError } from '../errors.ts';
import { HISTORY_KEPT, type Page } from '../lists.ts';
import type { Store, Transaction } from '../store.ts';
import type { Zone } from '../zones/zone.ts';
import type { ZoneTask, ZoneTaskQuery } from './zone-task.ts';

/** The record of a task about a zone, done as soon as it is committed. */
export function completedTask(
  kind: ZoneTask['kind'],
  zone: Zone,
  message: string | null,
  clock: Clock,
): ZoneTask {
  return {
    id: randomUUID(),
    kind,
    projectId: zone.projectId,
    zoneId: zone.id,
    status: 'COMPLETE',
    message,
    version: 1,
    createdAt: clock.now(),
    updatedAt: null,
  };
}

/** Keeps a new record, and of the project's others of its kind the newest, so that they do not grow without end. */
export async function keepTask(tx: Transaction, task: ZoneTask): Promise<void> {
  await tx.zoneTasks.insert(task);
  await tx.zoneTasks.keepNewest(task.kind, task.projectId, HISTORY_KEPT);
}

/** What can be done with the records of either kind of task. */
export function zoneTaskUseCases(store: Store, kind: ZoneTask['kind']) {
  const missing = () =>
    new DomainError(kind === 'import' ? 'zone_import_not_found' : 'zone_export_not_found');
  return {
    async get(id: string, scope: Scope): Promise<ZoneTask> {
      const task = await store.zoneTasks.find(kind, id, scope);
      if (task === undefined) throw missing();
      return task;
    },

    list(query: ZoneTaskQuery, scope: Scope): Promise<Page<ZoneTask>> {
      return store.zoneTasks.list(kind, query, scope);
    },

    async remove(id: string, scope: Scope): Promise<void> {
      if (!(await store.transaction((tx) => tx.zoneTasks.remove(kind, id, scope)))) throw missing();
    },
  };
}
