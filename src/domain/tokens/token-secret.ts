import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Parsed } from '../../dns/parsed.ts';
import type { ScopeJson } from '../../model/scopes/credential-scope.ts';
import type { ApiToken } from '../../model/tokens/api-token.ts';

/** The rights of a token, and its description. */
export interface Grant {
  readonly projectId: string;
  readonly roles: readonly string[];
  /** Defaults to the token's own id. */
  readonly userId?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly description?: string | null | undefined;
  readonly scope?: ScopeJson | null | undefined;
  /** In seconds. */
  readonly maxUnused?: number | null | undefined;
  readonly ancestors?: readonly string[] | undefined;
  readonly isCounted?: boolean | undefined;
}

const TOKEN_ID = /^[0-9a-f]{16}$/;
const TOKEN = /^zw_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * Creates a new token: `zw_<id>_<secret>`, with 256 random bits in the secret.
 * @param now the current time in the store's format
 * @returns the text for the caller, which is not stored, and the row to store
 */
export function issueToken(grant: Grant, now: string): { text: string; token: ApiToken } {
  const id = randomBytes(8).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  const token: ApiToken = {
    id,
    hash: hashOf(secret).toString('hex'),
    projectId: grant.projectId,
    userId: grant.userId ?? id,
    roles: grant.roles,
    createdAt: now,
    expiresAt: grant.expiresAt ?? null,
    description: grant.description ?? null,
    scope: grant.scope ?? null,
    maxUnused: grant.maxUnused ?? null,
    ancestors: grant.ancestors ?? [],
    isCounted: grant.isCounted ?? false,
    lastUsedAt: null,
    lastUsedFrom: null,
  };
  return { text: `zw_${id}_${secret}`, token };
}

/** True if the text may be one of our tokens, even a damaged one. Such a text must not be sent to another service. */
export function looksLikeToken(text: string): boolean {
  return /^zw_/i.test(text);
}

/** The id and the secret of a token; undefined if the text is not a token. */
export function parseToken(text: string): { id: string; secret: string } | undefined {
  const [, id, secret] = TOKEN.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** The id of a token as stored, in lower case. */
export function parseTokenId(text: string): Parsed<string> {
  const value = text.length === 16 ? text.toLowerCase() : '';
  return TOKEN_ID.test(value)
    ? { ok: true, value }
    : { ok: false, reason: 'The id of a token has 16 hexadecimal digits.' };
}

/** Compares in constant time. */
export function isSecretOf(token: ApiToken, secret: string): boolean {
  return timingSafeEqual(hashOf(secret), Buffer.from(token.hash, 'hex'));
}
