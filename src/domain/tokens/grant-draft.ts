import { formatMicroseconds } from '../../model/clock.ts';
import { type Fault, invalidObject } from '../../model/errors.ts';
import { millisecondsOf, spanOf } from '../../model/moment.ts';
import { isProjectId, PROJECT_ID_RULE } from '../../model/project-id.ts';
import type { ScopeJson } from '../../model/scopes/credential-scope.ts';
import { descriptionFault } from '../../model/text.ts';
import type { Grant } from './token-secret.ts';

/** The grant and description of a new token, as entered by a user. */
export interface GrantDraft {
  /** Default: the caller's. */
  readonly project?: string | undefined;
  /** Default: the caller's. */
  readonly roles?: readonly string[] | undefined;
  readonly user?: string | undefined;
  /**
   * A time such as 2030-01-31 or 2030-01-31T12:00:00Z (UTC unless it has an offset), or a duration such as 90d, 12h or
   * 30m.
   */
  readonly expires?: string | undefined;
  readonly description?: string | null | undefined;
  readonly scope?: ScopeJson | null | undefined;
  /** Seconds without use after which it ends. */
  readonly maxUnused?: number | null | undefined;
}

/** A draft that names a project and roles. */
interface WholeDraft extends GrantDraft {
  readonly project: string;
  readonly roles: readonly string[];
}

/** The expiry of a token in the store's format, or why the text is invalid. */
function readExpiry(text: string, now: string): { readonly at: string } | { readonly fault: string } {
  const present = Date.parse(`${now.slice(0, 23)}Z`);
  const span = spanOf(text);
  const milliseconds = span === undefined ? millisecondsOf(text) : present + span;
  if (Number.isNaN(milliseconds)) {
    return { fault: 'Must be a time, such as 2030-01-31T12:00:00Z, or a duration such as 90d, 12h or 30m.' };
  }
  if (milliseconds <= present) return { fault: 'Must be in the future.' };
  return { at: formatMicroseconds(milliseconds * 1000) };
}

/** @param known the roles that the policy rules use, in lower case */
function roleFaults(roles: readonly string[], known: readonly string[]): Fault[] {
  const names = known.join(', ');
  const unknown = roles.filter((role) => !known.includes(role.toLowerCase()));
  return unknown.map((role) => ({
    path: ['role'],
    message: `No policy rule uses the role ${JSON.stringify(role)}. Use one of: ${names}.`,
  }));
}

function descriptionFaults({ description }: GrantDraft): Fault[] {
  const message = descriptionFault(description ?? '');
  return message === undefined ? [] : [{ path: ['description'], message }];
}

function idFaults({ project, user }: WholeDraft): Fault[] {
  const faults: Fault[] = [];
  if (!isProjectId(project)) faults.push({ path: ['project'], message: PROJECT_ID_RULE });
  if (user !== undefined && !isProjectId(user)) {
    faults.push({ path: ['user'], message: `The rule for project ids applies. ${PROJECT_ID_RULE}` });
  }
  return faults;
}

/**
 * Validates a grant. Roles are case-insensitive, and stored in lower case.
 * @param now the current time in the store's format
 * @param checksRoles true if the caller has chosen the roles
 * @throws DomainError `invalid_object` with all faults, each under the name of its field
 */
export function requireGrant(
  draft: WholeDraft,
  now: string,
  known: readonly string[],
  checksRoles: boolean,
): Grant {
  const expiry = draft.expires === undefined ? undefined : readExpiry(draft.expires, now);
  const faults = [
    ...idFaults(draft),
    ...(checksRoles ? roleFaults(draft.roles, known) : []),
    ...descriptionFaults(draft),
  ];
  if (expiry !== undefined && 'fault' in expiry) faults.push({ path: ['expires'], message: expiry.fault });
  if (faults.length > 0) throw invalidObject(faults);
  return {
    projectId: draft.project,
    roles: [...new Set(draft.roles.map((role) => role.toLowerCase()))],
    userId: draft.user,
    expiresAt: expiry !== undefined && 'at' in expiry ? expiry.at : undefined,
    description: draft.description,
    scope: draft.scope,
    maxUnused: draft.maxUnused,
  };
}
