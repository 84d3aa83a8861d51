import { type Caller, NO_PROJECT } from '../access/caller.ts';
import type { Scope } from '../access/scope.ts';
import { DomainError } from '../errors.ts';
import type { Once } from './once.ts';

/** The origin of an act: a request to the API, a command on the store, or the service itself. */
export type Origin =
  | { readonly kind: 'request'; readonly requestId: string; readonly address: string }
  | { readonly kind: 'command'; readonly user: string }
  | { readonly kind: 'service' };

/** What has to be true of the thing that an act names, as it is when the act reads or changes it. */
export interface Precondition {
  /** @param thing as the use case of the act answers with it */
  holds(thing: object): boolean;
}

/**
 * Who acts, for which project, within which scope, and from where: the first argument of every use case.
 * `Created` is what the act creates once, where it carries an idempotency key.
 */
export interface Act<Created = never> {
  readonly caller: Caller;
  /** The project acted for: the caller's own, or the one that an administrator names. `NO_PROJECT` if there is none. */
  readonly projectId: string;
  readonly scope: Scope;
  readonly origin: Origin;
  readonly once?: Once<Created> | undefined;
  readonly precondition?: Precondition | undefined;
}

/** The project of an operator who works on the store itself, as the events name it. */
const OPERATOR_PROJECT = 'admin';

/** The act of a command: it sees everything, and no policy applies to it. */
export function commandAct(user: string): Act {
  return {
    caller: { projectId: OPERATOR_PROJECT, userId: user, roles: ['admin'] },
    projectId: OPERATOR_PROJECT,
    scope: 'all projects',
    origin: { kind: 'command', user },
  };
}

/** What the service does by itself for a project. */
export function serviceAct(projectId: string): Act {
  return {
    caller: { projectId, userId: 'zonewarden', roles: [] },
    projectId,
    scope: 'all projects',
    origin: { kind: 'service' },
  };
}

/**
 * The project acted for, where there has to be one.
 * @throws DomainError `project_needed`
 */
export function requireProject({ projectId }: Pick<Act, 'projectId'>): string {
  if (projectId === NO_PROJECT) throw new DomainError('project_needed');
  return projectId;
}

/**
 * Asks what the act requires of the thing that it names. A change asks it of the thing that it has locked, before any
 * other rule.
 * @throws DomainError `precondition_failed`
 */
export function requirePrecondition({ precondition }: Pick<Act, 'precondition'>, thing: object): void {
  if (precondition?.holds(thing) === false) throw new DomainError('precondition_failed');
}
