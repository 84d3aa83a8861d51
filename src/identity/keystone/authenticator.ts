import type { Authentication, Authenticator, Credentials } from '../../domain/access/authentication.ts';
import { looksLikeToken } from '../../domain/tokens/token-secret.ts';
import { type Caller, NO_PROJECT } from '../../model/access/caller.ts';
import { DomainError } from '../../model/errors.ts';
import { isAllowed } from './access-rules.ts';
import type { KnownAddresses } from './known-addresses.ts';
import type { KeystoneSettings } from './settings.ts';
import type { KeystoneToken } from './token-document.ts';
import type { Validations } from './validations.ts';

/** Matches every kind of token that Keystone issues, with ample length. */
const PLAUSIBLE = /^[A-Za-z0-9._~+/=-]{1,4096}$/;

type SettledAuthentication = Exclude<Authentication, { kind: 'unavailable' }>;
type TokenStanding = 'none' | 'trusted' | 'invalid';
type Reason = Extract<Authentication, { kind: 'nobody' }>['reason'];

export type KeystoneAuthenticatorSettings = Pick<
  KeystoneSettings,
  'serviceType' | 'serviceTokenRoles' | 'areServiceRolesRequired'
>;

function nobody(reason: Reason): SettledAuthentication {
  return { kind: 'nobody', reason, issuer: 'keystone' };
}

function isOver({ expiresAt }: KeystoneToken): boolean {
  return expiresAt <= Date.now();
}

/** True if a text may be a Keystone token. Tokens in our own format are never sent to Keystone. */
function isPlausible(text: string): boolean {
  return PLAUSIBLE.test(text) && !looksLikeToken(text);
}

function callerOf(token: KeystoneToken): Caller {
  const { user, project, isForSystem, roles, auditIds, accessRules, isRestricted } = token;
  return {
    mayNotDelegate: isRestricted || accessRules !== undefined,
    projectId: project?.id ?? NO_PROJECT,
    userId: user.id,
    roles,
    systemScope: isForSystem ? 'all' : undefined,
    details: {
      userName: user.name,
      userDomain: user.domain,
      projectName: project?.name,
      projectDomain: project?.domain,
      auditIds,
    },
  };
}

/** Authenticates by Keystone tokens. */
export function keystoneAuthenticator(
  validations: Pick<Validations, 'find'>,
  settings: KeystoneAuthenticatorSettings,
  known: Pick<KnownAddresses, 'note'>,
): Authenticator {
  const { serviceType, serviceTokenRoles, areServiceRolesRequired } = settings;

  /** A token with one of the roles makes an expired user token acceptable; `invalid` rejects the request. */
  function standingOf({ roles }: KeystoneToken): TokenStanding {
    if (roles.some((role) => serviceTokenRoles.includes(role))) return 'trusted';
    return areServiceRolesRequired ? 'invalid' : 'none';
  }

  /** The standing of a request's service token. */
  async function serviceStanding({ serviceToken, address }: Credentials): Promise<TokenStanding> {
    if (serviceToken === undefined) return 'none';
    if (!isPlausible(serviceToken)) return 'invalid';
    const token = await validations.find(serviceToken, address);
    return token === undefined || isOver(token) ? 'invalid' : standingOf(token);
  }

  /** The outcome for a token that Keystone accepts. */
  function outcomeFor(
    token: KeystoneToken,
    isTrusted: boolean,
    credentials: Credentials,
  ): SettledAuthentication {
    const { accessRules } = token;
    const isFree = isTrusted || accessRules === undefined;
    if (!isTrusted && isOver(token)) return nobody('expired');
    if (!isFree && !isAllowed(accessRules, serviceType, credentials)) return nobody('forbidden_here');
    return { kind: 'caller', caller: callerOf(token) };
  }

  async function verdict(text: string, credentials: Credentials): Promise<SettledAuthentication> {
    if (!isPlausible(text)) return nobody('unknown');
    const standing = await serviceStanding(credentials);
    if (standing === 'invalid') return nobody('unknown_service');
    const isTrusted = standing === 'trusted';
    const token = await validations.find(text, credentials.address, isTrusted);
    if (token === undefined) return nobody('unknown');
    const outcome = outcomeFor(token, isTrusted, credentials);
    if (outcome.kind === 'caller') known.note(credentials.address);
    return outcome;
  }

  return {
    async authenticate(credentials) {
      const { token } = credentials;
      if (token === undefined) return nobody('missing');
      try {
        return await verdict(token, credentials);
      } catch (error) {
        if (error instanceof DomainError) return { kind: 'unavailable', error };
        throw error;
      }
    },
  };
}
