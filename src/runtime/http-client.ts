/** Sends HTTP requests. The caller bounds their time with a signal, and the size of each response. */
import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request as requestByHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https';

export interface HttpClientSettings {
  /** True to reuse connections. */
  readonly keepAlive: boolean;
  readonly maxSockets?: number;
  /** Time an idle connection is kept open, in milliseconds. */
  readonly idleMs?: number;
  /** CA certificates; undefined for the default ones. */
  readonly ca?: string | Buffer | undefined;
  /** Certificate and key of the client. */
  readonly certificate?: string | Buffer | undefined;
  readonly key?: string | Buffer | undefined;
  /** True to accept any certificate. */
  readonly isInsecure?: boolean;
  /** Resolves host names. Not called for IP addresses. */
  readonly lookup?: RequestOptions['lookup'];
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string | URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Ends the request, and the reading of its response. */
  readonly signal: AbortSignal;
}

/** A response is larger than its bound. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
}

/** The server switches to another protocol (RFC 9110, section 15.2.2). */
export class OtherProtocol extends Error {
  override readonly name = 'OtherProtocol';
}

async function textOf(message: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of message) {
    size += part.length;
    if (size > maxBytes) throw new ResponseTooLarge(`The response has more than ${maxBytes} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** A response whose body has not been read yet. Its body must be read or discarded. */
export class HttpResponse {
  readonly #message: IncomingMessage;
  readonly #faultOf: () => Error | undefined;

  /** @param faultOf the error of the connection so far */
  constructor(message: IncomingMessage, faultOf: () => Error | undefined) {
    this.#message = message;
    this.#faultOf = faultOf;
  }

  get status(): number {
    return this.#message.statusCode ?? 0;
  }

  get headers(): IncomingHttpHeaders {
    return this.#message.headers;
  }

  /** Reads the body as UTF-8. @throws ResponseTooLarge, and the error of the connection */
  async text(maxBytes: number): Promise<string> {
    const outcome = await textOf(this.#message, maxBytes).catch((error: Error) => error);
    // A body without a length ends with its connection, even if that failed; of any other, the message only says "aborted".
    const result = this.#faultOf() ?? outcome;
    if (result instanceof Error) throw result;
    return result;
  }

  /** Reads the body to its end, or closes the connection if it is larger. @throws the error of the connection */
  async discard(maxBytes: number): Promise<void> {
    let size = 0;
    for await (const part of this.#message as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > maxBytes) return;
    }
  }
}

/** Sends requests to the servers of one purpose, without following redirects. */
export class HttpClient {
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };
  readonly #lookup: HttpClientSettings['lookup'];

  constructor(settings: HttpClientSettings) {
    const { keepAlive, maxSockets, idleMs: timeout, ca, certificate: cert, key, isInsecure } = settings;
    const limits = { keepAlive, ...(maxSockets && { maxSockets, maxFreeSockets: maxSockets }), timeout };
    this.#lookup = settings.lookup;
    this.#agents = {
      'http:': new HttpAgent(limits),
      'https:': new HttpsAgent({ ...limits, ca, cert, key, rejectUnauthorized: !isInsecure }),
    };
  }

  /**
   * Sends a request. If the server has meanwhile closed a reused connection, sends it once more.
   * @returns the response, as soon as its head has arrived
   * @throws OtherProtocol, and the error of the connection; an AbortError after the signal
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const first = await this.#attempt(request);
    if (!(first instanceof ClosedConnection)) return first;
    const second = await this.#attempt(request);
    if (second instanceof ClosedConnection) throw second.error;
    return second;
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #attempt(request: HttpRequest): Promise<HttpResponse | ClosedConnection> {
    const { method, body, signal } = request;
    const url = new URL(request.url);
    const isTls = url.protocol === 'https:';
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = {
      method,
      agent: this.#agents[isTls ? 'https:' : 'http:'],
      lookup: this.#lookup,
      signal,
      headers: { ...request.headers, ...length },
    };
    return new Promise((resolve, reject) => {
      let fault: Error | undefined;
      const outgoing = (isTls ? requestByHttps : requestByHttp)(url, options, (message) =>
        resolve(new HttpResponse(message, () => fault)),
      );
      outgoing.on('error', (error) => {
        fault ??= error;
        if (outgoing.reusedSocket && !signal.aborted) resolve(new ClosedConnection(error));
        else reject(error);
      });
      // Without a listener, the request would end with neither an error nor a response.
      outgoing.once('upgrade', (_, socket) => {
        socket.destroy();
        reject(new OtherProtocol('the server switched to another protocol'));
      });
      outgoing.end(body);
    });
  }
}

/** A reused connection failed before a response: the server may have closed it while it was idle. */
class ClosedConnection {
  readonly error: Error;

  constructor(error: Error) {
    this.error = error;
  }
}
