/** Tokens that callers create for themselves: each can do no more than the caller. */
import type { Fqdn } from '../../dns/names.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { Scope } from '../../model/access/scope.ts';
import { later } from '../../model/clock.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, invalidObject } from '../../model/errors.ts';
import type { CredentialScope } from '../../model/scopes/credential-scope.ts';
import { firstKeyTooWide } from '../../model/scopes/narrowing.ts';
import type { Store, Transaction } from '../../model/store.ts';
import type { ApiToken, TokensWithin } from '../../model/tokens/api-token.ts';
import { readScope } from '../scopes/scope-shape.ts';
import { liveAmong } from './live-tokens.ts';
import type { Grant } from './token-secret.ts';

/** Maximum number of tokens in a chain, in which each has created the next. */
const MAX_CHAIN = 8;
const DAY_MS = 86_400_000;
/** Built-in roles, strongest first: each implies those after it. */
const BUILT_IN = ['admin', 'member', 'reader'];

export interface TokenSettings {
  /** Maximum number of live tokens of a project, without those of administrators. */
  readonly maxPerProject: number;
  /** The latest end of a token that a Keystone user creates, in days. */
  readonly maxDaysFromKeystone: number;
}

/** The tokens that a caller sees of its project: all of them, or with a scope its own and those below it. */
export function ownTokens({ caller }: RequestContext): Exclude<TokensWithin, undefined> {
  const { projectId, credential } = caller;
  return credential?.scope ? { projectId, below: credential.id } : { projectId };
}

export function isSeen(within: Exclude<TokensWithin, undefined>, token: ApiToken): boolean {
  const { projectId, below } = within;
  if (token.projectId !== projectId) return false;
  return below === undefined || token.id === below || token.ancestors.includes(below);
}

function has(roles: readonly string[], role: string): boolean {
  const own = roles.map((one) => one.toLowerCase());
  const place = BUILT_IN.indexOf(role);
  return (
    own.includes(role) || BUILT_IN.slice(0, Math.max(0, place)).some((stronger) => own.includes(stronger))
  );
}

function tooWide(key: string): DomainError {
  return new DomainError(
    'scope_too_wide',
    `A credential can only create one that can do no more: "${key}" would be wider.`,
    {
      faults: [{ path: [key], message: 'Wider than the own one.' }],
    },
  );
}

/** @throws DomainError `access_denied` */
export function requireDelegation({ mayNotDelegate }: Caller): void {
  if (mayNotDelegate !== true) return;
  const hint =
    'A restricted application credential, one with access rules, and a trust cannot create tokens. Use another credential.';
  throw new DomainError('access_denied', undefined, { hint });
}

/** @throws DomainError `scope_too_wide` */
function requireRoomInChain({ credential }: Caller): void {
  if (credential !== undefined && credential.ancestors.length + 2 > MAX_CHAIN)
    throw new DomainError(
      'scope_too_wide',
      `A chain of tokens that create each other has at most ${MAX_CHAIN}.`,
    );
}

/**
 * The names of the zones that a scope lists by id.
 * @param path where the scope is in the body
 * @throws DomainError `invalid_object` if the caller does not see one of them
 */
export async function zoneNamesIn(
  { zones = [] }: Pick<CredentialScope, 'zones'>,
  store: Pick<Store, 'zones'>,
  seen: Scope,
): Promise<ReadonlyMap<string, Fqdn>> {
  const found = await Promise.all(
    zones.map((one) => ('id' in one ? store.zones.find(one.id, seen) : undefined)),
  );
  const faults = zones.flatMap((one, place) =>
    'id' in one && found[place] === undefined
      ? [{ path: ['scope', 'zones', place], message: 'You see no zone with this ID.' }]
      : [],
  );
  if (faults.length > 0) throw invalidObject(faults);
  return new Map(found.flatMap((zone) => (zone === undefined ? [] : [[zone.id, zone.name] as const])));
}

/** The earliest of some times; undefined if there is none. */
function earliest(...times: readonly (string | null | undefined)[]): string | undefined {
  return times.filter((time) => time != null).sort()[0];
}

/** Narrows a grant to what its creator can do. */
export function ownGrants({
  store,
  settings,
}: {
  readonly store: Pick<Store, 'zones'>;
  readonly settings: TokenSettings;
}) {
  function requireSameIdentity({ caller }: RequestContext, { projectId, userId, roles }: Grant): void {
    if (projectId !== caller.projectId || (userId !== undefined && userId !== caller.userId))
      throw new DomainError('access_denied', undefined, {
        hint: 'Only an administrator creates tokens for other projects and users.',
      });
    if (!roles.every((role) => has(caller.roles, role))) throw tooWide('roles');
  }

  /**
   * @throws DomainError `access_denied` for another project or user, `scope_too_wide`, or `invalid_object` for zones
   *   that the creator does not see
   */
  return async (context: RequestContext, grant: Grant, now: string): Promise<Grant> => {
    const { caller, scope: seen } = context;
    const { credential } = caller;
    requireDelegation(caller);
    requireRoomInChain(caller);
    requireSameIdentity(context, grant);
    const scope = grant.scope ? readScope(grant.scope) : {};
    const names = await zoneNamesIn(scope, store, seen);
    const key = credential?.scope && firstKeyTooWide(scope, credential.scope, names);
    if (key) throw tooWide(key);
    const latest =
      credential === undefined ? later(now, settings.maxDaysFromKeystone * DAY_MS) : credential.expiresAt;
    return {
      ...grant,
      userId: caller.userId,
      expiresAt: earliest(grant.expiresAt, latest),
      ancestors: credential === undefined ? [] : [...credential.ancestors, credential.id],
      isCounted: true,
    };
  };
}

/**
 * Locks a project, removes its tokens that have ended, and refuses one more than it may have. So their number is
 * bounded.
 * @throws DomainError `over_quota`
 */
export async function requireRoomForToken(
  tx: Transaction,
  projectId: string,
  now: string,
  { maxPerProject }: TokenSettings,
): Promise<void> {
  await tx.projects.lock(projectId);
  const counted = await tx.apiTokens.countedOf(projectId);
  const live = await liveAmong(counted, (id) => tx.apiTokens.find(id), now);
  const ended = counted.filter((token) => !live.includes(token));
  if (ended.length > 0) await tx.apiTokens.removeAll(ended.map(({ id }) => id));
  if (live.length < maxPerProject) return;
  const message = `Quota exceeded: tokens. The project has ${live.length} live tokens; at most ${maxPerProject} are allowed. Revoke one.`;
  throw new DomainError('over_quota', message);
}
