/** Sends one event to a receiver over HTTP. */
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as requestByHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https';
import { isIP } from 'node:net';
import type { AddressRule } from '../addresses/address-rule.ts';
import { checkedLookup } from '../addresses/checked-lookup.ts';
import type { Message } from '../domain/webhooks/cloud-event.ts';
import { receiverRule } from './address-rule.ts';
import { type Secrets, signatureHeaders } from './signature.ts';

/** Maximum bytes read from a response; only its status matters. */
const LARGEST_ANSWER = 65_536;
/** Time an idle connection is kept open, in milliseconds. */
const IDLE_MS = 20_000;
const LONGEST_REASON = 300;
const GONE = 410;

export interface Endpoint {
  readonly url: string;
  readonly secrets: Secrets;
  /** Timeout of a whole request, in milliseconds. */
  readonly timeoutMs: number;
  readonly allowPrivate: boolean;
  /** CA certificates for the receiver; undefined for the default ones. */
  readonly ca: string | undefined;
}

/** Outcome of a request. */
export type DeliveryOutcome =
  | { readonly kind: 'taken' }
  /** The receiver wants no more events. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** `retryAfterMs` is the delay that the receiver asked for, in milliseconds; 0 if none. */
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs: number };

function milliseconds(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return 0;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): DeliveryOutcome {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'taken' };
  const reason = `the receiver answered ${statusCode}`;
  if (statusCode === GONE) return { kind: 'gone', reason };
  return { kind: 'failed', reason, retryAfterMs: milliseconds(headers['retry-after']) };
}

function reasonOf(error: unknown): string {
  // If several addresses were tried, there is one error for each.
  const [one = error] = error instanceof AggregateError ? error.errors : [];
  const { message, code } = one as NodeJS.ErrnoException;
  return (message || code || 'the request failed').slice(0, LONGEST_REASON);
}

/** Reads a response to its end, or up to the limit. */
function drained(response: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    let size = 0;
    response.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= LARGEST_ANSWER) return;
      resolve();
      response.destroy();
    });
    response.once('end', resolve);
    response.once('error', reject);
    response.once('close', () => reject(new Error('the response was cut off')));
  });
}

function responseTo(outgoing: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
    // A receiver that switches protocols, for example, closes the exchange without an error.
    outgoing.once('close', () => reject(new Error('the connection closed without a response')));
    outgoing.end(body);
  });
}

/** Sends events to one receiver, one at a time, over its own connection. */
export class Sender {
  readonly #endpoint: Endpoint;
  readonly #url: URL;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #rule: AddressRule;
  readonly #lookup: RequestOptions['lookup'];

  constructor(endpoint: Endpoint) {
    const { url, ca, allowPrivate } = endpoint;
    this.#endpoint = endpoint;
    this.#url = new URL(url);
    this.#rule = receiverRule(allowPrivate);
    this.#lookup = checkedLookup(this.#rule);
    const limits = { keepAlive: true, maxSockets: 1, maxFreeSockets: 1, timeout: IDLE_MS };
    this.#agent =
      this.#url.protocol === 'https:'
        ? new HttpsAgent({ ...limits, ca, rejectUnauthorized: true })
        : new HttpAgent(limits);
  }

  /** Sends a message once. Never throws. */
  async send(message: Message, signal: AbortSignal): Promise<DeliveryOutcome> {
    const host = this.#url.hostname.replace(/^\[|\]$/g, '');
    // IP addresses skip the lookup, so check them here.
    const fault = isIP(host) === 0 ? undefined : this.#rule(host);
    if (fault !== undefined) return { kind: 'failed', reason: fault, retryAfterMs: 0 };
    const { timeoutMs } = this.#endpoint;
    const ending = new AbortController();
    const end = () => ending.abort();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, timeoutMs);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    try {
      return await this.#attempt(message, ending.signal);
    } catch (error) {
      const reason = isLate ? `no complete response within ${timeoutMs / 1000} s` : reasonOf(error);
      return { kind: 'failed', reason, retryAfterMs: 0 };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #attempt(message: Message, signal: AbortSignal): Promise<DeliveryOutcome> {
    const outgoing = this.#request(message, signal);
    try {
      return await this.#answerTo(outgoing, message);
    } catch (error) {
      // The receiver may have closed an idle connection while the request was on its way.
      if (!outgoing.reusedSocket || signal.aborted) throw error;
      return this.#answerTo(this.#request(message, signal), message);
    }
  }

  async #answerTo(outgoing: ClientRequest, { body }: Message): Promise<DeliveryOutcome> {
    const response = await responseTo(outgoing, body);
    // The response reports later errors.
    outgoing.on('error', () => {});
    const outcome = outcomeOf(response);
    const end = drained(response);
    await (outcome.kind === 'taken' ? end : end.catch(() => {}));
    return outcome;
  }

  #request({ id, body }: Message, signal: AbortSignal): ClientRequest {
    const isTls = this.#url.protocol === 'https:';
    return (isTls ? requestByHttps : requestByHttp)(this.#url, {
      method: 'POST',
      agent: this.#agent,
      lookup: this.#lookup,
      signal,
      headers: {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'zonewarden',
        ...signatureHeaders(this.#endpoint.secrets, id, Math.floor(Date.now() / 1000), body),
      },
    });
  }
}
