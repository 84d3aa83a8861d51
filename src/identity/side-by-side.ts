import type { Authenticator } from '../domain/access/authentication.ts';
import { looksLikeToken } from '../domain/tokens/token-secret.ts';
import type { tokenAuthenticator } from './api-tokens.ts';

export interface Issuers {
  /** API tokens of our own, if they are accepted. */
  readonly own: ReturnType<typeof tokenAuthenticator> | undefined;
  /** Tokens of Keystone, if they are accepted. */
  readonly keystone: Authenticator | undefined;
}

/** Authenticates by whichever issuer has tokens of that form. A text of our own form is never shown to another one. */
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
