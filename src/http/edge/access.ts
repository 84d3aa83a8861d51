import type { AccessControl, RequestedScope } from '../../domain/access/access-control.ts';
import type { Authenticator, NobodyReason } from '../../domain/access/authentication.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { isProjectId, PROJECT_ID_RULE } from '../../model/project-id.ts';
import { CHALLENGES } from './challenges.ts';
import { EdgeError } from './errors.ts';
import { ALL_PROJECTS, EDIT_MANAGED, type RequestHeaders } from './headers.ts';
import { pathOf, queryOf } from './paths.ts';
import type { PerAddress } from './per-address.ts';
import { type Guard, namesProject, type Params } from './route.ts';

/** Dependencies of access control. */
export interface AccessDeps {
  readonly access: AccessControl;
  readonly authenticator: Authenticator;
  readonly failures: PerAddress;
}

export interface AccessRequest {
  readonly id: string;
  readonly method: string;
  readonly headers: RequestHeaders;
  /** Path and query. */
  readonly url: string;
  readonly params: Params;
  /** Address of the client, for counting failed credentials and for events. */
  readonly address: string;
}

/** The request has no valid credentials. `reason` is for the log; the response says only what RFC 6750 defines. */
export class Unauthenticated extends EdgeError {
  readonly reason: NobodyReason;

  constructor(reason: NobodyReason, message?: string) {
    super('unauthenticated', message, { 'www-authenticate': CHALLENGES[reason] });
    this.reason = reason;
  }
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}

/** The request's token. */
export function tokenOf(headers: RequestHeaders): string | undefined {
  const own = textOf(headers['x-auth-token']);
  return own ?? /^Bearer +(\S+) *$/i.exec(textOf(headers.authorization) ?? '')?.[1];
}

/**
 * Identifies the caller.
 * @throws Unauthenticated without valid credentials
 * @throws EdgeError `too_many_requests` if the address has exceeded its limit of failures
 * @throws the authenticator's error if credentials cannot be checked at the moment
 */
export async function identify(request: AccessRequest, deps: AccessDeps): Promise<Caller> {
  const token = tokenOf(request.headers);
  const found = await deps.authenticator.authenticate({
    token,
    serviceToken: textOf(request.headers['x-service-token']),
    method: request.method,
    path: pathOf(request.url),
    address: request.address,
  });
  if (found.kind === 'caller') return found.caller;
  if (found.kind === 'unavailable') throw found.error;
  // Not for Keystone tokens: clients renew one only after a 401, and many clients can share an address.
  const isOurs = found.issuer === 'ourselves';
  const failed = isOurs && (token !== undefined || request.headers.authorization !== undefined);
  if (failed && deps.failures.isBeyondLimit(request.address)) throw new EdgeError('too_many_requests');
  throw new Unauthenticated(found.reason);
}

const TRUE = /^\s*(1|t|true|on|y|yes)\s*$/i;

/** True if OpenStack services read the text as true. */
export function saysTrue(text: string | string[] | undefined): boolean {
  return typeof text === 'string' && TRUE.test(text);
}

/** True if the header or one of the query parameters is set to true. */
function hasFlag(
  { headers, url }: Pick<AccessRequest, 'headers' | 'url'>,
  header: string,
  parameters: readonly string[],
): boolean {
  const query = queryOf(url);
  return [textOf(headers[header]), ...parameters.flatMap((name) => query.getAll(name))].some(saysTrue);
}

/** The scope that the headers and query ask for. */
function requestedScope(request: Pick<AccessRequest, 'headers' | 'url'>): RequestedScope {
  const { headers } = request;
  return {
    projectId: textOf(headers['x-auth-sudo-project-id'] ?? headers['x-auth-sudo-tenant-id']),
    allProjects: hasFlag(request, 'x-auth-all-projects', ALL_PROJECTS),
    editsManaged: hasFlag(request, 'x-designate-edit-managed-records', EDIT_MANAGED),
  };
}

const NOBODY_ELSE: RequestedScope = { allProjects: false, editsManaged: false };

function projectOf(params: Params): string | undefined {
  return Object.entries(params).find(([name]) => namesProject(name))?.[1];
}

/**
 * Returns the context of the request, once the rule of its operation allows it.
 * @throws DomainError `access_denied`
 * @throws EdgeError `bad_request` for an invalid project ID
 */
export function requireAccess(
  guard: Exclude<Guard, 'public'>,
  caller: Caller,
  request: AccessRequest,
  access: AccessControl,
): RequestContext {
  const inPath = guard.about === 'project in path';
  const requested = inPath ? NOBODY_ELSE : requestedScope(request);
  const { id: requestId, address } = request;
  const context = access.actFor(caller, requested, { kind: 'request', requestId, address });
  if (context.projectId !== caller.projectId && !isProjectId(context.projectId)) {
    throw new EdgeError('bad_request', `X-Auth-Sudo-Project-ID: ${PROJECT_ID_RULE}`);
  }
  const projectId = inPath ? projectOf(request.params) : context.projectId;
  // The resource is not loaded yet. A caller who lacks the right even to its own resources is refused here.
  access.require(context, guard.rule, { projectId, recordsetProjectId: projectId });
  return context;
}
