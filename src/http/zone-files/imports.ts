import type { Imported, ImportUseCases } from '../../domain/zone-files/imports.ts';
import type { ZoneTask } from '../../model/tasks/zone-task.ts';
import { EdgeError } from '../edge/errors.ts';
import { type ResponseBody, responseSchema } from '../edge/response-schema.ts';
import { OF_BLACKLISTS, responsesCreated } from '../edge/responses.ts';
import { created, type Route, replyCreated, route } from '../edge/route.ts';
import type { PageLimits } from '../lists/list-query.ts';
import { TASK, taskToWire, zoneTaskRoutes } from '../zone-tasks.ts';
import { ZONE_CREATION_REFUSALS } from '../zones/zones.ts';
import { type ZoneFileSizes, zoneFileBody } from './zone-file-body.ts';

const shown = responseSchema.titled(
  'ZoneImport',
  responseSchema.object({
    ...TASK,
    links: responseSchema.object({ self: responseSchema.link, zone: responseSchema.link }),
  }),
);

function toWire(task: ZoneTask, base: string): ResponseBody<typeof shown> {
  const self = `${base}/v2/zones/tasks/imports/${task.id}`;
  return { ...taskToWire(task), links: { self, zone: `${base}/v2/zones/${task.zoneId}` } };
}

const RULES = { list: 'find_zone_imports', get: 'get_zone_import', remove: 'delete_zone_import' } as const;

const STRICT = {
  type: 'boolean',
  description:
    'Reject records outside the zone and records of DNSSEC signers. By default they are skipped and listed in the message.',
} as const;

/** @throws EdgeError `bad_request` */
function readStrict(parameters: URLSearchParams): boolean {
  const [text = 'false', ...others] = parameters.getAll('strict');
  if (others.length === 0 && (text === 'true' || text === 'false')) return text === 'true';
  throw new EdgeError('bad_request', 'The parameter strict must be "true" or "false", given once.');
}

/** The operations on zone file imports. */
export function importRoutes(imports: ImportUseCases, limits: PageLimits, sizes: ZoneFileSizes): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v2/zones/tasks/imports',
      guard: { rule: 'create_zone_import', about: 'acting project' },
      scopedReach: 'whole zones',
      query: { parameters: { strict: STRICT }, read: readStrict },
      body: zoneFileBody(sizes),
      responses: responsesCreated(202, shown, OF_BLACKLISTS),
      refusals: [...ZONE_CREATION_REFUSALS, 'invalid_recordset_location', 'blacklisted_recordset'],
      async handle(request) {
        const { base, query: isStrict } = request;
        const { text, attributes } = await request.body;
        return replyCreated(
          request,
          (options) => imports.create(request.context, text, { attributes, isStrict, ...options }),
          (made: Imported) => created(202, toWire(made.task, base), made),
        );
      },
    }),
    ...zoneTaskRoutes(
      imports,
      { key: 'imports', id: 'zone_import_id', rules: RULES, sends: shown, toWire },
      limits,
    ),
  ];
}
