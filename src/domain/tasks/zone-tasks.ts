import { randomUUID } from 'node:crypto';
import type { RuleName } from '../../model/access/rule-name.ts';
import type { Clock } from '../../model/clock.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Target } from '../../model/event-types/event.ts';
import { HISTORY_KEPT, type Page } from '../../model/lists.ts';
import type { Transaction } from '../../model/store.ts';
import type { ZoneTask, ZoneTaskQuery } from '../../model/tasks/zone-task.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';

/** The task of an import or export, which is complete once it is committed. */
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

/** Stores a new task and deletes the project's oldest ones of that kind, so that their number stays bounded. */
export function keepTask(tx: Transaction, task: ZoneTask): void {
  tx.zoneTasks.insert(task);
  tx.zoneTasks.keepNewest(task.kind, task.projectId, HISTORY_KEPT);
}

/** The rules that guard the tasks of one kind. */
export interface TaskRules {
  readonly list: RuleName;
  readonly get: RuleName;
  readonly remove: RuleName;
}

/**
 * Finds a task within the scope of the request, if the policy allows the rule.
 * @throws DomainError `zone_import_not_found`, `zone_export_not_found` or `access_denied`
 */
export async function getTask(
  { store, access }: Pick<UseCaseDeps, 'store' | 'access'>,
  kind: ZoneTask['kind'],
  context: RequestContext,
  rule: RuleName,
  id: string,
): Promise<ZoneTask> {
  const task = await store.zoneTasks.find(id, { kind, scope: context.scope });
  if (task === undefined) throw missing(kind);
  access.require(context, rule, { projectId: task.projectId });
  return task;
}

function missing(kind: ZoneTask['kind']): DomainError {
  return new DomainError(kind === 'import' ? 'zone_import_not_found' : 'zone_export_not_found');
}

/** A task as an event target. */
export function taskTarget({ kind, id, projectId }: ZoneTask): Target {
  return { kind, id, projectId };
}

/** The use cases of the tasks of one kind. */
export function zoneTaskUseCases(deps: UseCaseDeps, kind: ZoneTask['kind'], rules: TaskRules) {
  const { store, access, unitOfWork } = deps;
  return {
    get: (context: RequestContext, id: string): Promise<ZoneTask> =>
      getTask(deps, kind, context, rules.get, id),

    async list(context: RequestContext, query: ZoneTaskQuery): Promise<Page<ZoneTask>> {
      access.require(context, rules.list, { projectId: context.projectId });
      return store.zoneTasks.list(query, { kind, scope: context.scope }, context.caller.projectId);
    },

    async remove(context: RequestContext, id: string): Promise<void> {
      const before = await getTask(deps, kind, context, rules.remove, id);
      await unitOfWork.commit(context, async (tx, emit) => {
        if (!(await tx.zoneTasks.remove(id, { kind, scope: context.scope }))) throw missing(kind);
        emit({ type: `${kind}.deleted`, target: taskTarget(before), before });
      });
    },
  };
}
