import { type Caller, NO_PROJECT } from '../access/caller.ts';
import type { Scope } from '../access/scope.ts';
import { DomainError } from '../errors.ts';

/** Where an operation comes from: an API request, a command on the store, or the service itself. */
export type Origin =
  | { readonly kind: 'request'; readonly requestId: string; readonly address: string }
  | { readonly kind: 'command'; readonly user: string }
  | { readonly kind: 'service' };

/**
 * The context of an operation: who acts, for which project, in which scope, and from where. It is the first argument of
 * every use case.
 */
export interface RequestContext {
  readonly caller: Caller;
  /** The project acted for: the caller's own, or one named by an administrator. `NO_PROJECT` if there is none. */
  readonly projectId: string;
  readonly scope: Scope;
  readonly origin: Origin;
  /** True if the operation shows what would happen, and changes nothing. */
  readonly isDryRun?: boolean | undefined;
  /** How the operation counts against the rates of the caller's credential; undefined if none has a rate. */
  readonly counted?: CountedWrite | undefined;
}

/** A request that counts as a write, until it turns out to be a dry run. */
export interface CountedWrite {
  /** False if the rate was used up before the request. */
  readonly isFree: boolean;
  /** @throws DomainError `over_rate` if the rate was used up before the request */
  require(): void;
  /** Takes the count back. */
  forget(): void;
}

/** The project of an operator who works on the store directly, as it appears in events. */
const OPERATOR_PROJECT = 'admin';

/** The context of a command: it can reach everything, and no policy applies. */
export function commandContext(user: string): RequestContext {
  return {
    caller: { projectId: OPERATOR_PROJECT, userId: user, roles: ['admin'] },
    projectId: OPERATOR_PROJECT,
    scope: 'all projects',
    origin: { kind: 'command', user },
  };
}

/** The context of work that the service does on its own for a project. */
export function serviceContext(projectId: string): RequestContext {
  return {
    caller: { projectId, userId: 'zonewarden', roles: [] },
    projectId,
    scope: 'all projects',
    origin: { kind: 'service' },
  };
}

/**
 * The project acted for, if one is required.
 * @throws DomainError `project_needed`
 */
export function requireProject({ projectId }: Pick<RequestContext, 'projectId'>): string {
  if (projectId === NO_PROJECT) throw new DomainError('project_needed');
  return projectId;
}
