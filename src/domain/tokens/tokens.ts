import type { Policy } from '../access/policy.ts';
import type { Act } from '../acts/act.ts';
import type { Target } from '../events/event.ts';
import type { UseCaseDeps } from '../use-case.ts';
import type { ApiToken } from './api-token.ts';
import { type GrantDraft, requireGrant } from './grant-draft.ts';
import { issueToken } from './token-secret.ts';

function targetOf({ id, projectId }: { id: string; projectId?: string }): Target {
  return { kind: 'token', id, projectId };
}

export interface TokenDeps extends Pick<UseCaseDeps, 'store' | 'clock' | 'acts'> {
  readonly policy: Pick<Policy, 'roles'>;
}

/** The use cases of API tokens. */
export function tokenUseCases({ store, clock, acts, policy }: TokenDeps) {
  return {
    /**
     * @returns the text of the token, which exists nowhere else
     * @throws DomainError `invalid_object` with the faults of the draft
     */
    async create(act: Act, draft: GrantDraft): Promise<string> {
      const now = clock.now();
      const { text, token } = issueToken(requireGrant(draft, now, policy.roles), now);
      const { hash: _, ...after } = token;
      return acts.change(act, targetOf(token), async (tx, tell) => {
        tx.apiTokens.insert(token);
        tell({ type: 'token.created', target: targetOf(token), after });
        return text;
      });
    },

    list(_act: Act): Promise<readonly ApiToken[]> {
      return store.apiTokens.list();
    },

    /** False where there is no such token. */
    revoke(act: Act, id: string): Promise<boolean> {
      return acts.change(act, targetOf({ id }), async (tx, tell) => {
        const removed = await tx.apiTokens.remove(id);
        if (removed) tell({ type: 'token.revoked', target: targetOf({ id }) });
        return removed;
      });
    },
  };
}
