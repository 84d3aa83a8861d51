import type { KeystoneConnection } from './connection.ts';
import type { KeystoneSettings, OwnCredentials } from './settings.ts';
import { endOf, endpointIn } from './token-document.ts';
import { KeystoneError, UnexpectedResponse } from './trouble.ts';

/** The service's own token, and the Keystone URL to use it with. */
export interface HeldToken {
  readonly text: string;
  /** Ends in `/v3`. */
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/**
 * Time before expiry at which a token is renewed, in milliseconds; a shorter-lived token is renewed after half its
 * life.
 */
const RENEWED_BEFORE = 120_000;

const OPTIONS = "the service's own credentials in [keystone_authtoken]";
/** Where the credentials come from. */
const WHERE = {
  password: OPTIONS,
  'application credential': OPTIONS,
  'as given': 'the credentials of the environment',
} as const;

/** The URL of API version 3, for a URL with or without a version. */
export function versionThree(url: string): string {
  const plain = url.replace(/\/+$/, '');
  return /\/v3$/.test(plain) ? plain : `${plain.replace(/\/v2\.0$/, '')}/v3`;
}

function bodyOf(credentials: OwnCredentials): object {
  if (credentials.kind === 'as given') return { auth: credentials.auth };
  if (credentials.kind === 'application credential') {
    const { id, secret } = credentials;
    const identity = {
      methods: ['application_credential'],
      application_credential: { id, secret: secret() },
    };
    return { auth: { identity } };
  }
  const { userName, userDomain, password, project } = credentials;
  const user = { name: userName, domain: { name: userDomain }, password: password() };
  const scope =
    project === undefined
      ? { system: { all: true } }
      : { project: { name: project.name, domain: { name: project.domain } } };
  return { auth: { identity: { methods: ['password'], password: { user } }, scope } };
}

/** Without its own token the service cannot query Keystone at all, so an odd answer affects every request. */
function ofAll(error: unknown): never {
  throw error instanceof UnexpectedResponse ? new KeystoneError(error.message, { cause: error }) : error;
}

/** The token with which the service itself authenticates to Keystone. */
export class OwnToken {
  readonly #connection: KeystoneConnection;
  readonly #settings: Pick<KeystoneSettings, 'authUrl' | 'credentials' | 'endpoint'>;
  #held: HeldToken | undefined;
  #renewAt = 0;
  #asking: Promise<HeldToken> | undefined;

  constructor(
    connection: KeystoneConnection,
    settings: Pick<KeystoneSettings, 'authUrl' | 'credentials' | 'endpoint'>,
  ) {
    this.#connection = connection;
    this.#settings = settings;
  }

  /**
   * The token, renewed before it expires. Concurrent callers share one request.
   * @throws KeystoneTrouble
   */
  async get(): Promise<HeldToken> {
    if (this.#held !== undefined && Date.now() < this.#renewAt) return this.#held;
    this.#asking ??= this.#ask()
      .catch(ofAll)
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }

  /** Discards a token that Keystone no longer accepts. */
  forget(token: HeldToken): void {
    if (this.#held === token) this.#held = undefined;
  }

  async #ask(): Promise<HeldToken> {
    const { authUrl, credentials, endpoint } = this.#settings;
    const url = `${authUrl}/auth/tokens${endpoint === undefined ? '?nocatalog' : ''}`;
    const { status, headers, text } = await this.#connection.ask({
      method: 'POST',
      url,
      body: bodyOf(credentials),
    });
    const token = headers['x-subject-token'];
    if (status !== 201 || typeof token !== 'string') {
      throw new KeystoneError(`Keystone answered ${status} to ${WHERE[credentials.kind]}.`);
    }
    const endsAt = endOf(text);
    this.#held = { text: token, url: this.#urlIn(text), endsAt };
    this.#renewAt = endsAt - Math.min(RENEWED_BEFORE, (endsAt - Date.now()) / 2);
    return this.#held;
  }

  #urlIn(text: string): string {
    const { authUrl, endpoint } = this.#settings;
    if (endpoint === undefined) return authUrl;
    const url = endpointIn(text, 'identity', endpoint);
    if (url !== undefined && /^https?:\/\//.test(url)) return versionThree(url);
    throw new KeystoneError(
      `Keystone's catalogue has no identity endpoint for interface "${endpoint.interface}" and region "${endpoint.region}".`,
    );
  }
}
