import type { Lists } from '../lists.ts';
import type { ApiToken, ApiTokenQuery, TokensWithin, TokenUse } from './api-token.ts';

export interface ApiTokenReads extends Lists<ApiToken, ApiTokenQuery, TokensWithin> {
  find(id: string): Promise<ApiToken | undefined>;
  isEmpty(): Promise<boolean>;
  /**
   * The tokens of a project that have not expired, those first that last longest. One of them may have ended otherwise.
   * @param now in the store's format
   */
  unexpiredOf(projectId: string, now: string, limit: number): Promise<readonly ApiToken[]>;
  /** All matching tokens, in batches. */
  stream(
    query: Omit<ApiTokenQuery, 'limit' | 'marker'>,
    within: TokensWithin,
    onBehalfOf: string,
  ): AsyncIterable<readonly ApiToken[]>;
}

export interface ApiTokenWrites {
  insert(token: ApiToken): void;
  find(id: string): Promise<ApiToken | undefined>;
  /** The tokens that count towards the limit of a project. There are few: those that have ended are removed in time. */
  countedOf(projectId: string): Promise<readonly ApiToken[]>;
  /** The tokens that descend from one of a project. */
  descendantsOf(token: Pick<ApiToken, 'id' | 'projectId'>): Promise<readonly ApiToken[]>;
  /** Returns false if there is no such token. */
  remove(id: string): Promise<boolean>;
  /** Removes those that exist. Returns how many it removed. */
  removeAll(ids: readonly string[]): Promise<number>;
  /** Notes when tokens were last used. Tokens that are gone are skipped. */
  noteUses(uses: readonly TokenUse[]): void;
  /** Whether there are no tokens. Locks, so that only one transaction at a time can find this. */
  lockEmpty(): Promise<boolean>;
}
