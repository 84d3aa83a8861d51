import type { Authenticator } from '../../domain/access/authentication.ts';
import type { PasswordLogin } from '../../domain/access/password-login.ts';
import type { ProjectDirectory } from '../../domain/quotas/project-directory.ts';
import { type AddressCount, Admission } from './admission.ts';
import { keystoneAuthenticator } from './authenticator.ts';
import { Breaker } from './breaker.ts';
import { KeystoneClient } from './client.ts';
import { KeystoneConnection } from './connection.ts';
import { OwnToken } from './own-token.ts';
import { keystoneLogin } from './password-login.ts';
import type { KeystoneSettings } from './settings.ts';
import { unavailable, Validations } from './validations.ts';

export interface Keystone {
  readonly authenticator: Authenticator;
  readonly login: PasswordLogin;
  readonly projects: ProjectDirectory;
  close(): void;
}

/** Keystone, as this service asks it. Nothing is asked before somebody needs an answer. */
export function keystoneAt(settings: KeystoneSettings, byAddress: AddressCount): Keystone {
  const connection = new KeystoneConnection(settings.connection);
  const client = new KeystoneClient(connection, new OwnToken(connection, settings));
  const breaker = new Breaker();
  const admission = new Admission(settings.most, byAddress);
  const validations = new Validations({ client, breaker, admission, cacheMs: settings.cacheMs });
  return {
    authenticator: keystoneAuthenticator(validations, settings),
    login: keystoneLogin({ connection, breaker, admission, authUrl: settings.authUrl }),
    projects: {
      async exists(projectId) {
        try {
          return await breaker.run(() => client.hasProject(projectId));
        } catch (error) {
          throw unavailable(error);
        }
      },
    },
    close: () => connection.close(),
  };
}
