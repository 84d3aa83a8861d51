/** Composition root for authentication: options → API tokens, Keystone. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { usesKeystone } from '../config/keystone-consistency.ts';
import { ConfigError } from '../config/load.ts';
import type { Config } from '../config/options.ts';
import type { Authenticator } from '../domain/access/authentication.ts';
import type { PasswordLogin } from '../domain/access/password-login.ts';
import type { ProjectDirectory } from '../domain/quotas/project-directory.ts';
import type { TokenUses } from '../domain/tokens/token-uses.ts';
import { PerAddress } from '../http/edge/per-address.ts';
import { tokenAuthenticator } from '../identity/api-tokens.ts';
import { keystoneAt } from '../identity/keystone/keystone.ts';
import { versionThree } from '../identity/keystone/own-token.ts';
import type {
  ConnectionSettings,
  KeystoneSettings,
  OwnCredentials,
  Secret,
} from '../identity/keystone/settings.ts';
import { sideBySide } from '../identity/side-by-side.ts';
import { systemClock } from '../model/clock.ts';
import type { ApiTokenReads } from '../model/tokens/store.ts';

/** Maximum number of concurrent token validations: Keystone also serves other services. */
const MAX_CONCURRENT_VALIDATIONS = 32;

function fileAt(option: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ConfigError(
      `[keystone_authtoken] ${option}: the file ${path} cannot be read: ${(error as Error).message}.`,
      { cause: error },
    );
  }
}

const optionalFile = (option: string, path: string): Buffer | undefined =>
  path === '' ? undefined : fileAt(option, path);

/** Returns the given secret, or one that reads its file on each use. */
function secretOf(option: string, given: string, path: string): Secret {
  if (path === '') return () => given;
  const read = () =>
    fileAt(option, path)
      .toString('utf8')
      .replace(/\r?\n$/, '');
  read();
  return read;
}

function credentialsOf(config: Config): OwnCredentials {
  if (config.keystoneAuthType === 'v3applicationcredential') {
    const secret = secretOf(
      'application_credential_secret_file',
      config.keystoneApplicationCredentialSecret,
      config.keystoneApplicationCredentialSecretFile,
    );
    return { kind: 'application credential', id: config.keystoneApplicationCredentialId, secret };
  }
  const { keystoneProjectName: name, keystoneProjectDomainName: domain } = config;
  return {
    kind: 'password',
    userName: config.keystoneUsername,
    userDomain: config.keystoneUserDomainName,
    password: secretOf('password_file', config.keystonePassword, config.keystonePasswordFile),
    project: name === '' ? undefined : { name, domain },
  };
}

/** The catalogue endpoint to use, if any. Without an interface, keystonemiddleware takes the internal one. */
function endpointOf({ keystoneInterface, keystoneRegionName }: Config): KeystoneSettings['endpoint'] {
  if (keystoneInterface === '' && keystoneRegionName === '') return undefined;
  return { interface: keystoneInterface || 'internal', region: keystoneRegionName };
}

/**
 * Reads the TLS files.
 * @throws ConfigError if a file is not PEM, or the key does not match the certificate
 */
function tlsFiles(config: Config): Pick<ConnectionSettings, 'ca' | 'certificate' | 'key'> {
  const ca = optionalFile('cafile', config.keystoneCafile);
  const certificate = optionalFile('certfile', config.keystoneCertfile);
  const key = optionalFile('keyfile', config.keystoneKeyfile);
  try {
    createSecureContext({ ca, cert: certificate, key });
  } catch (error) {
    throw new ConfigError(
      `[keystone_authtoken] cafile, certfile, keyfile: must be PEM files, and keyfile the key of certfile: ${(error as Error).message}.`,
      { cause: error },
    );
  }
  return { ca, certificate, key };
}

/** Logins have their own allowance, a quarter of that for tokens, so that neither starves the other. */
function rateLimits(perSecond: number): KeystoneSettings['max'] {
  return {
    validations: { atOnce: MAX_CONCURRENT_VALIDATIONS, perSecond },
    logins: { atOnce: MAX_CONCURRENT_VALIDATIONS / 4, perSecond: Math.ceil(perSecond / 4) },
  };
}

/** The Keystone settings, or undefined if Keystone is not used. */
function keystoneSettings(config: Config): KeystoneSettings | undefined {
  if (!usesKeystone(config)) return undefined;
  return {
    connection: {
      timeoutMs: config.keystoneHttpConnectTimeout * 1000,
      retries: config.keystoneHttpRequestMaxRetries,
      ...tlsFiles(config),
      isInsecure: config.keystoneInsecure,
    },
    authUrl: versionThree(config.keystoneAuthUrl),
    endpoint: endpointOf(config),
    credentials: credentialsOf(config),
    cacheMs: config.keystoneTokenCacheTime * 1000,
    serviceType: config.serviceType,
    serviceTokenRoles: config.keystoneServiceTokenRoles,
    areServiceRolesRequired: config.keystoneServiceTokenRolesRequired,
    max: rateLimits(config.keystoneValidationsPerSecond),
  };
}

/** The URL of Keystone for clients without a valid token; undefined if Keystone tokens are not accepted. */
export function advertisedKeystone(config: Config): string | undefined {
  if (!config.authStrategy.includes('keystone')) return undefined;
  return config.keystoneWwwAuthenticateUri || config.keystoneAuthUrl;
}

export interface Identities {
  readonly authenticator: Authenticator;
  /** Set if Keystone tokens are accepted: users log in with their password to get one. */
  readonly login: PasswordLogin | undefined;
  /** Set if quotas are limited to projects that Keystone knows. */
  readonly projects: ProjectDirectory | undefined;
  close(): void;
}

/**
 * Opens the identity providers that the options enable.
 * @throws ConfigError if a file cannot be read
 */
export function openIdentities(
  config: Config,
  tokens: Pick<ApiTokenReads, 'find'>,
  uses: TokenUses,
): Identities {
  const settings = keystoneSettings(config);
  const { authStrategy, quotasVerifyProjectId, keystoneValidationsPerAddress } = config;
  const keystone = settings && keystoneAt(settings, () => new PerAddress(keystoneValidationsPerAddress));
  return {
    authenticator: sideBySide({
      own: authStrategy.includes('token')
        ? tokenAuthenticator({ tokens, clock: systemClock(), uses })
        : undefined,
      keystone: authStrategy.includes('keystone') ? keystone?.authenticator : undefined,
    }),
    login: authStrategy.includes('keystone') ? keystone?.login : undefined,
    projects: quotasVerifyProjectId ? keystone?.projects : undefined,
    close: () => keystone?.close(),
  };
}
