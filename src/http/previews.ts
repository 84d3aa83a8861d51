import { MODES } from '../domain/blacklists/blacklist.ts';
import { MOST_PATTERN } from '../domain/blacklists/pattern-file.ts';
import { later } from '../domain/clock.ts';
import {
  KEPT_MS,
  PREVIEW_ZONE_FILTERS,
  PREVIEW_ZONE_SORT_KEYS,
  type Preview,
  type PreviewZone,
} from '../domain/previews/preview.ts';
import type { PreviewDraft, PreviewUseCases } from '../domain/previews/previews.ts';
import { choice, isObject, object, parsed, type Shape, text } from '../domain/shapes/shape.ts';
import { textFault } from '../domain/text.ts';
import { jsonBody } from './body.ts';
import { listRoute } from './list.ts';
import type { PageLimits } from './list-query.ts';
import { actingProject, created, type Route, replyCreated, route } from './route.ts';
import { parseUuid } from './uuid.ts';

const PATH = '/v2/blacklists/previews';

const pattern = text((given) => textFault(given, { min: 1, max: MOST_PATTERN }), {
  minLength: 1,
  maxLength: MOST_PATTERN,
  description:
    "A regular expression in the dialect of Python's re. What is wrong with it is told in the preview.",
});
const mode = choice(MODES, `Write one of ${MODES.join(', ')}.`);
const blacklistId = parsed(parseUuid, { format: 'uuid', description: 'The entry whose pattern it is.' });

const ofEntry = object({ blacklist_id: blacklistId }, {});
const ofPattern = object({ pattern }, { mode });

/** Either a pattern with its mode, or the id of an entry. */
const draft: Shape<PreviewDraft> = {
  schema: object({}, { pattern, mode, blacklist_id: blacklistId }).schema,
  read(given, faults) {
    if (!isObject(given) || given.blacklist_id === undefined) return ofPattern.read(given, faults);
    const read = ofEntry.read(given, faults);
    return read && { blacklistId: read.blacklist_id };
  },
};

function toWire(preview: Preview, base: string) {
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

/** What a pattern would have hit: a search through the existing zones. */
export function previewRoutes(previews: PreviewUseCases, limits: PageLimits): Route[] {
  return [
    route({
      method: 'POST',
      path: PATH,
      guard: actingProject('check_blacklists'),
      body: jsonBody(draft),
      handle: (request) =>
        replyCreated(
          request,
          (act) => previews.create(act, request.body),
          (preview: Preview) => created(202, toWire(preview, request.base)),
        ),
    }),
    route({
      method: 'GET',
      path: `${PATH}/{preview_id}`,
      guard: actingProject('check_blacklists'),
      handle: async ({ act, params, base }) => ({
        status: 200,
        body: toWire(await previews.get(act, params.preview_id!), base),
      }),
    }),
    listRoute(
      {
        path: `${PATH}/{preview_id}/zones`,
        rule: 'check_blacklists',
        key: 'zones',
        sortKeys: PREVIEW_ZONE_SORT_KEYS,
        filters: PREVIEW_ZONE_FILTERS,
        toWire: zoneToWire,
        list: (act, query, params) => previews.zones(act, params.preview_id!, query),
      },
      limits,
    ),
    route({
      method: 'DELETE',
      path: `${PATH}/{preview_id}`,
      guard: actingProject('check_blacklists'),
      async handle({ act, params }) {
        await previews.remove(act, params.preview_id!);
        return { status: 204 };
      },
    }),
  ];
}
