import type { Authentication, Credentials } from '../domain/access/authentication.ts';
import { readScope } from '../domain/scopes/scope-shape.ts';
import { isSecretOf, parseToken } from '../domain/tokens/token-secret.ts';
import type { TokenUses } from '../domain/tokens/token-uses.ts';
import type { Credential } from '../model/access/caller.ts';
import type { Clock } from '../model/clock.ts';
import { DomainError } from '../model/errors.ts';
import { allowsAddress, type CredentialScope, type ScopeJson } from '../model/scopes/credential-scope.ts';
import { type ApiToken, endOf } from '../model/tokens/api-token.ts';
import type { ApiTokenReads } from '../model/tokens/store.ts';

const UNKNOWN: Authentication = { kind: 'nobody', reason: 'unknown', issuer: 'ourselves' };
const EXPIRED: Authentication = { kind: 'nobody', reason: 'expired', issuer: 'ourselves' };
const ELSEWHERE: Authentication = { kind: 'nobody', reason: 'other_network', issuer: 'ourselves' };

/** Maximum number of scopes that are kept as read; the first read are dropped. */
const MAX_SCOPES = 1000;

/** Authenticates by the token alone. */
interface TokenAuthenticator {
  authenticate(credentials: Pick<Credentials, 'token' | 'address'>): Promise<Authentication>;
}

interface TokenAuthenticatorDeps {
  readonly tokens: Pick<ApiTokenReads, 'find'>;
  readonly clock: Clock;
  readonly uses: TokenUses;
}

/** A scope that cannot be read must not open anything. */
function readStored(id: string, scope: ScopeJson): CredentialScope {
  try {
    return readScope(scope);
  } catch (cause) {
    throw new Error(`The scope of the token ${id} cannot be read.`, { cause });
  }
}

/** Reads the scopes of tokens. The scope of a token never changes. */
function scopeReader(): (token: ApiToken) => CredentialScope | null {
  const read = new Map<string, CredentialScope>();
  return ({ id, scope }) => {
    if (scope === null) return null;
    const known = read.get(id);
    if (known !== undefined) return known;
    const first = read.size === MAX_SCOPES ? read.keys().next().value : undefined;
    if (first !== undefined) read.delete(first);
    const found = readStored(id, scope);
    read.set(id, found);
    return found;
  };
}

/** Authenticates by the API tokens in the store. */
export function tokenAuthenticator({ tokens, clock, uses }: TokenAuthenticatorDeps): TokenAuthenticator {
  const scopeOf = scopeReader();

  /** The tokens that it descends from; undefined if one of them has ended. */
  async function ancestorsOf({ ancestors }: ApiToken, now: string): Promise<readonly ApiToken[] | undefined> {
    const found = await Promise.all(ancestors.map((id) => tokens.find(id)));
    const live = found.filter((one) => one !== undefined && endOf(one, now) === undefined);
    return live.length === found.length ? (live as readonly ApiToken[]) : undefined;
  }

  function credentialOf(token: ApiToken, ancestors: readonly ApiToken[]): Credential {
    const rates = [token, ...ancestors].flatMap((one) => {
      const rate = scopeOf(one)?.rate;
      return rate === undefined ? [] : [[one.id, rate] as const];
    });
    const { id, expiresAt } = token;
    return {
      kind: 'token',
      id,
      scope: scopeOf(token),
      ancestors: token.ancestors,
      expiresAt,
      rates: new Map(rates),
    };
  }

  /** The token of a text, if its secret is right. */
  async function findBySecret(text: string): Promise<ApiToken | undefined> {
    const parsed = parseToken(text);
    const token = parsed && (await tokens.find(parsed.id));
    return token !== undefined && isSecretOf(token, parsed!.secret) ? token : undefined;
  }

  async function verdict(text: string, address: string): Promise<Authentication> {
    const token = await findBySecret(text);
    if (token === undefined) return UNKNOWN;
    const now = clock.now();
    const ancestors = endOf(token, now) === undefined ? await ancestorsOf(token, now) : undefined;
    if (ancestors === undefined) return EXPIRED;
    const credential = credentialOf(token, ancestors);
    if (credential.scope !== null && !allowsAddress(credential.scope, address)) return ELSEWHERE;
    uses.note(token, now, address);
    const { projectId, userId, roles } = token;
    return { kind: 'caller', caller: { projectId, userId, roles, credential } };
  }

  return {
    async authenticate({ token, address }) {
      if (token === undefined) return { kind: 'nobody', reason: 'missing', issuer: 'ourselves' };
      try {
        return await verdict(token, address);
      } catch (error) {
        if (error instanceof DomainError && error.kind === 'storage_unavailable') {
          return { kind: 'unavailable', error };
        }
        throw error;
      }
    },
  };
}
