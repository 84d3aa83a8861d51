import type { ContentsUseCases } from '../../domain/contents/contents.ts';
import type { ZoneHistoryUseCases } from '../../domain/history/zone-history.ts';
import { shownOutcome } from '../changes/change-answers.ts';
import { CHANGE_REFUSALS, type ChangeSetSettings, replyTo } from '../changes/change-sets.ts';
import { responseSchema } from '../edge/response-schema.ts';
import { OF_BLACKLISTS, responsesWith } from '../edge/responses.ts';
import { actingProject, type Route, route } from '../edge/route.ts';
import { MOMENT, pastBody } from '../history/past-contents.ts';
import { ZONE_FILE_EXAMPLE } from '../zone-files/zone-file-body.ts';
import { asZone } from '../zones/zones.ts';
import { contentsBody, ZONE_FILE_TYPE } from './contents-body.ts';
import { CONTENTS_QUERY } from './contents-query.ts';

const PATH = '/v2/zones/{zone_id}/contents';

const { integer, list, nullable, object, text, titled } = responseSchema;

const shownContents = titled(
  'ZoneContents',
  object({
    recordsets: list(
      object({
        name: text({ examples: ['www.example.org.'] }),
        type: text({ examples: ['A'] }),
        ttl: nullable(integer({ description: 'In seconds; null for the zone default.' })),
        records: list(text({ examples: ['192.0.2.1'] })),
        description: nullable(text()),
      }),
    ),
  }),
);

const ZONE_FILE = {
  mediaType: ZONE_FILE_TYPE,
  schema: { type: 'string', description: 'A zone file.', examples: [ZONE_FILE_EXAMPLE] },
} as const;

export interface ContentsSettings extends Pick<ChangeSetSettings, 'accessDeniedStatus'> {
  /** Maximum size of a zone file, in bytes. */
  readonly maxImportSize: number;
  /** Maximum size of all other bodies, in bytes. */
  readonly maxBodySize: number;
}

/** The contents of a zone as a whole: shows them, and replaces them. */
export function contentsRoutes(
  contents: ContentsUseCases,
  history: Pick<ZoneHistoryUseCases, 'contentsAt'>,
  settings: ContentsSettings,
): Route[] {
  const { maxImportSize, maxBodySize, accessDeniedStatus } = settings;
  return [
    route({
      method: 'GET',
      path: PATH,
      guard: actingProject('zone_export'),
      scopedReach: 'whole zones',
      operationId: 'showZoneContents',
      query: MOMENT,
      responses: responsesWith(200, shownContents, { forms: [ZONE_FILE] }),
      refusals: ['zone_leaving', 'over_quota', 'change_not_found', 'slow_read', 'too_many_reads'],
      isLarge: true,
      async handle({ params, context, form, query: moment }) {
        const id = params.zone_id!;
        if (moment !== undefined)
          return {
            status: 200,
            body: pastBody(await history.contentsAt(context, id, moment), form, context.projectId),
          };
        const body = await contents.show(context, id, form === ZONE_FILE_TYPE ? 'text' : 'json');
        return { status: 200, body };
      },
    }),
    route({
      method: 'PUT',
      path: PATH,
      guard: actingProject('replace_zone_contents'),
      scopedReach: 'whole zones',
      hasDryRun: true,
      query: CONTENTS_QUERY,
      body: contentsBody({ asText: maxImportSize, inJson: maxBodySize }),
      condition: asZone,
      responses: responsesWith(202, shownOutcome, {
        headers: ['X-Zonewarden-Change', ...OF_BLACKLISTS],
        others: [200],
      }),
      refusals: CHANGE_REFUSALS,
      async handle(request) {
        const { params, context, base, precondition, query } = request;
        const given = await (await request.body).read(context.projectId);
        const made = await contents.replace(context, params.zone_id!, given, { ...query, precondition });
        return replyTo(made, base, accessDeniedStatus, context.projectId);
      },
    }),
  ];
}
