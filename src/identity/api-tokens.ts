import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../domain/access/caller.ts';
import type { ApiToken } from '../domain/tokens/api-token.ts';
import type { ApiTokenReads } from '../domain/tokens/store.ts';

/** What a token is granted. */
export interface Grant {
  readonly projectId: string;
  readonly roles: readonly string[];
  /** The token's own id where it names nobody. */
  readonly userId?: string | undefined;
  readonly expiresAt?: string | undefined;
}

const TOKEN = /^zw_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * Draws a new token: `zw_<id>_<secret>`, with 256 random bits in the secret.
 * @returns the text for the caller, which exists nowhere else, and the record to store
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
  };
  return { text: `zw_${id}_${secret}`, token };
}

function isSecretOf(token: ApiToken, secret: string): boolean {
  return timingSafeEqual(hashOf(secret), Buffer.from(token.hash, 'hex'));
}

/**
 * The caller that a token stands for; undefined when it is unknown, expired or malformed.
 * @param now the present moment in the store's form
 */
export async function authenticate(
  tokens: ApiTokenReads,
  text: string,
  now: string,
): Promise<Caller | undefined> {
  const [, id, secret] = TOKEN.exec(text) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const token = await tokens.find(id);
  if (token === undefined || !isSecretOf(token, secret)) return undefined;
  if (token.expiresAt !== null && token.expiresAt <= now) return undefined;
  return { projectId: token.projectId, userId: token.userId, roles: token.roles };
}
