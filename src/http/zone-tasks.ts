import type { TaskRules, zoneTaskUseCases } from '../domain/tasks/zone-tasks.ts';
import { ZONE_TASK_FILTERS, ZONE_TASK_SORT_KEYS, type ZoneTask } from '../model/tasks/zone-task.ts';
import { type ResponseBody, type ResponseSchema, responseSchema } from './edge/response-schema.ts';
import { responsesNothing, responsesWith } from './edge/responses.ts';
import { actingProject, type Route, route } from './edge/route.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';

/** An import or export record in wire format, without its links. */
export const TASK = {
  id: responseSchema.id,
  status: responseSchema.choice(['COMPLETE', 'PENDING']),
  message: responseSchema.nullable(responseSchema.text()),
  zone_id: responseSchema.id,
  project_id: responseSchema.projectId,
  version: responseSchema.integer({ minimum: 1 }),
  created_at: responseSchema.time,
  updated_at: responseSchema.nullable(responseSchema.time),
};

const shownTask = responseSchema.object(TASK);

export function taskToWire(task: ZoneTask): ResponseBody<typeof shownTask> {
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

interface TaskPaths<Wire extends object> {
  /** The key of the list, and the last segment of its path. */
  readonly key: 'imports' | 'exports';
  /** The path parameter of a single record. */
  readonly id: string;
  readonly rules: TaskRules;
  readonly sends: ResponseSchema<Wire>;
  toWire(task: ZoneTask, base: string): NoInfer<Wire>;
}

/** Operations that list, show and delete the records. */
export function zoneTaskRoutes<Wire extends object>(
  tasks: ReturnType<typeof zoneTaskUseCases>,
  { key, id, rules, sends, toWire }: TaskPaths<Wire>,
  limits: PageLimits,
): Route[] {
  const path = `/v2/zones/tasks/${key}`;
  return [
    listRoute(
      {
        path,
        rule: rules.list,
        scopedReach: 'whole zones',
        key,
        sortKeys: ZONE_TASK_SORT_KEYS,
        filters: ZONE_TASK_FILTERS,
        sends,
        toWire,
        list: (context, query) => tasks.list(context, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: `${path}/{${id}}`,
      guard: actingProject(rules.get),
      scopedReach: 'whole zones',
      responses: responsesWith(200, sends),
      handle: async ({ params, context, base }) => ({
        status: 200,
        body: toWire(await tasks.get(context, params[id]!), base),
      }),
    }),
    route({
      method: 'DELETE',
      path: `${path}/{${id}}`,
      guard: actingProject(rules.remove),
      scopedReach: 'whole zones',
      responses: responsesNothing(204),
      async handle({ params, context }) {
        await tasks.remove(context, params[id]!);
        return { status: 204 };
      },
    }),
  ];
}
