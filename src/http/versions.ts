import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesWith } from './edge/responses.ts';
import { type Route, route } from './edge/route.ts';

/** Time of the last API change of a version. */
const UPDATED = '2026-11-21T00:00:00Z';

/** Supported Designate microversions, newest first, each as its v2 name. */
const MICROVERSIONS = ['v2.4', 'v2.3', 'v2.2', 'v2.1', 'v2.0'];

const shownVersion = responseSchema.titled(
  'Version',
  responseSchema.object({
    id: responseSchema.text({ examples: ['v2'] }),
    status: responseSchema.choice(['CURRENT', 'SUPPORTED', 'DEPRECATED']),
    updated: responseSchema.text({ format: 'date-time' }),
    links: responseSchema.list(
      responseSchema.object({ href: responseSchema.link, rel: responseSchema.choice(['self']) }),
    ),
  }),
);
type Version = ResponseBody<typeof shownVersion>;
const health = responsesWith(200, responseSchema.object({ status: responseSchema.choice(['ok']) }));

function version(base: string, id: string, status: Version['status'], path = id): Version {
  return { id, status, updated: UPDATED, links: [{ href: `${base}/${path}`, rel: 'self' }] };
}

const currentVersion = (base: string) => version(base, 'v2', 'CURRENT');

/**
 * The version document and the public health checks.
 * @param requireHealth throws the refusal while the store is unreachable
 */
export function versionRoutes(isV1Enabled: boolean, requireHealth: () => Promise<void>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/',
      guard: 'public',
      operationId: 'listVersions',
      responses: responsesWith(200, responseSchema.object({ versions: responseSchema.list(shownVersion) })),
      async handle({ base }) {
        const names = MICROVERSIONS.map((id) => version(base, id, 'SUPPORTED', 'v2'));
        const old = isV1Enabled ? [version(base, 'v1', 'DEPRECATED')] : [];
        return { status: 200, body: { versions: [currentVersion(base), ...names, ...old] } };
      },
    }),
    route({
      method: 'GET',
      path: '/v2',
      guard: 'public',
      operationId: 'getVersion',
      responses: responsesWith(200, responseSchema.object({ version: shownVersion })),
      handle: async ({ base }) => ({ status: 200, body: { version: currentVersion(base) } }),
    }),
    route({
      method: 'GET',
      path: '/healthcheck',
      guard: 'public',
      operationId: 'checkHealth',
      responses: health,
      refusals: ['starting'],
      async handle() {
        await requireHealth();
        return { status: 200, body: { status: 'ok' } };
      },
    }),
    // Returns 200 while the process responds, whatever the state of the store: a restart would not help.
    route({
      method: 'GET',
      path: '/livez',
      guard: 'public',
      operationId: 'checkLife',
      responses: health,
      handle: async () => ({ status: 200, body: { status: 'ok' } }),
    }),
  ];
}
