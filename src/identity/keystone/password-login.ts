import type { LoginOutcome, PasswordCredentials, PasswordLogin } from '../../domain/access/password-login.ts';
import type { KeystoneAdmission } from './admission.ts';
import type { Breaker } from './breaker.ts';
import type { KeystoneConnection } from './connection.ts';
import type { KnownAddresses } from './known-addresses.ts';
import { endOf } from './token-document.ts';
import { keystoneErrorOf } from './trouble.ts';
import { unavailable } from './validations.ts';

interface PasswordLoginDeps {
  readonly connection: Pick<KeystoneConnection, 'ask'>;
  readonly breaker: Breaker;
  readonly admission: KeystoneAdmission;
  readonly known: Pick<KnownAddresses, 'note'>;
  /** Ends in `/v3`. */
  readonly authUrl: string;
}

function bodyOf({ user, password, domain, project }: PasswordCredentials): object {
  const account = { name: user, password, domain: { name: domain } };
  const scope =
    project === undefined
      ? {}
      : { scope: { project: { name: project.name, domain: { name: project.domain } } } };
  return { auth: { identity: { methods: ['password'], password: { user: account } }, ...scope } };
}

/** Requests Keystone tokens for users. */
export function keystoneLogin({
  connection,
  breaker,
  admission,
  known,
  authUrl,
}: PasswordLoginDeps): PasswordLogin {
  async function ask(credentials: PasswordCredentials): Promise<LoginOutcome> {
    const url = `${authUrl}/auth/tokens?nocatalog`;
    const { status, headers, text } = await connection.ask({
      method: 'POST',
      url,
      body: bodyOf(credentials),
    });
    if (status === 401 || status === 403) return { kind: 'refused' };
    const token = headers['x-subject-token'];
    if (status === 201 && typeof token === 'string')
      return { kind: 'token', text: token, endsAt: endOf(text) };
    throw keystoneErrorOf(status, `Keystone answered ${status} to a user's login.`);
  }

  return {
    async login(credentials) {
      try {
        const { address } = credentials;
        const outcome = await admission.run(address, () => breaker.run(() => ask(credentials)));
        if (outcome.kind === 'token') known.note(address);
        return outcome;
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}
