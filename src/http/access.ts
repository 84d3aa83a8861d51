import type { Caller } from '../domain/access/caller.ts';
import type { Policy } from '../domain/access/policy.ts';
import { DomainError } from '../domain/errors.ts';
import { isProjectId, PROJECT_ID_RULE } from '../domain/project-id.ts';
import { EdgeError, MissingRole } from './errors.ts';
import type { FailedCredentials } from './failed-credentials.ts';
import type { Access, Guard } from './route.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What deciding on access needs. */
export interface AccessDeps {
  readonly policy: Policy;
  /** The caller that a token stands for. */
  authenticate(token: string): Promise<Caller | undefined>;
  readonly failures: FailedCredentials;
}

export interface AccessRequest {
  readonly headers: Headers;
  readonly params: Readonly<Record<string, string>>;
  /** Whom failed credentials are counted against. */
  readonly address: string;
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}

function tokenOf(headers: Headers): string | undefined {
  const own = textOf(headers['x-auth-token']);
  return own ?? /^Bearer +(\S+) *$/i.exec(textOf(headers.authorization) ?? '')?.[1];
}

/**
 * Finds out who asks.
 * @throws DomainError `access_denied` without valid credentials, EdgeError `too_many_requests` for one failure too many
 */
export async function identify(request: AccessRequest, deps: AccessDeps): Promise<Caller> {
  const token = tokenOf(request.headers);
  const caller = token === undefined ? undefined : await deps.authenticate(token);
  if (caller !== undefined) return caller;
  const failed = token !== undefined || request.headers.authorization !== undefined;
  if (failed && deps.failures.isBeyondLimit(request.address)) throw new EdgeError('too_many_requests');
  throw new DomainError('access_denied');
}

function sudoProject(headers: Headers): string | undefined {
  return textOf(headers['x-auth-sudo-project-id'] ?? headers['x-auth-sudo-tenant-id']);
}

/** The project that the caller acts for, as the headers say. */
function actingFor(caller: Caller, headers: Headers, policy: Policy): Access {
  const sudo = sudoProject(headers);
  const allProjects = /^true$/i.test(textOf(headers['x-auth-all-projects']) ?? '');
  const other = sudo !== undefined && sudo !== caller.projectId;
  if (other && !policy.allows('use_sudo', caller, {})) throw new MissingRole();
  if (allProjects && !policy.allows('all_tenants', caller, {})) throw new MissingRole();
  if (other && !isProjectId(sudo)) {
    throw new EdgeError('bad_request', `X-Auth-Sudo-Project-ID: ${PROJECT_ID_RULE}`);
  }
  return { caller, projectId: other ? sudo : caller.projectId, allProjects };
}

/**
 * Finds out for which project a caller acts, and whether the rule of the operation allows it.
 * @throws MissingRole without the role, EdgeError `bad_request` for a project that cannot be one
 */
export function requireAccess(
  guard: Exclude<Guard, 'public'>,
  caller: Caller,
  request: Pick<AccessRequest, 'headers' | 'params'>,
  policy: Policy,
): Access {
  const inPath = guard.about === 'project in path';
  const access: Access = inPath
    ? { caller, projectId: caller.projectId, allProjects: false }
    : actingFor(caller, request.headers, policy);
  const target = inPath ? request.params.project! : access.projectId;
  if (!policy.allows(guard.rule, caller, { projectId: target })) throw new MissingRole();
  return access;
}
