import type { Authentication, Credentials } from '../domain/access/authentication.ts';
import { isSecretOf, parseToken } from '../domain/tokens/token-secret.ts';
import type { Clock } from '../model/clock.ts';
import { DomainError } from '../model/errors.ts';
import type { ApiTokenReads } from '../model/tokens/store.ts';

const UNKNOWN: Authentication = { kind: 'nobody', reason: 'unknown', issuer: 'ourselves' };

/** Authenticates by the token alone. */
interface TokenAuthenticator {
  authenticate(credentials: Pick<Credentials, 'token'>): Promise<Authentication>;
}

/** Authenticates by the API tokens in the store. */
export function tokenAuthenticator(tokens: Pick<ApiTokenReads, 'find'>, clock: Clock): TokenAuthenticator {
  async function verdict(text: string): Promise<Authentication> {
    const parsed = parseToken(text);
    const token = parsed && (await tokens.find(parsed.id));
    if (token === undefined || !isSecretOf(token, parsed!.secret)) return UNKNOWN;
    const { projectId, userId, roles, expiresAt } = token;
    if (expiresAt !== null && expiresAt <= clock.now()) {
      return { kind: 'nobody', reason: 'expired', issuer: 'ourselves' };
    }
    return { kind: 'caller', caller: { projectId, userId, roles } };
  }

  return {
    async authenticate({ token }) {
      if (token === undefined) return { kind: 'nobody', reason: 'missing', issuer: 'ourselves' };
      try {
        return await verdict(token);
      } catch (error) {
        if (error instanceof DomainError && error.kind === 'storage_unavailable') {
          return { kind: 'unavailable', error };
        }
        throw error;
      }
    },
  };
}
