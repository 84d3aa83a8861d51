/** Sends one event to a receiver over HTTP. */
import { isIP } from 'node:net';
import type { AddressRule } from '../addresses/address-rule.ts';
import { checkedLookup } from '../addresses/checked-lookup.ts';
import type { Message } from '../domain/webhooks/cloud-event.ts';
import { HttpClient, type HttpResponse } from '../runtime/http-client.ts';
import { receiverRule } from './address-rule.ts';
import { type Secrets, signatureHeaders } from './signature.ts';

/** Maximum bytes read from a response; only its status matters. */
const MAX_RESPONSE_BYTES = 65_536;
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

function outcomeOf({ status, headers }: HttpResponse): DeliveryOutcome {
  if (status >= 200 && status < 300) return { kind: 'taken' };
  const reason = `the receiver answered ${status}`;
  if (status === GONE) return { kind: 'gone', reason };
  return { kind: 'failed', reason, retryAfterMs: milliseconds(headers['retry-after']) };
}

function reasonOf(error: unknown): string {
  // If several addresses were tried, there is one error for each.
  const [one = error] = error instanceof AggregateError ? error.errors : [];
  const { message, code } = one as NodeJS.ErrnoException;
  return (message || code || 'the request failed').slice(0, LONGEST_REASON);
}

/** Sends events to one receiver, one at a time, over its own connection. */
export class Sender {
  readonly #endpoint: Endpoint;
  readonly #url: URL;
  readonly #client: HttpClient;
  readonly #rule: AddressRule;

  constructor(endpoint: Endpoint) {
    const { url, ca, allowPrivate } = endpoint;
    this.#endpoint = endpoint;
    this.#url = new URL(url);
    this.#rule = receiverRule(allowPrivate);
    const lookup = checkedLookup(this.#rule);
    this.#client = new HttpClient({ keepAlive: true, maxSockets: 1, idleMs: IDLE_MS, ca, lookup });
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
    this.#client.close();
  }

  async #attempt({ id, body }: Message, signal: AbortSignal): Promise<DeliveryOutcome> {
    const seconds = Math.floor(Date.now() / 1000);
    const response = await this.#client.send({
      method: 'POST',
      url: this.#url,
      headers: {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'user-agent': 'zonewarden',
        ...signatureHeaders(this.#endpoint.secrets, id, seconds, body),
      },
      body,
      signal,
    });
    const outcome = outcomeOf(response);
    const end = response.discard(MAX_RESPONSE_BYTES);
    await (outcome.kind === 'taken' ? end : end.catch(() => {}));
    return outcome;
  }
}
