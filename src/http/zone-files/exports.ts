import type { ExportUseCases } from '../../domain/zone-files/exports.ts';
import type { ZoneTask } from '../../model/tasks/zone-task.ts';
import { type ResponseBody, responseSchema } from '../edge/response-schema.ts';
import { responsesCreated, responsesText } from '../edge/responses.ts';
import { created, type Route, replyCreated, route } from '../edge/route.ts';
import type { PageLimits } from '../lists/list-query.ts';
import { TASK, taskToWire, zoneTaskRoutes } from '../zone-tasks.ts';

const COLLECTION = '/v2/zones/tasks/exports';

const LOCATION = {
  examples: ['designate://v2/zones/tasks/exports/a86dba58-0043-4cc6-a1bb-69d5e86f3ca3/export'],
};
const shown = responseSchema.titled(
  'ZoneExport',
  responseSchema.object({
    ...TASK,
    location: responseSchema.nullable(responseSchema.text(LOCATION)),
    links: responseSchema.object({ self: responseSchema.link }, { export: responseSchema.link }),
  }),
);

function toWire(task: ZoneTask, base: string): ResponseBody<typeof shown> {
  const self = `${base}${COLLECTION}/${task.id}`;
  return {
    ...taskToWire(task),
    // Designate's location for exports that it serves itself.
    location: `designate:/${COLLECTION}/${task.id}/export`,
    links: { self, export: `${self}/export` },
  };
}

/** The response to a create. As in Designate, clients learn the location of the file on a later read. */
function createdToWire(task: ZoneTask, base: string): ResponseBody<typeof shown> {
  const links = { self: `${base}${COLLECTION}/${task.id}` };
  return { ...taskToWire(task), status: 'PENDING', location: null, links };
}

const RULES = { list: 'find_zone_exports', get: 'get_zone_export', remove: 'delete_zone_export' } as const;

/** The operations on zone exports. */
export function exportRoutes(exports: ExportUseCases, limits: PageLimits): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v2/zones/{zone_id}/tasks/export',
      guard: { rule: 'create_zone_export', about: 'acting project' },
      scopedReach: 'whole zones',
      responses: responsesCreated(202, shown),
      refusals: ['over_quota'],
      handle: (request) =>
        replyCreated(
          request,
          (options) => exports.create(request.context, request.params.zone_id!, options),
          (task: ZoneTask) => created(202, createdToWire(task, request.base)),
        ),
    }),
    route({
      method: 'GET',
      path: `${COLLECTION}/{zone_export_id}/export`,
      guard: { rule: 'zone_export', about: 'acting project' },
      scopedReach: 'whole zones',
      operationId: 'readZoneExport',
      refusals: ['zone_not_found'],
      responses: responsesText('text/dns', {
        description: 'A zone file.',
        examples: ['$ORIGIN example.org.\n$TTL 3600\n\nwww.example.org.  IN A 192.0.2.1\n'],
      }),
      isLarge: true,
      handle: async ({ params, context }) => ({
        status: 200,
        body: await exports.content(context, params.zone_export_id!),
      }),
    }),
    ...zoneTaskRoutes(
      exports,
      { key: 'exports', id: 'zone_export_id', rules: RULES, sends: shown, toWire },
      limits,
    ),
  ];
}
