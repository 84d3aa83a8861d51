import type { BlacklistListUseCases } from '../domain/blacklist-lists/blacklist-lists.ts';
import type { StagedImportUseCases } from '../domain/blacklist-lists/staged-imports.ts';
import { TERM_MEMBERS, termsGiven } from '../domain/blacklists/term-shapes.ts';
import { object, refined } from '../domain/shapes/shape.ts';
import type { BlacklistList } from '../model/blacklist-lists/blacklist-list.ts';
import { type Forecast, LIST_TASK_KINDS, type ListTask } from '../model/blacklist-lists/list-task.ts';
import { importQuery, incomingOf, patternFileBody } from './blacklists/pattern-file-body.ts';
import { jsonBody } from './edge/body.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesCreated, responsesWith } from './edge/responses.ts';
import { actingProject, created, type Route, replyCreated, route } from './edge/route.ts';

const PATH = '/v2/blacklists';
const ONE = `${PATH}/lists/{list_name}`;

const count = responseSchema.integer({ minimum: 0 });
const LIST = {
  name: responseSchema.text({ examples: ['brands'] }),
  entries: count,
  sha256: responseSchema.nullable(responseSchema.text()),
  event_id: responseSchema.id,
  created_at: responseSchema.time,
  updated_at: responseSchema.nullable(responseSchema.time),
  links: responseSchema.object({ self: responseSchema.link }),
};
const shownList = responseSchema.titled('BlacklistList', responseSchema.object(LIST));
const changedList = responseSchema.titled(
  'ChangedBlacklistList',
  responseSchema.object({ ...LIST, changed: count }),
);
const allLists = responseSchema.titled(
  'BlacklistLists',
  responseSchema.object({
    lists: responseSchema.list(shownList),
    links: responseSchema.object({ self: responseSchema.link }),
  }),
);
const patterns = responseSchema.list(responseSchema.text({ examples: ['(^|\\.)example\\.(com|net)\\.$'] }));
const faultMessage = responseSchema.text({ examples: ['Must not be empty.'] });
const shownTask = responseSchema.titled(
  'BlacklistImport',
  responseSchema.object(
    {
      id: responseSchema.id,
      kind: responseSchema.choice(LIST_TASK_KINDS),
      list: responseSchema.nullable(LIST.name),
      status: responseSchema.choice(['ACTIVE', 'COMPLETE', 'ERROR']),
      message: responseSchema.nullable(responseSchema.text()),
      lines: count,
      added: count,
      present: count,
      removed: count,
      faults: responseSchema.list(
        responseSchema.object({ line: responseSchema.nullable(count), message: faultMessage }),
      ),
      fault_count: count,
      sha256: responseSchema.nullable(responseSchema.text()),
      revision: responseSchema.nullable(count),
      event_id: responseSchema.nullable(responseSchema.id),
      created_at: responseSchema.time,
      updated_at: responseSchema.nullable(responseSchema.time),
      links: responseSchema.object({ self: responseSchema.link }),
    },
    {
      forecast: responseSchema.object({
        coming: patterns,
        going: patterns,
        zones: responseSchema.list(responseSchema.text({ examples: ['example.org.'] })),
        zone_count: count,
      }),
    },
  ),
);

function forecastToWire({ coming, going, zones, zoneCount }: Forecast) {
  return { coming, going, zones, zone_count: zoneCount };
}

function listToWire(list: BlacklistList, base: string): ResponseBody<typeof shownList> {
  return {
    name: list.name,
    entries: list.entries,
    sha256: list.sha256 || null,
    event_id: list.eventId,
    created_at: list.createdAt,
    updated_at: list.updatedAt,
    links: { self: `${base}${PATH}/lists/${list.name}` },
  };
}

function taskToWire(task: ListTask, base: string): ResponseBody<typeof shownTask> {
  return {
    id: task.id,
    kind: task.kind,
    list: task.list || null,
    status: task.status,
    message: task.message,
    lines: task.lines,
    added: task.added,
    present: task.present,
    removed: task.removed,
    faults: task.faults.map(({ path, message }) => ({
      line: typeof path[1] === 'number' ? path[1] : null,
      message,
    })),
    fault_count: task.faultCount,
    sha256: task.sha256 || null,
    revision: task.revision || null,
    event_id: task.eventId || null,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    links: { self: `${base}${PATH}/imports/${task.id}` },
    ...(task.forecast === null ? {} : { forecast: forecastToWire(task.forecast) }),
  };
}

const changeBody = jsonBody(
  refined(object({}, { mode: TERM_MEMBERS.mode, expires_at: TERM_MEMBERS.expires_at }), (given, faults) =>
    Object.keys(given).length > 0 ? termsGiven(given) : faults.add('Set "mode", "expires_at", or both.'),
  ),
);

/** Operations on named lists, and file imports. */
export function blacklistListRoutes(
  lists: BlacklistListUseCases,
  imports: StagedImportUseCases,
  maxSize: number,
): Route[] {
  return [
    route({
      method: 'POST',
      path: `${PATH}/import`,
      guard: actingProject('import_blacklists'),
      query: importQuery,
      body: patternFileBody(maxSize),
      responses: responsesCreated(202, shownTask),
      refusals: ['lists_busy'],
      handle: (request) =>
        replyCreated(
          request,
          (options) =>
            imports.importFile(
              request.context,
              incomingOf(request.query, request.body),
              request.query.isDryRun,
              options,
            ),
          (task: ListTask) => created(202, taskToWire(task, request.base)),
        ),
    }),
    route({
      method: 'GET',
      path: `${PATH}/imports/{import_id}`,
      guard: actingProject('get_blacklist_import'),
      responses: responsesWith(200, shownTask),
      handle: async ({ context, params, base }) => ({
        status: 200,
        body: taskToWire(await imports.get(context, params.import_id!), base),
      }),
    }),
    route({
      method: 'GET',
      path: `${PATH}/lists`,
      guard: actingProject('find_blacklist_lists'),
      responses: responsesWith(200, allLists),
      handle: async ({ context, base }) => ({
        status: 200,
        body: {
          lists: (await lists.all(context)).map((list) => listToWire(list, base)),
          links: { self: `${base}${PATH}/lists` },
        },
      }),
    }),
    route({
      method: 'GET',
      path: ONE,
      guard: actingProject('get_blacklist_list'),
      responses: responsesWith(200, shownList),
      handle: async ({ context, params, base }) => ({
        status: 200,
        body: listToWire(await lists.get(context, params.list_name!), base),
      }),
    }),
    route({
      method: 'PATCH',
      path: ONE,
      guard: actingProject('update_blacklist_list'),
      body: changeBody,
      responses: responsesWith(200, changedList),
      refusals: ['lists_busy'],
      async handle({ context, params, body, base }) {
        const { list, changed } = await lists.setTerms(context, params.list_name!, body, false);
        return { status: 200, body: { ...listToWire(list, base), changed } };
      },
    }),
    route({
      method: 'DELETE',
      path: ONE,
      guard: actingProject('delete_blacklist_list'),
      responses: responsesCreated(202, shownTask),
      refusals: ['lists_busy'],
      handle: async ({ context, params, base }) =>
        created(202, taskToWire(await imports.removeList(context, params.list_name!), base)),
    }),
  ];
}
