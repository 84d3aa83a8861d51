import type { KeystoneConnection, KeystoneResponse } from './connection.ts';
import type { HeldToken, OwnToken } from './own-token.ts';
import { jsonOf, type KeystoneToken, parseToken } from './token-document.ts';
import { type KeystoneError, keystoneErrorOf, UnusableDocument } from './trouble.ts';

/** True if a 404 comes from Keystone itself: one from a proxy, or for a wrong URL, says nothing about the object. */
function isKeystones404({ status, text }: KeystoneResponse): boolean {
  if (status !== 404) return false;
  const { error } = jsonOf(text);
  return typeof error === 'object' && error !== null && (error as { code?: unknown }).code === 404;
}

/** A token with an unusable document is useless to anyone, so it counts as unknown. */
function withoutDocument(error: unknown): undefined {
  if (!(error instanceof UnusableDocument)) throw error;
}

function unexpected({ status }: KeystoneResponse, what: string): KeystoneError {
  const reason =
    status === 403
      ? 'the account in [keystone_authtoken] lacks permission: grant it the role service on its project, or reader on the system'
      : 'unexpected status';
  return keystoneErrorOf(status, `Keystone answered ${status} to ${what}: ${reason}.`);
}

/** The requests that the service sends to Keystone, each with the service's own token. */
export class KeystoneClient {
  readonly #connection: KeystoneConnection;
  readonly #own: OwnToken;

  constructor(connection: KeystoneConnection, own: OwnToken) {
    this.#connection = connection;
    this.#own = own;
  }

  /**
   * What a token stands for; undefined if Keystone calls it invalid, or its document is unusable.
   * @param isExpiredAllowed whether to accept an expired token, too
   * @throws KeystoneTrouble
   */
  async findToken(text: string, isExpiredAllowed: boolean): Promise<KeystoneToken | undefined> {
    return this.#findToken(text, isExpiredAllowed).catch(withoutDocument);
  }

  /** @throws KeystoneTrouble */
  async hasProject(id: string): Promise<boolean> {
    const answer = await this.#ask(`/projects/${encodeURIComponent(id)}`, {});
    if (answer.status === 200) return jsonOf(answer.text).project !== undefined;
    if (isKeystones404(answer)) return false;
    throw unexpected(answer, 'a project lookup');
  }

  async #findToken(text: string, isExpiredAllowed: boolean): Promise<KeystoneToken | undefined> {
    const query = isExpiredAllowed ? '?nocatalog&allow_expired=1' : '?nocatalog';
    const answer = await this.#ask(`/auth/tokens${query}`, {
      'x-subject-token': text,
      // Without this header, Keystone does not recognise tokens of application credentials with access rules.
      'openstack-identity-access-rules': '1',
    });
    if (answer.status === 200) return parseToken(answer.text);
    if (isKeystones404(answer)) return undefined;
    throw unexpected(answer, 'a token validation');
  }

  /** Retries once with a new token if Keystone rejects the service's own token: it may have been revoked. */
  async #ask(path: string, headers: Readonly<Record<string, string>>): Promise<KeystoneResponse> {
    const own = await this.#own.get();
    const answer = await this.#askWith(own, path, headers);
    if (answer.status !== 401) return answer;
    this.#own.forget(own);
    return this.#askWith(await this.#own.get(), path, headers);
  }

  #askWith(
    own: HeldToken,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<KeystoneResponse> {
    return this.#connection.ask({
      method: 'GET',
      url: `${own.url}${path}`,
      headers: { ...headers, 'x-auth-token': own.text },
    });
  }
}
