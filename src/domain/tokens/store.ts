import type { ApiToken } from './api-token.ts';

export interface ApiTokenReads {
  find(id: string): Promise<ApiToken | undefined>;
  list(): Promise<readonly ApiToken[]>;
}

export interface ApiTokenWrites {
  insert(token: ApiToken): void;
  /** False when there is no such token. */
  remove(id: string): Promise<boolean>;
  /** Whether there is none. Only one transaction at a time can find that. */
  lockEmpty(): Promise<boolean>;
}
