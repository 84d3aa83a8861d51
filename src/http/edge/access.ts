import type { AccessControl, RequestedScope } from '../../domain/access/access-control.ts';
import type { Authenticator, NobodyReason } from '../../domain/access/authentication.ts';
import type { WriteRates } from '../../domain/scopes/write-rates.ts';
import { type Caller, NO_PROJECT } from '../../model/access/caller.ts';
import type { CountedWrite, RequestContext } from '../../model/context/request-context.ts';
import { isProjectId, PROJECT_ID_RULE } from '../../model/project-id.ts';
import { CHALLENGES } from './challenges.ts';
import { EdgeError } from './errors.ts';
import { ALL_PROJECTS, EDIT_MANAGED, type RequestHeaders } from './headers.ts';
import { pathOf, queryOf } from './paths.ts';
import type { PerAddress } from './per-address.ts';
import { type Guard, namesProject, type Params, type Route, rulesOf } from './route.ts';
import { mayChange } from './writable.ts';

type GuardedRoute = Pick<Route, 'method' | 'onlyReads' | 'changesByGet' | 'hasDryRun' | 'scopedReach'> & {
  readonly guard: Exclude<Guard, 'public'>;
};

/** Dependencies of access control. */
export interface AccessDeps {
  readonly access: AccessControl;
  readonly authenticator: Authenticator;
  readonly failures: PerAddress;
  /** The writes of credentials with a rate. */
  readonly rates: WriteRates;
}

export interface AccessRequest {
  readonly id: string;
  readonly method: string;
  readonly headers: RequestHeaders;
  /** The request's token, wherever it has it; undefined without one. */
  readonly token: string | undefined;
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

/** The token of a request to the API. */
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
  const { token } = request;
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
  const isGuess = found.issuer === 'ourselves' && found.reason !== 'other_network';
  const failed = isGuess && (token !== undefined || request.headers.authorization !== undefined);
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

function projectIn(params: Params): string | undefined {
  return Object.entries(params).find(([name]) => namesProject(name))?.[1];
}

/** Who sees all zones, or acts for no project, reaches none through a share. */
function reachesShares({ scope, projectId }: RequestContext): boolean {
  return scope !== 'all projects' && projectId !== NO_PROJECT;
}

/**
 * Counts a writing request against the rates of the caller's credential and of those that it descends from.
 * @throws DomainError `over_rate`, except for an operation that can turn out to be a dry run
 */
function countWrite(
  route: GuardedRoute,
  { credential }: Caller,
  rates: WriteRates,
): CountedWrite | undefined {
  if (credential === undefined || credential.rates.size === 0 || !mayChange(route)) return undefined;
  const counted = rates.count(credential.rates);
  if (route.hasDryRun !== true) counted.require();
  return counted;
}

/**
 * Returns the context of the request, once the rule of its operation, and the scope of its token, allow it.
 * @throws DomainError `access_denied`, `over_rate`
 * @throws EdgeError `bad_request` for an invalid project ID
 */
export function requireAccess(
  route: GuardedRoute,
  caller: Caller,
  request: AccessRequest,
  { access, rates }: Pick<AccessDeps, 'access' | 'rates'>,
): RequestContext {
  const { guard } = route;
  const counted = countWrite(route, caller, rates);
  const requested = guard.about === 'acting project' ? requestedScope(request) : NOBODY_ELSE;
  const { id: requestId, address } = request;
  const context = access.actFor(caller, requested, { kind: 'request', requestId, address });
  if (context.projectId !== caller.projectId && !isProjectId(context.projectId)) {
    throw new EdgeError('bad_request', `X-Auth-Sudo-Project-ID: ${PROJECT_ID_RULE}`);
  }
  const projectId = guard.about === 'project in path' ? projectIn(request.params) : context.projectId;
  // The resource is not loaded yet. A caller who lacks the right even to its own resources is refused here.
  const zoneShared = reachesShares(context) ? 'unknown' : 'False';
  const target = { projectId, recordsetProjectId: projectId, zoneShared } as const;
  access.requireReach(context, guard.rule, route.scopedReach);
  const rules = rulesOf(guard);
  const possible = rules.find((rule) => access.isPossible(context, rule, target));
  access.requirePossible(context, possible ?? rules.at(-1)!, target);
  return counted === undefined ? context : { ...context, counted };
}
