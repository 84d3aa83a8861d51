import type { Lists } from '../lists.ts';
import type { ApiToken, ApiTokenQuery } from './api-token.ts';

export interface ApiTokenReads extends Lists<ApiToken, ApiTokenQuery> {
  find(id: string): Promise<ApiToken | undefined>;
  isEmpty(): Promise<boolean>;
  /** All matching tokens, in batches. */
  stream(
    query: Omit<ApiTokenQuery, 'limit' | 'marker'>,
    onBehalfOf: string,
  ): AsyncIterable<readonly ApiToken[]>;
}

export interface ApiTokenWrites {
  insert(token: ApiToken): void;
  /** Returns false if there is no such token. */
  remove(id: string): Promise<boolean>;
  /** Whether there are no tokens. Locks, so that only one transaction at a time can find this. */
  lockEmpty(): Promise<boolean>;
}
