import type { Authenticator } from '../domain/access/authentication.ts';
import { looksLikeToken } from '../domain/tokens/token-secret.ts';
import type { tokenAuthenticator } from './api-tokens.ts';

export interface Issuers {
  /** Our own API tokens, if enabled. */
  readonly own: ReturnType<typeof tokenAuthenticator> | undefined;
  /** Keystone tokens, if enabled. */
  readonly keystone: Authenticator | undefined;
}

/** Picks the issuer by the token's format. A token in our own format is never sent to Keystone. */
export function sideBySide({ own, keystone }: Issuers): Authenticator {
  return {
    async authenticate(credentials) {
      const { token } = credentials;
      const isOurs = keystone === undefined || token === undefined || looksLikeToken(token);
      if (!isOurs) return keystone.authenticate(credentials);
      if (own !== undefined) return own.authenticate(credentials);
      return { kind: 'nobody', reason: token === undefined ? 'missing' : 'unknown', issuer: 'ourselves' };
    },
  };
}
