import type { CallerUseCases, KnownCaller } from '../domain/access/callers.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesWith } from './edge/responses.ts';
import { actingProject, type Route, route } from './edge/route.ts';

const name = responseSchema.nullable(responseSchema.text());
const shown = responseSchema.titled(
  'Caller',
  responseSchema.object({
    project_id: responseSchema.nullable(responseSchema.projectId),
    project_name: name,
    user_id: responseSchema.text({ examples: ['66b3b97246173a25'] }),
    user_name: name,
    roles: responseSchema.list(responseSchema.text({ examples: ['member'] })),
    system_scope: name,
    operations: responseSchema.list(responseSchema.text({ examples: ['create_zone'] })),
  }),
);

function toWire({
  projectId,
  userId,
  roles,
  systemScope,
  details,
  operations,
}: KnownCaller): ResponseBody<typeof shown> {
  return {
    project_id: projectId || null,
    project_name: details?.projectName ?? null,
    user_id: userId,
    user_name: details?.userName ?? null,
    roles,
    system_scope: systemScope ?? null,
    operations,
  };
}

/** Shows callers their own identity and permitted operations. */
export function callerRoute(callers: CallerUseCases): Route {
  return route({
    method: 'GET',
    path: '/v2/caller',
    guard: actingProject('get_caller'),
    scopedReach: 'by scope',
    responses: responsesWith(200, shown),
    handle: async ({ context }) => ({ status: 200, body: toWire(await callers.get(context)) }),
  });
}
