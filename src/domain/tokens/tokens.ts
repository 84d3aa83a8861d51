import type { Policy } from '../../model/access/policy.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import { type RequestContext, requireProject } from '../../model/context/request-context.ts';
import { DomainError, invalidObject } from '../../model/errors.ts';
import type { Target } from '../../model/event-types/event.ts';
import type { Page } from '../../model/lists.ts';
import type { ApiToken, ApiTokenQuery, TokensWithin } from '../../model/tokens/api-token.ts';
import { readScope } from '../scopes/scope-shape.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { type GrantDraft, requireGrant } from './grant-draft.ts';
import {
  isSeen,
  ownGrants,
  ownTokens,
  requireDelegation,
  requireRoomForToken,
  type TokenSettings,
  zoneNamesIn,
} from './own-tokens.ts';
import { type Grant, issueToken } from './token-secret.ts';

/** A newly created token. */
export interface IssuedToken {
  readonly token: ApiToken;
  /** The credential that the caller presents. It is not stored. */
  readonly text: string;
}

function targetOf({ id, projectId }: { id: string; projectId?: string }): Target {
  return { kind: 'token', id, projectId };
}

export interface TokenDeps extends UseCaseDeps {
  readonly policy: Pick<Policy, 'roles'>;
  readonly tokens: TokenSettings;
}

/** The use cases of API tokens. */
export function tokenUseCases(deps: TokenDeps) {
  const { store, clock, access, unitOfWork, policy, tokens: settings } = deps;
  const ownGrant = ownGrants({ store, settings });

  /**
   * The tokens that a caller reaches: those of all projects where the rule for administrators allows it.
   * @throws DomainError `access_denied`
   */
  function reached(context: RequestContext, rule: RuleName, ownRule: RuleName): TokensWithin {
    const target = { projectId: context.projectId };
    if (access.allows(context, rule, target)) return undefined;
    access.require(context, ownRule, { projectId: context.caller.projectId });
    return ownTokens(context);
  }

  /** The grant as an administrator may make it. */
  async function anyGrant({ caller }: RequestContext, grant: Grant): Promise<Grant> {
    requireDelegation(caller);
    if (grant.scope) await zoneNamesIn(readScope(grant.scope), store, 'all projects');
    return grant;
  }

  /** Only callers who create a token for themselves can leave out its project and its roles. */
  function draftFor(context: RequestContext, { project, roles, ...draft }: GrantDraft, isForAny: boolean) {
    const missing = [...(project === undefined ? ['project'] : []), ...(roles === undefined ? ['role'] : [])];
    if (isForAny && missing.length > 0)
      throw invalidObject(missing.map((name) => ({ path: [name], message: 'This key is required.' })));
    return { ...draft, project: project ?? requireProject(context), roles: roles ?? context.caller.roles };
  }

  function seenBy(within: TokensWithin, token: ApiToken | undefined): ApiToken {
    if (token === undefined || (within !== undefined && !isSeen(within, token)))
      throw new DomainError('token_not_found');
    return token;
  }

  return {
    /**
     * @returns the token with its text, which is shown only once
     * @throws DomainError `invalid_object` with the faults of the draft, `scope_too_wide`, `over_quota`
     */
    async create(
      context: RequestContext,
      draft: GrantDraft,
      options: CreateOptions<IssuedToken> = {},
    ): Promise<IssuedToken> {
      const target = { projectId: context.projectId };
      const isForAny = access.allows(context, 'create_token', target);
      if (!isForAny) access.require(context, 'create_own_token', { projectId: context.caller.projectId });
      const now = clock.now();
      const read = requireGrant(
        draftFor(context, draft, isForAny),
        now,
        policy.roles,
        draft.roles !== undefined,
      );
      const grant = isForAny ? await anyGrant(context, read) : await ownGrant(context, read, now);
      const issued = issueToken(grant, now);
      const { hash: _, ...after } = issued.token;
      return unitOfWork.change(
        context,
        targetOf(after),
        async (tx, emit) => {
          if (issued.token.isCounted) await requireRoomForToken(tx, grant.projectId, now, settings);
          tx.apiTokens.insert(issued.token);
          emit({ type: 'token.created', target: targetOf(after), after });
          return issued;
        },
        options,
      );
    },

    async get(context: RequestContext, id: string): Promise<ApiToken> {
      const within = reached(context, 'list_tokens', 'list_own_tokens');
      return seenBy(within, await store.apiTokens.find(id));
    },

    async list(context: RequestContext, query: ApiTokenQuery): Promise<Page<ApiToken>> {
      const within = reached(context, 'list_tokens', 'list_own_tokens');
      return store.apiTokens.list(query, within, context.caller.projectId);
    },

    /** Streams every token that matches the filters, a page at a time. */
    stream(
      context: RequestContext,
      query: Omit<ApiTokenQuery, 'limit' | 'marker'>,
    ): AsyncIterable<readonly ApiToken[]> {
      const within = reached(context, 'list_tokens', 'list_own_tokens');
      return store.apiTokens.stream(query, within, context.caller.projectId);
    },

    /**
     * Revokes a token, and all that descend from it; the next request with one of them is refused.
     * @throws DomainError `token_not_found`
     */
    async revoke(context: RequestContext, id: string): Promise<void> {
      const within = reached(context, 'revoke_token', 'revoke_own_token');
      await unitOfWork.change(context, targetOf({ id }), async (tx, emit) => {
        const token = seenBy(within, await tx.apiTokens.find(id));
        const below = await tx.apiTokens.descendantsOf(token);
        const ended = [token, ...below];
        if ((await tx.apiTokens.removeAll(ended.map((one) => one.id))) === 0)
          throw new DomainError('token_not_found');
        for (const one of ended) emit({ type: 'token.revoked', target: targetOf({ id: one.id }) });
      });
    },
  };
}

export type TokenUseCases = ReturnType<typeof tokenUseCases>;
