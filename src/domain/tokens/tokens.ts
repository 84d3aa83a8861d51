import type { Policy } from '../../model/access/policy.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Target } from '../../model/event-types/event.ts';
import type { Page } from '../../model/lists.ts';
import type { ApiToken, ApiTokenQuery } from '../../model/tokens/api-token.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { type GrantDraft, requireGrant } from './grant-draft.ts';
import { issueToken } from './token-secret.ts';

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
}

/** The use cases of API tokens. */
export function tokenUseCases({ store, clock, access, acts, policy }: TokenDeps) {
  async function find(id: string): Promise<ApiToken> {
    const token = await store.apiTokens.find(id);
    if (token === undefined) throw new DomainError('token_not_found');
    return token;
  }

  return {
    /**
     * @returns the token with its text, which is shown only once
     * @throws DomainError `invalid_object` with the faults of the draft
     */
    async create(act: RequestContext<IssuedToken>, draft: GrantDraft): Promise<IssuedToken> {
      access.require(act, 'create_token', { projectId: act.projectId });
      const now = clock.now();
      const issued = issueToken(requireGrant(draft, now, policy.roles), now);
      const { hash: _, ...after } = issued.token;
      return acts.change(act, targetOf(after), async (tx, tell) => {
        tx.apiTokens.insert(issued.token);
        tell({ type: 'token.created', target: targetOf(after), after });
        return issued;
      });
    },

    async get(act: RequestContext, id: string): Promise<ApiToken> {
      access.require(act, 'list_tokens', { projectId: act.projectId });
      return find(id);
    },

    async list(act: RequestContext, query: ApiTokenQuery): Promise<Page<ApiToken>> {
      access.require(act, 'list_tokens', { projectId: act.projectId });
      return store.apiTokens.list(query, undefined, act.caller.projectId);
    },

    /** Streams every token that matches the filters, a page at a time. */
    stream(
      act: RequestContext,
      query: Omit<ApiTokenQuery, 'limit' | 'marker'>,
    ): AsyncIterable<readonly ApiToken[]> {
      access.require(act, 'list_tokens', { projectId: act.projectId });
      return store.apiTokens.stream(query, act.caller.projectId);
    },

    /**
     * Revokes a token; the next request with it is refused.
     * @throws DomainError `token_not_found`
     */
    async revoke(act: RequestContext, id: string): Promise<void> {
      access.require(act, 'revoke_token', { projectId: act.projectId });
      await acts.change(act, targetOf({ id }), async (tx, tell) => {
        if (!(await tx.apiTokens.remove(id))) throw new DomainError('token_not_found');
        tell({ type: 'token.revoked', target: targetOf({ id }) });
      });
    },
  };
}

export type TokenUseCases = ReturnType<typeof tokenUseCases>;
