import {
  ACCESS_LISTS,
  type OwnersToken,
  type ShareesToken,
  type ZoneAccess,
  type ZoneAccessUseCases,
} from '../domain/access-checks/zone-access.ts';
import type { TsigKey } from '../model/tsig-keys/tsig-key.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesWith } from './edge/responses.ts';
import { actingProject, type Route, route } from './edge/route.ts';
import { shownPermissions } from './tsig-keys.ts';

const token = responseSchema.object(
  {
    id: responseSchema.text({ examples: ['66b3b97246173a25'] }),
    project_id: responseSchema.projectId,
  },
  {
    roles: responseSchema.list(responseSchema.text({ examples: ['member'] })),
    expires_at: responseSchema.nullable(responseSchema.time),
    description: responseSchema.text({ examples: ['Builds of the shop'] }),
    scope: responseSchema.anything,
  },
);
const key = responseSchema.object(
  {
    id: responseSchema.id,
    name: responseSchema.text({ examples: ['acme.example.org'] }),
    permissions: shownPermissions,
  },
  { project_id: responseSchema.projectId },
);
const shown = responseSchema.titled(
  'ZoneAccess',
  responseSchema.object({
    projects: responseSchema.list(
      responseSchema.object({ project_id: responseSchema.projectId, owner: responseSchema.flag }),
    ),
    shares: responseSchema.list(
      responseSchema.object(
        { id: responseSchema.id, target_project_id: responseSchema.projectId },
        { scope: responseSchema.anything },
      ),
    ),
    tokens: responseSchema.list(token),
    keys: responseSchema.list(key),
    cut: responseSchema.list(
      responseSchema.choice(ACCESS_LISTS, { description: 'A list that leaves entries out.' }),
    ),
  }),
);

function tokenToWire(one: OwnersToken | ShareesToken): ResponseBody<typeof token> {
  const { id, projectId, scope } = one;
  const ofScope = scope === null ? {} : { scope };
  if (!('roles' in one)) return { id, project_id: projectId, ...ofScope };
  const { roles, expiresAt, description } = one;
  return {
    id,
    project_id: projectId,
    roles,
    expires_at: expiresAt,
    ...(description === null ? {} : { description }),
    ...ofScope,
  };
}

function keyToWire({ id, name, spelling, projectId, permissions }: TsigKey): ResponseBody<typeof key> {
  return {
    id,
    name: spelling ?? name,
    ...(projectId === undefined ? {} : { project_id: projectId }),
    permissions: permissions!,
  };
}

function toWire({ owner, shares, tokens, keys, cut }: ZoneAccess): ResponseBody<typeof shown> {
  return {
    projects: [{ project_id: owner, owner: true }],
    shares: shares.map(({ id, targetProjectId, scope }) => ({
      id,
      target_project_id: targetProjectId,
      ...(scope === undefined ? {} : { scope }),
    })),
    tokens: tokens.map(tokenToWire),
    keys: keys.map(keyToWire),
    cut,
  };
}

export function zoneAccessRoute(zoneAccess: ZoneAccessUseCases): Route {
  return route({
    method: 'GET',
    path: '/v2/zones/{zone_id}/access',
    guard: actingProject('get_zone_access'),
    responses: responsesWith(200, shown),
    handle: async ({ context, params }) => ({
      status: 200,
      body: toWire(await zoneAccess.get(context, params.zone_id!)),
    }),
  });
}
