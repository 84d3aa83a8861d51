/** The token for requests to a Designate: given directly, or from Keystone by the usual environment variables. */
import { SourceError } from '../domain/adoption/source.ts';
import { KeystoneConnection } from '../identity/keystone/connection.ts';
import { type HeldToken, OwnToken, versionThree } from '../identity/keystone/own-token.ts';
import { KeystoneError } from '../identity/keystone/trouble.ts';
import type { DesignateSettings, TokenSource } from './settings.ts';

export type OpenStackEnvironment = Readonly<Record<string, string | undefined>>;

const RETRIES_OF_KEYSTONE = 3;

/** A token source for an existing token. */
export function fixedToken(token: string): TokenSource {
  return { get: async () => token, renew: () => false };
}

const given = (value: string | undefined): value is string => value !== undefined && value !== '';

/** @throws SourceTrouble naming the missing variable */
function required(environment: OpenStackEnvironment, ...names: readonly string[]): string {
  const value = names.map((name) => environment[name]).find(given);
  if (value !== undefined) return value;
  throw new SourceError(`${names.join(' or ')} is not set. Set it, or pass a token with --token-file.`);
}

type CredentialReference = { readonly id: string } | { readonly name: string; readonly domain: object };

function domainOf(environment: OpenStackEnvironment, whose: 'USER' | 'PROJECT'): object {
  const { OS_DEFAULT_DOMAIN_NAME: name, OS_DEFAULT_DOMAIN_ID: id } = environment;
  const ownId = environment[`OS_${whose}_DOMAIN_ID`];
  const ownName = environment[`OS_${whose}_DOMAIN_NAME`];
  if (given(ownId)) return { id: ownId };
  if (given(ownName)) return { name: ownName };
  if (given(id)) return { id };
  return given(name) ? { name } : { id: 'default' };
}

function userOf(environment: OpenStackEnvironment): CredentialReference {
  const { OS_USER_ID: id } = environment;
  if (given(id)) return { id };
  return { name: required(environment, 'OS_USERNAME', 'OS_USER_ID'), domain: domainOf(environment, 'USER') };
}

function scopeOf(environment: OpenStackEnvironment): object {
  const { OS_SYSTEM_SCOPE: system, OS_PROJECT_ID: id } = environment;
  if (given(system)) return { system: { all: true } };
  if (given(id)) return { project: { id } };
  const name = required(environment, 'OS_PROJECT_NAME', 'OS_PROJECT_ID');
  return { project: { name, domain: domainOf(environment, 'PROJECT') } };
}

/** The `auth` object of the token request. */
function authOf(environment: OpenStackEnvironment): object {
  const { OS_APPLICATION_CREDENTIAL_ID: id, OS_APPLICATION_CREDENTIAL_NAME: name } = environment;
  if (given(id) || given(name)) {
    const secret = required(environment, 'OS_APPLICATION_CREDENTIAL_SECRET');
    const credential = given(id) ? { id, secret } : { name, user: userOf(environment), secret };
    return { identity: { methods: ['application_credential'], application_credential: credential } };
  }
  const user = { ...userOf(environment), password: required(environment, 'OS_PASSWORD') };
  return { identity: { methods: ['password'], password: { user } }, scope: scopeOf(environment) };
}

/**
 * A Keystone token, renewed before it expires.
 * @throws SourceTrouble naming a missing variable
 */
export function keystoneToken(
  environment: OpenStackEnvironment,
  { timeoutMs, ca, isInsecure }: Pick<DesignateSettings, 'timeoutMs' | 'ca' | 'isInsecure'>,
): TokenSource {
  const authUrl = versionThree(required(environment, 'OS_AUTH_URL'));
  const connection = new KeystoneConnection({
    timeoutMs,
    retries: RETRIES_OF_KEYSTONE,
    ca,
    certificate: undefined,
    key: undefined,
    isInsecure,
  });
  const credentials = { kind: 'as given', auth: authOf(environment) } as const;
  const own = new OwnToken(connection, { authUrl, credentials, endpoint: undefined });
  let held: HeldToken | undefined;
  return {
    async get() {
      try {
        held = await own.get();
        return held.text;
      } catch (error) {
        if (error instanceof KeystoneError) throw new SourceError(error.message, { cause: error });
        throw error;
      }
    },
    renew(token) {
      if (held?.text === token) own.forget(held);
      return true;
    },
  };
}
