import { Agent as HttpAgent, type IncomingMessage, request as requestByHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https';
import { setTimeout as after } from 'node:timers/promises';
import type { ConnectionSettings } from './settings.ts';
import { KeystoneTrouble, UnusableDocument } from './trouble.ts';

export interface KeystoneRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}

export interface KeystoneResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/**
 * Maximum size of an answer, in bytes. A project token with a catalogue of hundreds of endpoints takes tens of
 * thousands.
 */
const LARGEST_ANSWER = 2 ** 20;
const MOST_CONNECTIONS = 64;
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

async function textOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST_ANSWER) {
      const Trouble = response.statusCode === 200 ? UnusableDocument : KeystoneTrouble;
      throw new Trouble(`Keystone's response is larger than ${LARGEST_ANSWER} bytes.`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** An HTTP client for Keystone. */
export class KeystoneConnection {
  readonly #settings: ConnectionSettings;
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    const { ca, certificate: cert, key, isInsecure } = settings;
    // If Keystone runs one process per connection, an idle connection would block a process for everyone else.
    const limits = { keepAlive: false, maxSockets: MOST_CONNECTIONS };
    this.#agents = {
      'http:': new HttpAgent(limits),
      'https:': new HttpsAgent({ ...limits, ca, cert, key, rejectUnauthorized: !isInsecure }),
    };
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
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #answerIn(outcome: KeystoneResponse | ConnectionFailure, { aborted }: AbortSignal): KeystoneResponse {
    if (!(outcome instanceof Error)) return outcome;
    if (outcome instanceof KeystoneTrouble) throw outcome;
    const message = aborted
      ? `Keystone did not answer within ${this.#settings.timeoutMs} ms.`
      : `Keystone cannot be reached: ${outcome.message}`;
    throw new KeystoneTrouble(message, { cause: outcome });
  }

  #attempt({ method, url, headers, body }: KeystoneRequest, signal: AbortSignal): Promise<KeystoneResponse> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const isTls = url.startsWith('https:');
    const options = {
      method,
      agent: this.#agents[isTls ? 'https:' : 'http:'],
      signal,
      headers: {
        accept: 'application/json',
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...headers,
      },
    };
    return new Promise((resolve, reject) => {
      const outgoing = (isTls ? requestByHttps : requestByHttp)(url, options, (response) => {
        textOf(response).then(
          (text) => resolve({ status: response.statusCode!, headers: response.headers, text }),
          reject,
        );
      });
      outgoing.once('error', reject);
      // Without a listener, the request would end with neither an error nor an answer.
      outgoing.once('upgrade', (_, socket) => {
        socket.destroy();
        reject(new KeystoneTrouble('Keystone switched to another protocol.'));
      });
      outgoing.end(text);
    });
  }
}
