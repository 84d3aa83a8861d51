import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { HttpClient, type HttpResponse, OtherProtocol, ResponseTooLarge } from '../../runtime/http-client.ts';
import type { ConnectionSettings } from './settings.ts';
import { KeystoneError, UnusableDocument } from './trouble.ts';

export interface KeystoneRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}

export interface KeystoneResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Maximum size of an answer, in bytes. A project token with a catalogue of hundreds of endpoints takes tens of
 * thousands.
 */
const MAX_RESPONSE_BYTES = 2 ** 20;
const MAX_CONNECTIONS = 64;
/** Pause before the first retry; doubled for each further one. */
const FIRST_PAUSE_MS = 100;

/** Connection errors that are worth a retry. */
const BROKEN: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** A proxy's statuses for an unreachable Keystone. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

type ConnectionFailure = Error & { readonly code?: unknown };

function isWorthRetrying(outcome: KeystoneResponse | ConnectionFailure): boolean {
  return outcome instanceof Error ? BROKEN.has(outcome.code) : AWAY.has(outcome.status);
}

async function textOf(response: HttpResponse): Promise<string> {
  try {
    return await response.text(MAX_RESPONSE_BYTES);
  } catch (error) {
    if (!(error instanceof ResponseTooLarge)) throw error;
    const Trouble = response.status === 200 ? UnusableDocument : KeystoneError;
    throw new Trouble(`Keystone's response is larger than ${MAX_RESPONSE_BYTES} bytes.`);
  }
}

/** An HTTP client for Keystone. */
export class KeystoneConnection {
  readonly #settings: ConnectionSettings;
  readonly #client: HttpClient;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    // If Keystone runs one process per connection, an idle connection would block a process for everyone else.
    this.#client = new HttpClient({ ...settings, keepAlive: false, maxSockets: MAX_CONNECTIONS });
  }

  /**
   * Sends a request and retries after a broken connection, all within one time-out.
   * @throws KeystoneTrouble if there is no answer of any status
   */
  async ask(question: KeystoneRequest): Promise<KeystoneResponse> {
    const signal = AbortSignal.timeout(this.#settings.timeoutMs);
    for (let tries = 0; tries < this.#settings.retries; tries++) {
      const outcome = await this.#attempt(question, signal).catch((error: ConnectionFailure) => error);
      if (signal.aborted || !isWorthRetrying(outcome)) return this.#answerIn(outcome, signal);
      await after(FIRST_PAUSE_MS * 2 ** tries);
    }
    const outcome = await this.#attempt(question, signal).catch((error: ConnectionFailure) => error);
    return this.#answerIn(outcome, signal);
  }

  close(): void {
    this.#client.close();
  }

  #answerIn(outcome: KeystoneResponse | ConnectionFailure, { aborted }: AbortSignal): KeystoneResponse {
    if (!(outcome instanceof Error)) return outcome;
    if (outcome instanceof KeystoneError) throw outcome;
    if (outcome instanceof OtherProtocol)
      throw new KeystoneError('Keystone switched to another protocol.', { cause: outcome });
    const message = aborted
      ? `Keystone did not answer within ${this.#settings.timeoutMs} ms.`
      : `Keystone cannot be reached: ${outcome.message}`;
    throw new KeystoneError(message, { cause: outcome });
  }

  async #attempt(question: KeystoneRequest, signal: AbortSignal): Promise<KeystoneResponse> {
    const { method, url, headers, body } = question;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await this.#client.send({
      method,
      url,
      headers: { accept: 'application/json', ...type, ...headers },
      body: body && JSON.stringify(body),
      signal,
    });
    return { status: response.status, headers: response.headers, text: await textOf(response) };
  }
}
