import { MAX_PATTERN } from '../domain/blacklists/pattern-file.ts';
import type { PreviewDraft, PreviewUseCases } from '../domain/previews/previews.ts';
import { choice, isObject, object, parsed, type Shape, text } from '../domain/shapes/shape.ts';
import { MODES } from '../model/blacklists/blacklist.ts';
import { later } from '../model/clock.ts';
import {
  KEPT_MS,
  PREVIEW_ZONE_FILTERS,
  PREVIEW_ZONE_SORT_KEYS,
  type Preview,
  type PreviewZone,
} from '../model/previews/preview.ts';
import { textFault } from '../model/text.ts';
import { jsonBody } from './edge/body.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesCreated, responsesNothing, responsesWith } from './edge/responses.ts';
import { actingProject, created, type Route, replyCreated, route } from './edge/route.ts';
import { parseUuid } from './edge/uuid.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';

const PATH = '/v2/blacklists/previews';

const pattern = text((given) => textFault(given, { min: 1, max: MAX_PATTERN }), {
  minLength: 1,
  maxLength: MAX_PATTERN,
  description: "A regular expression in Python's re syntax. The preview reports its errors.",
});
const mode = choice(MODES, `Must be one of: ${MODES.join(', ')}.`);
const blacklistId = parsed(parseUuid, { format: 'uuid', description: 'Entry that the pattern belongs to.' });

const ofEntry = object({ blacklist_id: blacklistId }, {});
const ofPattern = object({ pattern }, { mode });

/** Either a pattern with its mode, or the ID of an entry. */
const draft: Shape<PreviewDraft> = {
  schema: {
    ...object({}, { pattern, mode, blacklist_id: blacklistId }).schema,
    examples: [{ pattern: String.raw`^(.+\.)?shop\.example\.$`, mode: 'warn' }],
  },
  read(given, faults) {
    if (!isObject(given) || given.blacklist_id === undefined) return ofPattern.read(given, faults);
    const read = ofEntry.read(given, faults);
    return read && { blacklistId: read.blacklist_id };
  },
};

const count = responseSchema.integer({ minimum: 0 });
const shown = responseSchema.titled(
  'Preview',
  responseSchema.object({
    id: responseSchema.id,
    status: responseSchema.choice(['PENDING', 'RUNNING', 'COMPLETE', 'ERROR', 'CANCELLED']),
    message: responseSchema.nullable(responseSchema.text()),
    pattern: responseSchema.text({ examples: ['(^|\\.)example\\.(com|net)\\.$'] }),
    mode: responseSchema.choice(MODES),
    blacklist_id: responseSchema.nullable(responseSchema.id),
    project_id: responseSchema.projectId,
    faults: responseSchema.list(responseSchema.text({ examples: ['Must not be empty.'] })),
    warnings: responseSchema.list(
      responseSchema.object({
        code: responseSchema.text({ examples: ['no_final_dot'] }),
        message: responseSchema.text({
          examples: ['Zone names end in a dot, but this pattern ends before it: write \\.$ at the end.'],
        }),
      }),
    ),
    zones: responseSchema.object({
      total: count,
      seen: count,
      matched: count,
      undecided: count,
      listed: count,
    }),
    created_at: responseSchema.time,
    updated_at: responseSchema.nullable(responseSchema.time),
    ended_at: responseSchema.nullable(responseSchema.time),
    expires_at: responseSchema.nullable(responseSchema.time),
    links: responseSchema.object({ self: responseSchema.link, zones: responseSchema.link }),
  }),
);
const shownZone = responseSchema.titled(
  'PreviewZone',
  responseSchema.object({
    id: responseSchema.id,
    name: responseSchema.text({ examples: ['example.org.'] }),
    project_id: responseSchema.projectId,
    undecided: responseSchema.flag,
    links: responseSchema.object({ self: responseSchema.link }),
  }),
);

function toWire(preview: Preview, base: string): ResponseBody<typeof shown> {
  const { id, status, faults, warnings, total, seen, matched, undecided, kept, endedAt } = preview;
  const self = `${base}${PATH}/${id}`;
  return {
    id,
    status,
    message: preview.message,
    pattern: preview.pattern,
    mode: preview.mode,
    blacklist_id: preview.blacklistId,
    project_id: preview.projectId,
    faults,
    warnings,
    zones: { total, seen, matched, undecided, listed: kept },
    created_at: preview.createdAt,
    updated_at: preview.updatedAt,
    ended_at: endedAt,
    expires_at: endedAt === null ? null : later(endedAt, KEPT_MS),
    links: { self, zones: `${self}/zones` },
  };
}

function zoneToWire({ id, name, projectId, isUndecided }: PreviewZone, base: string) {
  const links = { self: `${base}/v2/zones/${id}` };
  return { id, name, project_id: projectId, undecided: isUndecided, links };
}

/** Previews of the existing zones that a pattern would match. */
export function previewRoutes(previews: PreviewUseCases, limits: PageLimits): Route[] {
  return [
    route({
      method: 'POST',
      path: PATH,
      guard: actingProject('check_blacklists'),
      operationId: 'createPreview',
      body: jsonBody(draft),
      responses: responsesCreated(202, shown),
      refusals: ['preview_running', 'blacklist_not_found'],
      handle: (request) =>
        replyCreated(
          request,
          (options) => previews.create(request.context, request.body, options),
          (preview: Preview) => created(202, toWire(preview, request.base)),
        ),
    }),
    route({
      method: 'GET',
      path: `${PATH}/{preview_id}`,
      guard: actingProject('check_blacklists'),
      operationId: 'getPreview',
      responses: responsesWith(200, shown),
      handle: async ({ context, params, base }) => ({
        status: 200,
        body: toWire(await previews.get(context, params.preview_id!), base),
      }),
    }),
    listRoute(
      {
        path: `${PATH}/{preview_id}/zones`,
        rule: 'check_blacklists',
        key: 'zones',
        sortKeys: PREVIEW_ZONE_SORT_KEYS,
        filters: PREVIEW_ZONE_FILTERS,
        operationId: 'listPreviewZones',
        sends: shownZone,
        toWire: zoneToWire,
        list: (context, query, params) => previews.zones(context, params.preview_id!, query),
      },
      limits,
    ),
    route({
      method: 'DELETE',
      path: `${PATH}/{preview_id}`,
      guard: actingProject('check_blacklists'),
      operationId: 'deletePreview',
      responses: responsesNothing(204),
      async handle({ context, params }) {
        await previews.remove(context, params.preview_id!);
        return { status: 204 };
      },
    }),
  ];
}
