import type { ListQuery } from '../lists.ts';

export const TOKEN_SORT_KEYS = ['created_at', 'expires_at', 'id', 'project_id', 'user_id'] as const;
export const TOKEN_FILTERS = ['project_id', 'user_id'] as const;
export type ApiTokenQuery = ListQuery<(typeof TOKEN_SORT_KEYS)[number], (typeof TOKEN_FILTERS)[number]>;

/** A stored API token: only the hash of the secret, never the secret. */
export interface ApiToken {
  readonly id: string;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly hash: string;
  readonly projectId: string;
  readonly userId: string;
  readonly roles: readonly string[];
  readonly createdAt: string;
  /** Null if it never expires. */
  readonly expiresAt: string | null;
  readonly description: string | null;
}
