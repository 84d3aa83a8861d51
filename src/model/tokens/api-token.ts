import { later } from '../clock.ts';
import type { ListQuery } from '../lists.ts';
import type { ScopeJson } from '../scopes/credential-scope.ts';

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
  /** Null if it can do whatever its roles allow. It never changes. */
  readonly scope: ScopeJson | null;
  /** Seconds without use after which it ends; null for none. */
  readonly maxUnused: number | null;
  /** The ids of the tokens that it descends from; the one that created it comes last. */
  readonly ancestors: readonly string[];
  /** True if it counts towards the limit of its project: all but those of administrators. */
  readonly isCounted: boolean;
  readonly lastUsedAt: string | null;
  readonly lastUsedFrom: string | null;
}

/** The use of a token. */
export interface TokenUse {
  readonly id: string;
  readonly at: string;
  /** The address of the client. */
  readonly from: string;
}

/** The tokens that a caller sees: those of all projects, of one, or one token of a project with its descendants. */
export type TokensWithin = { readonly projectId: string; readonly below?: string | undefined } | undefined;

/** Uses are stored at most once a minute, so a token may have been used so much later than the store knows. */
export const USE_MS = 60_000;

/** Why a token on its own has ended; undefined if it has not. */
export function endOf(
  { expiresAt, maxUnused, lastUsedAt, createdAt }: ApiToken,
  now: string,
): 'expired' | 'unused' | undefined {
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  if (maxUnused === null) return undefined;
  return later(lastUsedAt ?? createdAt, maxUnused * 1000 + USE_MS) <= now ? 'unused' : undefined;
}
