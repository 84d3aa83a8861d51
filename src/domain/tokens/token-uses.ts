/** When tokens were last used. It is written in the background, at most once a minute for each. */
import { later } from '../../model/clock.ts';
import type { Store } from '../../model/store.ts';
import { type ApiToken, type TokenUse, USE_MS } from '../../model/tokens/api-token.ts';
import type { Job } from '../../runtime/jobs.ts';

const INTERVAL_MS = 10_000;
/** Maximum number of uses that wait to be written; others are not noted until then. */
const MAX_WAITING = 10_000;
const USES_OF_A_TRANSACTION = 200;

export class TokenUses {
  readonly #waiting = new Map<string, TokenUse>();

  /** @param now in the store's format */
  note({ id, lastUsedAt }: Pick<ApiToken, 'id' | 'lastUsedAt'>, now: string, from: string): void {
    if (this.#waiting.has(id) || this.#waiting.size === MAX_WAITING) return;
    if (lastUsedAt === null || later(lastUsedAt, USE_MS) <= now) this.#waiting.set(id, { id, at: now, from });
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Some of the uses, which then wait no longer. */
  take(): readonly TokenUse[] {
    const uses = [...this.#waiting.values()].slice(0, USES_OF_A_TRANSACTION);
    for (const { id } of uses) this.#waiting.delete(id);
    return uses;
  }
}

/** The job that writes the uses of this process. */
export function tokenUsesJob({ store, uses }: { readonly store: Store; readonly uses: TokenUses }): Job {
  return {
    name: 'token-uses',
    intervalMs: INTERVAL_MS,
    retry: { firstMs: 1000, factor: 2, maxMs: INTERVAL_MS },
    yieldsToRequests: true,
    isDue: async () => !uses.isEmpty,
    async slice() {
      const taken = uses.take();
      if (taken.length > 0) await store.transaction(async (tx) => tx.apiTokens.noteUses(taken));
      return !uses.isEmpty;
    },
  };
}
