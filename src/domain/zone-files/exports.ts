import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { ZoneTask } from '../../model/tasks/zone-task.ts';
import { completedTask, getTask, keepTask, taskTarget, zoneTaskUseCases } from '../tasks/zone-tasks.ts';
import { getZone, lockZone } from '../zones/visible-zone.ts';
import { inFile, zoneFileText } from './zone-file-text.ts';
import { type ZoneStateDeps, zoneStates } from './zone-states.ts';

const RULES = { list: 'find_zone_exports', get: 'get_zone_export', remove: 'delete_zone_export' } as const;

/** The use cases of exports. An export is rendered when it is fetched, from the current state of the zone. */
export function exportUseCases(deps: ZoneStateDeps) {
  const { store, clock, access, unitOfWork } = deps;
  const { read, requireSize } = zoneStates(deps);

  return {
    ...zoneTaskUseCases(deps, 'export', RULES),

    create(
      context: RequestContext,
      zoneId: string,
      options: CreateOptions<ZoneTask> = {},
    ): Promise<ZoneTask> {
      return unitOfWork.attempt(context, { kind: 'zone', id: zoneId }, async () => {
        await requireSize(await getZone(store, access, context, 'create_zone_export', zoneId));
        return unitOfWork.commit(
          context,
          async (tx, emit) => {
            const zone = await lockZone(tx, access, context, 'create_zone_export', zoneId);
            const task = completedTask('export', zone, null, clock);
            keepTask(tx, task);
            emit({ type: 'export.created', target: taskTarget(task), after: task });
            return task;
          },
          options,
        );
      });
    },

    /** Streams the zone file: one consistent state of the zone, despite concurrent changes. */
    async content(context: RequestContext, id: string): Promise<AsyncIterable<string>> {
      const { zoneId } = await getTask(deps, 'export', context, 'zone_export', id);
      return zoneFileText(await read(context, zoneId, inFile), context.projectId);
    },
  };
}

export type ExportUseCases = ReturnType<typeof exportUseCases>;
