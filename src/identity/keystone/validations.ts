import { createHash } from 'node:crypto';
import { DomainError } from '../../model/errors.ts';
import type { KeystoneAdmission } from './admission.ts';
import type { Breaker } from './breaker.ts';
import type { KeystoneClient } from './client.ts';
import { ResponseCache } from './response-cache.ts';
import type { KeystoneToken } from './token-document.ts';
import { KeystoneError } from './trouble.ts';

const MAX_KEPT = { entries: 20_000, bytes: 2 ** 25 };
const MAX_REFUSED = { entries: 20_000, bytes: 2 ** 22 };
/** How long a token unknown to Keystone is rejected without asking again, in milliseconds. */
const REFUSED_MS = 5000;
/** Approximate size of a cache entry without its document, in bytes. */
const ENTRY_BYTES = 200;

export interface ValidationDeps {
  readonly client: Pick<KeystoneClient, 'findToken'>;
  readonly breaker: Breaker;
  readonly admission: KeystoneAdmission;
  /** How long a validation is cached, in milliseconds. */
  readonly cacheMs: number;
}

/** Converts the error of a request that Keystone did not answer. */
export function unavailable(error: unknown): unknown {
  return error instanceof KeystoneError
    ? new DomainError('identity_unavailable', undefined, { cause: error })
    : error;
}

/** A token is cached under its SHA-256, never in plain text. */
function keyOf(text: string, isExpiredAllowed: boolean): string {
  return `${isExpiredAllowed ? 'expired ' : ''}${createHash('sha256').update(text).digest('base64')}`;
}

/** Keystone's validations of tokens: one request per token, cached for a while. */
export class Validations {
  readonly #deps: ValidationDeps;
  readonly #known = new ResponseCache<KeystoneToken>(MAX_KEPT);
  readonly #unknown = new ResponseCache<true>(MAX_REFUSED);
  readonly #running = new Map<string, Promise<KeystoneToken | undefined>>();

  constructor(deps: ValidationDeps) {
    this.#deps = deps;
  }

  /**
   * What a token stands for, even if it has expired since; undefined if Keystone does not know it.
   * @param isExpiredAllowed whether Keystone should also accept an expired token
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
