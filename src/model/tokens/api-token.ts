import type { ListQuery } from '../lists.ts';

export const TOKEN_SORT_KEYS = ['created_at', 'expires_at', 'id', 'project_id', 'user_id'] as const;
export const TOKEN_FILTERS = ['project_id', 'user_id'] as const;
export type ApiTokenQuery = ListQuery<(typeof TOKEN_SORT_KEYS)[number], (typeof TOKEN_FILTERS)[number]>;

/** An API token as it is stored: never the secret, only its hash. */
export interface ApiToken {
  readonly id: string;
  /** SHA-256 of the secret, hexadecimal. */
  readonly hash: string;
  readonly projectId: string;
  readonly userId: string;
  readonly roles: readonly string[];
  readonly createdAt: string;
  /** Null: never. */
  readonly expiresAt: string | null;
  readonly description: string | null;
}
