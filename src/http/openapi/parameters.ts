import type { ErrorKind } from '../../model/errors.ts';
import { isConditional } from '../edge/conditional-requests.ts';
import { ALL_PROJECTS, EDIT_MANAGED, REQUEST_HEADERS, type RequestHeader } from '../edge/headers.ts';
import { namesProject, type Route } from '../edge/route.ts';
import * as resources from '../resources.ts';
import type { DocumentPart, Schemas } from './schemas.ts';

/** Path parameters that are IDs: what they identify, and the error if it does not exist. */
const IDS: Readonly<Record<string, readonly [thing: string, unknown: ErrorKind]>> = {
  blacklist_id: ['blacklist', 'blacklist_not_found'],
  change_id: ['change', 'change_not_found'],
  deleted_zone_id: ['deleted zone', 'zone_not_found'],
  event_id: ['event', 'event_not_found'],
  import_id: ['import', 'blacklist_import_not_found'],
  list_name: ['list', 'blacklist_list_not_found'],
  pool_id: ['pool', 'pool_not_found'],
  preview_id: ['preview', 'preview_not_found'],
  recordset_id: ['recordset', 'recordset_not_found'],
  service_id: ['service status', 'service_status_not_found'],
  token_id: ['token', 'token_not_found'],
  tsigkey_id: ['TSIG key', 'tsigkey_not_found'],
  zone_export_id: ['export', 'zone_export_not_found'],
  zone_id: ['zone', 'zone_not_found'],
  zone_import_id: ['import', 'zone_import_not_found'],
  zone_share_id: ['share', 'shared_zone_not_found'],
  zone_transfer_accept_id: ['transfer accept', 'transfer_accept_not_found'],
  zone_transfer_request_id: ['transfer request', 'transfer_request_not_found'],
  ...Object.fromEntries(Object.values(resources).flatMap(({ ids }) => Object.entries(ids))),
};

/** Allowed on every guarded request whose path does not name a project. */
const OF_ANY_PROJECT: readonly RequestHeader[] = [
  'X-Auth-All-Projects',
  'X-Auth-Sudo-Project-ID',
  'X-Auth-Sudo-Tenant-ID',
  'X-Designate-Edit-Managed-Records',
];
const CONDITIONS: readonly RequestHeader[] = ['If-Match', 'If-None-Match'];
const IN_QUERY: Readonly<Record<string, RequestHeader>> = {
  ...Object.fromEntries(ALL_PROJECTS.map((name) => [name, 'X-Auth-All-Projects' as const])),
  ...Object.fromEntries(EDIT_MANAGED.map((name) => [name, 'X-Designate-Edit-Managed-Records' as const])),
};

function idOf(name: string): readonly [thing: string, unknown: ErrorKind] {
  const id = IDS[name];
  if (id !== undefined) return id;
  throw new Error(
    `The parameter {${name}} of a path is not described. Add it to IDS in http/openapi/parameters.ts.`,
  );
}

/** Parameter names in a path. */
function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

/** True if the parameter is a name, not an ID. */
function isNamed(parameter: string): boolean {
  return parameter === 'list_name';
}

/** Errors that the path parameters can cause. */
export function refusalsOfPath(path: string): readonly ErrorKind[] {
  return namesIn(path).flatMap((name): ErrorKind[] =>
    namesProject(name)
      ? ['invalid_object']
      : [isNamed(name) ? 'invalid_object' : 'invalid_uuid', idOf(name)[1]],
  );
}

function idSchema(name: string): DocumentPart {
  if (namesProject(name)) return { type: 'string', minLength: 1, maxLength: 64 };
  if (isNamed(name)) return { type: 'string', pattern: '^[a-z0-9._-]{1,64}$' };
  const form = name === 'token_id' ? { pattern: '^[0-9A-Fa-f]{16}$' } : { format: 'uuid' };
  return { type: 'string', ...form };
}

function pathParameter(name: string): DocumentPart {
  const isProject = namesProject(name);
  return {
    name,
    in: 'path',
    required: true,
    description: `${isNamed(name) ? 'Name' : 'ID'} of the ${isProject ? 'project' : idOf(name)[0]}.`,
    schema: idSchema(name),
  };
}

function headersOf(route: Route): readonly RequestHeader[] {
  const { guard, method, headers = [] } = route;
  const isKeyed = guard !== 'public' && method === 'POST';
  const isOfAny = guard !== 'public' && guard.about === 'acting project';
  return [
    ...(isOfAny ? OF_ANY_PROJECT : []),
    ...headers,
    ...(isConditional(route) ? CONDITIONS : []),
    ...(isKeyed ? ['Idempotency-Key' as const] : []),
  ];
}

const reference = (name: string): DocumentPart => ({ $ref: `#/components/parameters/${name}` });

/** The path, query and header parameters of an operation. */
export function parametersOf(route: Route, schemas: Schemas): readonly DocumentPart[] {
  const { path, guard, query } = route;
  const isOfAny = guard !== 'public' && guard.about === 'acting project';
  const asked = Object.entries(query?.parameters ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    schema: schemas.refer(schema),
  }));
  return [
    ...namesIn(path).map(pathParameter),
    ...asked,
    ...(isOfAny ? Object.keys(IN_QUERY).map(reference) : []),
    ...headersOf(route).map(reference),
  ];
}

function sharedHeader(name: RequestHeader): DocumentPart {
  const isKey = name === 'Idempotency-Key';
  return {
    name,
    in: 'header',
    description: REQUEST_HEADERS[name],
    ...(name === 'X-Auth-Sudo-Tenant-ID' ? { deprecated: true } : {}),
    schema: isKey ? { type: 'string', pattern: '^[ -~]{1,255}$' } : { type: 'string' },
  };
}

/** The shared parameters, by name. */
export function sharedParameters(): DocumentPart {
  const headers = (Object.keys(REQUEST_HEADERS) as RequestHeader[]).map((name) => [name, sharedHeader(name)]);
  const inQuery = Object.entries(IN_QUERY).map(([name, header]) => [
    name,
    { name, in: 'query', description: `Alternative to the header ${header}.`, schema: { type: 'string' } },
  ]);
  return Object.fromEntries([...headers, ...inQuery]);
}
