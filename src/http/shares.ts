import { shareScopeBody } from '../domain/scopes/scope-shape.ts';
import { object, text } from '../domain/shapes/shape.ts';
import type { ShareUseCases } from '../domain/shares/shares.ts';
import { isProjectId, PROJECT_ID_RULE } from '../model/project-id.ts';
import { SHARE_FILTERS, SHARE_SORT_KEYS, type Share } from '../model/shares/share.ts';
import { jsonBody } from './edge/body.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesCreated, responsesNothing, responsesWith } from './edge/responses.ts';
import { actingProject, created, type Route, replyCreated, route } from './edge/route.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';

const PATH = '/v2/zones/{zone_id}/shares';
const ONE = `${PATH}/{zone_share_id}`;

const shown = responseSchema.titled(
  'ZoneShare',
  responseSchema.object(
    {
      id: responseSchema.id,
      zone_id: responseSchema.id,
      project_id: responseSchema.projectId,
      target_project_id: responseSchema.projectId,
      created_at: responseSchema.time,
      updated_at: responseSchema.nullable(responseSchema.time),
      links: responseSchema.object({ self: responseSchema.link, zone: responseSchema.link }),
    },
    { scope: responseSchema.anything },
  ),
);

function toWire(share: Share, base: string): ResponseBody<typeof shown> {
  const zone = `${base}/v2/zones/${share.zoneId}`;
  return {
    id: share.id,
    zone_id: share.zoneId,
    project_id: share.projectId,
    target_project_id: share.targetProjectId,
    created_at: share.createdAt,
    updated_at: share.updatedAt,
    ...(share.scope === undefined ? {} : { scope: share.scope }),
    links: { self: `${zone}/shares/${share.id}`, zone },
  };
}

const projectId = text((given) => (isProjectId(given) ? undefined : PROJECT_ID_RULE), {
  maxLength: 64,
  examples: ['4335d1f0-f793-11e2-b778-0800200c9a66'],
});
const createBody = jsonBody(object({ target_project_id: projectId }, { scope: shareScopeBody }));

/** The operations on zone shares. */
export function shareRoutes(shares: ShareUseCases, limits: PageLimits): Route[] {
  return [
    route({
      method: 'POST',
      path: PATH,
      guard: actingProject('share_zone'),
      body: createBody,
      responses: responsesCreated(201, shown),
      refusals: ['duplicate_shared_zone', 'shared_with_owner', 'over_quota', 'unknown_project'],
      handle(request) {
        const { params, body, base } = request;
        return replyCreated(
          request,
          (options) => {
            const { target_project_id: targetProjectId, scope } = body;
            const draft = { targetProjectId, scope: scope ?? undefined };
            return shares.create(request.context, params.zone_id!, draft, options);
          },
          (share: Share) => created(201, toWire(share, base)),
        );
      },
    }),
    listRoute(
      {
        path: PATH,
        rule: 'find_zone_shares',
        key: 'shared_zones',
        sortKeys: SHARE_SORT_KEYS,
        filters: SHARE_FILTERS,
        sends: shown,
        toWire,
        list: (context, query, params) => shares.list(context, params.zone_id!, query),
        isCounted: true,
      },
      limits,
    ),
    route({
      method: 'GET',
      path: ONE,
      guard: actingProject('get_zone_share'),
      responses: responsesWith(200, shown),
      handle: async ({ context, params, base }) => ({
        status: 200,
        body: toWire(await shares.get(context, params.zone_id!, params.zone_share_id!), base),
      }),
    }),
    route({
      method: 'DELETE',
      path: ONE,
      guard: actingProject('unshare_zone'),
      responses: responsesNothing(204),
      refusals: ['shared_zone_has_recordsets'],
      async handle({ context, params }) {
        await shares.remove(context, params.zone_id!, params.zone_share_id!);
        return { status: 204 };
      },
    }),
  ];
}
