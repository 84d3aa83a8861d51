import type { AccessControl, Wish } from '../../domain/access/access-control.ts';
import type { Authenticator, NobodyReason } from '../../domain/access/authentication.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { Act } from '../../model/acts/act.ts';
import { isProjectId, PROJECT_ID_RULE } from '../../model/project-id.ts';
import { CHALLENGES } from './challenges.ts';
import { EdgeError } from './errors.ts';
import { ALL_PROJECTS, EDIT_MANAGED, type RequestHeaders } from './headers.ts';
import { pathOf, queryOf } from './paths.ts';
import type { PerAddress } from './per-address.ts';
import { type Guard, namesProject, type Params } from './route.ts';

/** The dependencies of access control. */
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
  /** Of the client: failed credentials are counted by it, and events name it. */
  readonly address: string;
}

/** A request without valid credentials. `reason` is for the log; the answer says only what RFC 6750 defines. */
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

/** The token that a request has. */
export function tokenOf(headers: RequestHeaders): string | undefined {
  const own = textOf(headers['x-auth-token']);
  return own ?? /^Bearer +(\S+) *$/i.exec(textOf(headers.authorization) ?? '')?.[1];
}

/**
 * Identifies the caller.
 * @throws Unauthenticated without valid credentials, EdgeError `too_many_requests` for one failure too many, and the
 *   error if the credentials cannot be checked now
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
  // Clients get a new token of Keystone after a 401 alone, and many of them are behind one address.
  const isOurs = found.issuer === 'ourselves';
  const failed = isOurs && (token !== undefined || request.headers.authorization !== undefined);
  if (failed && deps.failures.isBeyondLimit(request.address)) throw new EdgeError('too_many_requests');
  throw new Unauthenticated(found.reason);
}

const TRUE = /^\s*(1|t|true|on|y|yes)\s*$/i;

/** Whether OpenStack's services take a text for true. */
export function saysTrue(text: string | string[] | undefined): boolean {
  return typeof text === 'string' && TRUE.test(text);
}

/** Whether a header, or a parameter of the query, says that something is wished. */
function wishes(
  { headers, url }: Pick<AccessRequest, 'headers' | 'url'>,
  header: string,
  parameters: readonly string[],
): boolean {
  const query = queryOf(url);
  return [textOf(headers[header]), ...parameters.flatMap((name) => query.getAll(name))].some(saysTrue);
}

/** For whom the headers and the query ask to act. */
function wishOf(request: Pick<AccessRequest, 'headers' | 'url'>): Wish {
  const { headers } = request;
  return {
    projectId: textOf(headers['x-auth-sudo-project-id'] ?? headers['x-auth-sudo-tenant-id']),
    allProjects: wishes(request, 'x-auth-all-projects', ALL_PROJECTS),
    editsManaged: wishes(request, 'x-designate-edit-managed-records', EDIT_MANAGED),
  };
}

const NOBODY_ELSE: Wish = { allProjects: false, editsManaged: false };

function projectOf(params: Params): string | undefined {
  return Object.entries(params).find(([name]) => namesProject(name))?.[1];
}

/**
 * The act that a request is, once the rule of its operation allows it.
 * @throws DomainError `access_denied`, EdgeError `bad_request` for a project that cannot be one
 */
export function requireAccess(
  guard: Exclude<Guard, 'public'>,
  caller: Caller,
  request: AccessRequest,
  access: AccessControl,
): Act {
  const inPath = guard.about === 'project in path';
  const wish = inPath ? NOBODY_ELSE : wishOf(request);
  const { id: requestId, address } = request;
  const act = access.actFor(caller, wish, { kind: 'request', requestId, address });
  if (act.projectId !== caller.projectId && !isProjectId(act.projectId)) {
    throw new EdgeError('bad_request', `X-Auth-Sudo-Project-ID: ${PROJECT_ID_RULE}`);
  }
  const projectId = inPath ? projectOf(request.params) : act.projectId;
  // The thing itself is not known yet: whoever may do nothing to things of its own is refused at once.
  access.require(act, guard.rule, { projectId, recordsetProjectId: projectId });
  return act;
}
