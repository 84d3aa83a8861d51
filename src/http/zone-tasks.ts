import { ZONE_TASK_FILTERS, ZONE_TASK_SORT_KEYS, type ZoneTask } from '../domain/tasks/zone-task.ts';
import type { TaskRules, zoneTaskUseCases } from '../domain/tasks/zone-tasks.ts';
import { listRoute } from './list.ts';
import type { PageLimits } from './list-query.ts';
import { actingProject, type Route, route } from './route.ts';

/** The record of an import or an export as clients see it, without its links. */
export function taskToWire(task: ZoneTask) {
  return {
    id: task.id,
    status: task.status,
    message: task.message,
    zone_id: task.zoneId,
    project_id: task.projectId,
    version: task.version,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
  };
}

interface TaskPaths {
  /** The key of the list, which is also the last part of its path. */
  readonly key: 'imports' | 'exports';
  /** The parameter of the path of one of them. */
  readonly id: string;
  readonly rules: TaskRules;
  toWire(task: ZoneTask, base: string): object;
}

/** The list of the records, one of them, and its deletion. */
export function zoneTaskRoutes(
  tasks: ReturnType<typeof zoneTaskUseCases>,
  { key, id, rules, toWire }: TaskPaths,
  limits: PageLimits,
): Route[] {
  const path = `/v2/zones/tasks/${key}`;
  return [
    listRoute(
      {
        path,
        rule: rules.list,
        key,
        sortKeys: ZONE_TASK_SORT_KEYS,
        filters: ZONE_TASK_FILTERS,
        toWire,
        list: (act, query) => tasks.list(act, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: `${path}/{${id}}`,
      guard: actingProject(rules.get),
      handle: async ({ params, act, base }) => ({
        status: 200,
        body: toWire(await tasks.get(act, params[id]!), base),
      }),
    }),
    route({
      method: 'DELETE',
      path: `${path}/{${id}}`,
      guard: actingProject(rules.remove),
      async handle({ params, act }) {
        await tasks.remove(act, params[id]!);
        return { status: 204 };
      },
    }),
  ];
}
