import type { Authenticator } from '../../domain/access/authentication.ts';
import type { PasswordLogin } from '../../domain/access/password-login.ts';
import type { ProjectDirectory } from '../../domain/quotas/project-directory.ts';
import { type AddressCount, KeystoneAdmission } from './admission.ts';
import { keystoneAuthenticator } from './authenticator.ts';
import { Breaker } from './breaker.ts';
import { KeystoneClient } from './client.ts';
import { KeystoneConnection } from './connection.ts';
import { KnownAddresses } from './known-addresses.ts';
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

/**
 * The Keystone client of this service. It sends nothing until an answer is needed.
 * @param newCount creates a counter of requests per address and second
 */
export function keystoneAt(settings: KeystoneSettings, newCount: () => AddressCount): Keystone {
  const connection = new KeystoneConnection(settings.connection);
  const client = new KeystoneClient(connection, new OwnToken(connection, settings));
  const breaker = new Breaker();
  const known = new KnownAddresses();
  const admission = new KeystoneAdmission(settings.max.validations, newCount(), known);
  const logins = new KeystoneAdmission(settings.max.logins, newCount(), known);
  const validations = new Validations({ client, breaker, admission, cacheMs: settings.cacheMs });
  return {
    authenticator: keystoneAuthenticator(validations, settings, known),
    login: keystoneLogin({ connection, breaker, admission: logins, known, authUrl: settings.authUrl }),
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
