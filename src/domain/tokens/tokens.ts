import type { Policy } from '../../model/access/policy.ts';
import type { CreateOptions } from '../../model/context/options.ts';
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
export function tokenUseCases({ store, clock, access, unitOfWork, policy }: TokenDeps) {
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
    async create(
      context: RequestContext,
      draft: GrantDraft,
      options: CreateOptions<IssuedToken> = {},
    ): Promise<IssuedToken> {
      access.require(context, 'create_token', { projectId: context.projectId });
      const now = clock.now();
      const issued = issueToken(requireGrant(draft, now, policy.roles), now);
      const { hash: _, ...after } = issued.token;
      return unitOfWork.change(
        context,
        targetOf(after),
        async (tx, emit) => {
          tx.apiTokens.insert(issued.token);
          emit({ type: 'token.created', target: targetOf(after), after });
          return issued;
        },
        options,
      );
    },

    async get(context: RequestContext, id: string): Promise<ApiToken> {
      access.require(context, 'list_tokens', { projectId: context.projectId });
      return find(id);
    },

    async list(context: RequestContext, query: ApiTokenQuery): Promise<Page<ApiToken>> {
      access.require(context, 'list_tokens', { projectId: context.projectId });
      return store.apiTokens.list(query, undefined, context.caller.projectId);
    },

    /** Streams every token that matches the filters, a page at a time. */
    stream(
      context: RequestContext,
      query: Omit<ApiTokenQuery, 'limit' | 'marker'>,
    ): AsyncIterable<readonly ApiToken[]> {
      access.require(context, 'list_tokens', { projectId: context.projectId });
      return store.apiTokens.stream(query, context.caller.projectId);
    },

    /**
     * Revokes a token; the next request with it is refused.
     * @throws DomainError `token_not_found`
     */
    async revoke(context: RequestContext, id: string): Promise<void> {
      access.require(context, 'revoke_token', { projectId: context.projectId });
      await unitOfWork.change(context, targetOf({ id }), async (tx, emit) => {
        if (!(await tx.apiTokens.remove(id))) throw new DomainError('token_not_found');
        emit({ type: 'token.revoked', target: targetOf({ id }) });
      });
    },
  };
}

export type TokenUseCases = ReturnType<typeof tokenUseCases>;
