import { setTimeout as after } from 'node:timers/promises';
import { GoneFromSource, SourceError } from '../domain/adoption/source.ts';
import { isObject } from '../domain/shapes/shape.ts';
import { HttpClient, type HttpResponse, ResponseTooLarge } from '../runtime/http-client.ts';
import type { DesignateSettings, TokenSource } from './settings.ts';

export type Json = Readonly<Record<string, unknown>>;

interface DesignateRequest {
  readonly path: string;
  readonly isCounted: boolean;
}

interface DesignateResponse {
  readonly status: number;
  /** Redirect target; '' if there is none. */
  readonly location: string;
  /** What is wrong with the token (RFC 6750), as a sentence; '' if not stated. */
  readonly lack: string;
  readonly text: string;
}

/**
 * Maximum size of an answer, in bytes. A page of 1,000 recordsets has several hundred thousand; parsing takes a
 * multiple of that in memory.
 */
const MAX_RESPONSE_BYTES = 16 * 2 ** 20;
const HEADERS = { accept: 'application/json', 'x-auth-all-projects': 'true' };
const LONGEST_PAUSE_MS = 30_000;
const AGAIN = 'Everything imported so far is stored: run the same command again to continue.';
/** Statuses that are worth a retry. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** The reason for a refusal, as far as the answer is Designate's own. */
interface DesignateRefusal {
  readonly type: string;
  readonly message: string;
}

export type DesignateReply =
  | { readonly ok: true; readonly body: Json }
  | ({ readonly ok: false; readonly status: number } & DesignateRefusal);

function jsonOf(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function lackIn(challenge: string | undefined): string {
  return /error_description="([\x20-\x7e]{1,300}?)"/.exec(challenge ?? '')?.[1] ?? '';
}

function refusalIn(text: string): DesignateRefusal {
  const { type, message } = jsonOf(text) ?? {};
  const shown = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 300) : '');
  return { type: shown(type), message: shown(message) };
}

/** Reads from a Designate over HTTP, one request at a time, with retries. */
export class DesignateConnection {
  readonly #settings: DesignateSettings;
  readonly #token: TokenSource;
  readonly #base: string;
  readonly #client: HttpClient;

  constructor(settings: DesignateSettings, token: TokenSource) {
    this.#settings = settings;
    this.#token = token;
    const plain = settings.url.replace(/\/+$/, '');
    this.#base = /\/v2$/.test(plain) ? plain : `${plain}/v2`;
    this.#client = new HttpClient({ ...settings, keepAlive: true });
  }

  /**
   * Sends a GET for all projects. Returns the answer's object, or a refusal that is not a connection error.
   * @param path path after `/v2`, with its query
   * @param isCounted whether a list includes its total count, which takes Designate longer than a page
   * @throws SourceTrouble
   */
  async ask(path: string, isCounted = false): Promise<DesignateReply> {
    const { status, location, lack, text } = await this.#askWithToken({ path, isCounted });
    if (status === 200) {
      const body = jsonOf(text);
      if (body !== undefined) return { ok: true, body };
      throw new SourceError(
        `The response to ${path} is not a JSON object. Is ${this.#base} Designate? ${AGAIN}`,
      );
    }
    if (status === 401) {
      throw new SourceError(
        `The source answered 401: it rejected the token. ${lack === '' ? '' : `${lack} `}Use another one. ${AGAIN}`,
      );
    }
    if (status === 403) {
      throw new SourceError(
        `The source answered 403 to ${path}: the credentials need the admin role for all projects. ${AGAIN}`,
      );
    }
    if (status >= 300 && status < 400) {
      throw new SourceError(
        `The source answered ${status} to ${path}: it redirects to ${location || 'another place'}. The token is not sent there. If that is Designate, set its URL with --from.`,
      );
    }
    return { ok: false, status, ...refusalIn(text) };
  }

  /** The error for a refusal of a mandatory request. */
  unexpected(path: string, { status, type, message }: { status: number } & DesignateRefusal): SourceError {
    const Trouble = type === 'zone_not_found' ? GoneFromSource : SourceError;
    return new Trouble(
      `The source answered ${status} to ${path}${message === '' ? '' : `: ${message}`}. ${AGAIN}`,
    );
  }

  close(): void {
    this.#client.close();
  }

  async #askWithToken(question: DesignateRequest): Promise<DesignateResponse> {
    const token = await this.#token.get();
    const answer = await this.#askAgain(question, token);
    if (answer.status !== 401 || !this.#token.renew(token)) return answer;
    return this.#askAgain(question, await this.#token.get());
  }

  async #askAgain(question: DesignateRequest, token: string): Promise<DesignateResponse> {
    const { retries, firstPauseMs } = this.#settings;
    for (let tries = 0; ; tries++) {
      const outcome = await this.#attempt(question, token).catch((error: Error) => error);
      const isPassing = outcome instanceof Error || PASSING.has(outcome.status);
      if (!isPassing) return outcome;
      if (outcome instanceof SourceError) throw outcome;
      if (tries >= retries) return this.#lastOf(question.path, outcome);
      await after(Math.min(firstPauseMs * 2 ** tries, LONGEST_PAUSE_MS));
    }
  }

  #lastOf(path: string, outcome: DesignateResponse | Error): DesignateResponse {
    if (!(outcome instanceof Error)) return outcome;
    const message =
      outcome.name === 'TimeoutError'
        ? `did not answer within ${this.#settings.timeoutMs} ms`
        : `cannot be reached: ${outcome.message}`;
    throw new SourceError(`The source ${message} (${path}). ${AGAIN}`, { cause: outcome });
  }

  async #attempt({ path, isCounted }: DesignateRequest, token: string): Promise<DesignateResponse> {
    const signal = AbortSignal.timeout(this.#settings.timeoutMs);
    const counts = isCounted ? {} : { 'openstack-dns-hide-counts': 'true' };
    const headers = { ...HEADERS, 'x-auth-token': token, ...counts };
    try {
      const response = await this.#client.send({
        method: 'GET',
        url: `${this.#base}${path}`,
        headers,
        signal,
      });
      const location = response.headers.location?.slice(0, 300) ?? '';
      const lack = lackIn(response.headers['www-authenticate']);
      return { status: response.status, location, lack, text: await textOf(response) };
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  }
}

async function textOf(response: HttpResponse): Promise<string> {
  try {
    return await response.text(MAX_RESPONSE_BYTES);
  } catch (error) {
    if (!(error instanceof ResponseTooLarge)) throw error;
    throw new SourceError(
      `A response of the source is larger than ${MAX_RESPONSE_BYTES} bytes. Use a smaller --page-size.`,
    );
  }
}
