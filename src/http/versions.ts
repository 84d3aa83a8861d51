import { type Route, route } from './route.ts';

/** When the interface of a version last changed. */
const UPDATED = '2026-11-21T00:00:00Z';

/**
 * The version document and the health checks, for anyone.
 * @param requireHealth throws the refusal while the store cannot be reached
 */
export function versionRoutes(isV1Enabled: boolean, requireHealth: () => Promise<void>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/',
      guard: 'public',
      async handle({ base }) {
        const version = (id: string, status: string) => ({
          id,
          status,
          updated: UPDATED,
          links: [{ href: `${base}/${id}`, rel: 'self' }],
        });
        const old = isV1Enabled ? [version('v1', 'DEPRECATED')] : [];
        return { status: 200, body: { versions: [version('v2', 'CURRENT'), ...old] } };
      },
    }),
    route({
      method: 'GET',
      path: '/healthcheck',
      guard: 'public',
      async handle() {
        await requireHealth();
        return { status: 200, body: { status: 'ok' } };
      },
    }),
    // 200 as long as the process answers, whatever the state of the store: a restart would not help.
    route({
      method: 'GET',
      path: '/livez',
      guard: 'public',
      handle: async () => ({ status: 200, body: { status: 'ok' } }),
    }),
  ];
}
