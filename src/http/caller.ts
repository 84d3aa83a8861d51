import type { CallerUseCases, KnownCaller } from '../domain/acts/callers.ts';
import { actingProject, type Route, route } from './route.ts';

function toWire({ projectId, userId, roles, systemScope, details, operations }: KnownCaller) {
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

/** What a caller is told about itself. */
export function callerRoute(callers: CallerUseCases): Route {
  return route({
    method: 'GET',
    path: '/v2/caller',
    guard: actingProject('get_caller'),
    handle: async ({ act }) => ({ status: 200, body: toWire(await callers.get(act)) }),
  });
}
