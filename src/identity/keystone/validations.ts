import { createHash } from 'node:crypto';
import { DomainError } from '../../model/errors.ts';
import type { KeystoneAdmission } from './admission.ts';
import type { Breaker } from './breaker.ts';
import type { KeystoneClient } from './client.ts';
import { KeptAnswers } from './kept-answers.ts';
import type { KeystoneToken } from './token-document.ts';
import { KeystoneTrouble } from './trouble.ts';

const MOST_KEPT = { answers: 20_000, bytes: 2 ** 25 };
const MOST_REFUSED = { answers: 20_000, bytes: 2 ** 22 };
/** How long a token that Keystone does not know is refused without asking, in milliseconds. */
const REFUSED_MS = 5000;
/** What an entry takes beside its text. */
const ENTRY_BYTES = 200;

export interface ValidationDeps {
  readonly client: Pick<KeystoneClient, 'findToken'>;
  readonly breaker: Breaker;
  readonly admission: KeystoneAdmission;
  /** Milliseconds. */
  readonly cacheMs: number;
}

/** The error of a question that Keystone did not answer. */
export function unavailable(error: unknown): unknown {
  return error instanceof KeystoneTrouble
    ? new DomainError('identity_unavailable', undefined, { cause: error })
    : error;
}

/** A token is kept under its SHA-256, never as it is. */
function keyOf(text: string, isExpiredAllowed: boolean): string {
  return `${isExpiredAllowed ? 'expired ' : ''}${createHash('sha256').update(text).digest('base64')}`;
}

/** What Keystone says of tokens, asked once for each and kept for a while. */
export class Validations {
  readonly #deps: ValidationDeps;
  readonly #known = new KeptAnswers<KeystoneToken>(MOST_KEPT);
  readonly #unknown = new KeptAnswers<true>(MOST_REFUSED);
  readonly #running = new Map<string, Promise<KeystoneToken | undefined>>();

  constructor(deps: ValidationDeps) {
    this.#deps = deps;
  }

  /**
   * What a token stands for, whether or not it is over by now; undefined if Keystone does not know it.
   * @param isExpiredAllowed whether Keystone is to show one that has expired, too
   * @throws DomainError `identity_unavailable`, `too_many_validations`
   */
  async find(text: string, address: string, isExpiredAllowed = false): Promise<KeystoneToken | undefined> {
    const key = keyOf(text, isExpiredAllowed);
    const known = this.#known.find(key);
    if (known !== undefined || this.#unknown.find(key)) return known;
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const asked = this.#ask(key, text, address, isExpiredAllowed).finally(() => this.#running.delete(key));
    this.#running.set(key, asked);
    return asked;
  }

  async #ask(
    key: string,
    text: string,
    address: string,
    isExpiredAllowed: boolean,
  ): Promise<KeystoneToken | undefined> {
    const { client, breaker, admission, cacheMs } = this.#deps;
    try {
      const found = await admission.run(address, () =>
        breaker.run(() => client.findToken(text, isExpiredAllowed)),
      );
      if (found === undefined) this.#unknown.keep(key, true, Math.min(REFUSED_MS, cacheMs), ENTRY_BYTES);
      else this.#keep(key, found, isExpiredAllowed);
      return found;
    } catch (error) {
      throw unavailable(error);
    }
  }

  #keep(key: string, token: KeystoneToken, isExpiredAllowed: boolean): void {
    const { cacheMs } = this.#deps;
    const ms = isExpiredAllowed ? cacheMs : Math.min(cacheMs, token.expiresAt - Date.now());
    this.#known.keep(key, token, ms, ENTRY_BYTES + 2 * JSON.stringify(token).length);
  }
}
