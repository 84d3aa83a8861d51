import type { KeystoneConnection, KeystoneResponse } from './connection.ts';
import type { HeldToken, OwnToken } from './own-token.ts';
import { jsonOf, type KeystoneToken, parseToken } from './token-document.ts';
import { type KeystoneTrouble, troubleOf, UnusableDocument } from './trouble.ts';

/** Whether a 404 is Keystone's own: one of a proxy, or of a wrong URL, says nothing about what was asked for. */
function isKeystones404({ status, text }: KeystoneResponse): boolean {
  if (status !== 404) return false;
  const { error } = jsonOf(text);
  return typeof error === 'object' && error !== null && (error as { code?: unknown }).code === 404;
}

/** Nobody can use a token whose document cannot be used: it is like an unknown one. */
function withoutDocument(error: unknown): undefined {
  if (!(error instanceof UnusableDocument)) throw error;
}

function unexpected({ status }: KeystoneResponse, what: string): KeystoneTrouble {
  const reason =
    status === 403
      ? 'the account in [keystone_authtoken] lacks the right: grant it the role service on its project, or reader on the system'
      : 'that is no answer to it';
  return troubleOf(status, `Keystone answers ${status} to ${what}: ${reason}.`);
}

/** What the service asks Keystone, each question with the service's own token. */
export class KeystoneClient {
  readonly #connection: KeystoneConnection;
  readonly #own: OwnToken;

  constructor(connection: KeystoneConnection, own: OwnToken) {
    this.#connection = connection;
    this.#own = own;
  }

  /**
   * What a token stands for; undefined if Keystone says that it is not valid, or what it says of it cannot be used.
   * @param isExpiredAllowed whether one that has expired is shown, too
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
    throw unexpected(answer, 'the question about a project');
  }

  async #findToken(text: string, isExpiredAllowed: boolean): Promise<KeystoneToken | undefined> {
    const query = isExpiredAllowed ? '?nocatalog&allow_expired=1' : '?nocatalog';
    const answer = await this.#ask(`/auth/tokens${query}`, {
      'x-subject-token': text,
      // Without it, tokens of application credentials with access rules are unknown to Keystone.
      'openstack-identity-access-rules': '1',
    });
    if (answer.status === 200) return parseToken(answer.text);
    if (isKeystones404(answer)) return undefined;
    throw unexpected(answer, 'the question about a token');
  }

  /** Asks once more if Keystone does not take the service's own token: it may have been revoked. */
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
