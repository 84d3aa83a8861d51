import type { ClientProtocol } from '../edge/client-protocol.ts';
import type { Route } from '../edge/route.ts';
import { operationOf, type Shared } from './operation.ts';
import { sharedParameters } from './parameters.ts';
import { REFUSAL_SCHEMA, RefusalResponses } from './refusals.ts';
import { sharedHeaders } from './response-headers.ts';
import { type DocumentPart, Schemas } from './schemas.ts';

export interface DocumentSettings {
  /** Base of all links; '' to use the Host header of each request. */
  readonly publicUrl: string;
  /** Status for an authenticated caller without permission. */
  readonly accessDeniedStatus: number;
}

/** An OpenAPI document. */
export interface OpenApiDocument extends DocumentPart {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentPart>>>>;
}

const DESCRIPTION = `Zones, recordsets, name blacklists and quotas, with the API of OpenStack Designate.

\`HEAD\` works wherever \`GET\` does, except where \`GET\` changes something. Paths may end in a slash, and the paths of imports and exports may be singular
(\`/v2/zones/tasks/import\`). A method that a path does not support gets 405 with the header \`Allow\`. Times are in UTC.`;

const INFO = {
  title: 'Zonewarden',
  version: '2.4',
  description: DESCRIPTION,
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const SECURITY_SCHEMES = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-Token',
    description: 'An API token or a Keystone token.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same token (RFC 6750).' },
};
/** Schemes that only other protocols use. */
const OTHER_SCHEMES = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The same token as the password, with any user name (RFC 7617).',
  },
} satisfies Record<ClientProtocol['security'], DocumentPart>;

function securitySchemesOf(routes: readonly Route[]): DocumentPart {
  const others = routes.flatMap(({ protocol }) => (protocol === undefined ? [] : [protocol.security]));
  return { ...SECURITY_SCHEMES, ...Object.fromEntries(others.map((name) => [name, OTHER_SCHEMES[name]])) };
}

function pathsOf(routes: readonly Route[], shared: Shared): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, DocumentPart>> = {};
  for (const route of routes) {
    const operations = paths[route.path] ?? {};
    operations[route.method.toLowerCase()] = operationOf(route, shared);
    paths[route.path] = operations;
  }
  return paths;
}

function requireUniqueIds(paths: OpenApiDocument['paths']): void {
  const ids = Object.values(paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId }) => operationId),
  );
  const repeated = ids.find((id, place) => ids.indexOf(id) !== place);
  if (repeated === undefined) return;
  throw new Error(`Two routes have the operationId "${repeated}". Give one of them another operationId.`);
}

/**
 * The OpenAPI 3.1 document of the API, generated from the routes.
 * @throws Error if the description of a route is incomplete
 */
export function documentOf(routes: readonly Route[], settings: DocumentSettings): OpenApiDocument {
  const shared = { schemas: new Schemas(), refusals: new RefusalResponses(settings.accessDeniedStatus) };
  const paths = pathsOf(routes, shared);
  requireUniqueIds(paths);
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: settings.publicUrl === '' ? '/' : settings.publicUrl }],
    security: [{ token: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: { ...shared.schemas.titled, Refusal: REFUSAL_SCHEMA },
      responses: shared.refusals.shared,
      parameters: sharedParameters(),
      headers: sharedHeaders(),
      securitySchemes: securitySchemesOf(routes),
    },
  };
}
