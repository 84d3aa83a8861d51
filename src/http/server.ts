import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { EDGE_CATALOGUE, type EdgeKind, refusalOf } from './errors.ts';
import { RequestTimes } from './request-times.ts';
import { UnreadAnswers } from './unread-answers.ts';

export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  readonly maxHeaderSize: number;
  readonly maxConnections: number;
  /** Milliseconds. */
  readonly requestTimeout: number;
  /** Milliseconds. */
  readonly sendTimeout: number;
  /** Milliseconds. */
  readonly keepAliveTimeout: number;
  /** Told of what was refused before it was a request. */
  refused?(kind: string): void;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A listening socket that answers "starting" until it has a handler. */
export interface OpenServer {
  readonly url: string;
  serve(handler: Handler): void;
  /** Stops accepting requests, and returns when those in flight are answered. */
  drain(): Promise<void>;
}

/** The handler of requests during start. */
function answerStarting(request: IncomingMessage, response: ServerResponse): void {
  const requestId = `req-${randomUUID()}`;
  if (/^\/livez\/?(\?|$)/.test(request.url ?? '')) {
    response.writeHead(200, { 'content-type': 'application/json', 'x-openstack-request-id': requestId });
    response.end(request.method === 'HEAD' ? undefined : '{"status":"ok"}');
    return;
  }
  const isHealthcheck = /^\/healthcheck\/?(\?|$)/.test(request.url ?? '');
  const { status, headers, body } = refusalOf(
    isHealthcheck ? 'starting' : 'storage_unavailable',
    EDGE_CATALOGUE.starting,
    requestId,
  );
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'x-openstack-request-id': requestId,
  });
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body));
}

const CLIENT_ERRORS: Readonly<Record<string, EdgeKind>> = {
  HPE_HEADER_OVERFLOW: 'header_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

const NO_PROXY = 'The service is not a proxy and does not support CONNECT.';

/** How long the rest of an unreadable request is drained, in milliseconds: a reset would cost the client its answer. */
const LINGER = 1000;

/** Refuses bytes that are not an HTTP request, and closes the connection. */
function refuseBytes(socket: Socket, kind: EdgeKind, message: string = EDGE_CATALOGUE[kind]): void {
  const requestId = `req-${randomUUID()}`;
  const { status, body } = refusalOf(kind, message, requestId);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${kind}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Openstack-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  endSoon(socket, `${head.join('\r\n')}\r\n\r\n${text}`);
}

/** Closes a connection with a last text, if it is still open. */
function endSoon(socket: Socket, text = ''): void {
  if (!socket.writable) return void socket.destroy();
  socket.end(text);
  const late = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(late));
}

/** Requests of one connection that wait for their turn before no more are read from it. */
const MOST_PIPELINED = 16;

/**
 * The exchanges of one connection. A client that pipelines requests has several open; they are handled one after another, as
 * they are answered (RFC 9112, section 9.3.2).
 */
class Connection {
  readonly #socket: Socket;
  readonly #open = new Set<ServerResponse>();
  readonly #waiting: (() => void)[] = [];
  #handled: ServerResponse | undefined;
  #last: ServerResponse | undefined;
  #refuse: (() => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  begin(response: ServerResponse): void {
    this.#open.add(response);
    this.#last = response;
  }

  /** Handles a request when those before it are answered. */
  inTurn(response: ServerResponse, handle: () => void): void {
    if (this.#handled === undefined) {
      this.#handled = response;
      handle();
      return;
    }
    this.#waiting.push(() => this.inTurn(response, handle));
    if (this.#waiting.length >= MOST_PIPELINED) this.#socket.pause();
  }

  #passTurn(response: ServerResponse): void {
    if (this.#handled !== response) return;
    this.#handled = undefined;
    if (this.#socket.destroyed) return;
    this.#waiting.shift()?.();
    if (this.#waiting.length < MOST_PIPELINED) this.#socket.resume();
  }

  end(response: ServerResponse): void {
    this.#passTurn(response);
    // An idle connection must not retain its last request.
    if (response === this.#last && response.req.complete) this.#last = undefined;
    if (this.#open.delete(response) && this.isIdle) this.#refuse?.();
  }

  /**
   * Refuses, once, bytes after the last request or in its body. Earlier requests are answered first: otherwise the client
   * would take the refusal for the answer to one of them.
   */
  refuseRest(socket: Socket, refuse: () => void): void {
    if (this.#refuse !== undefined) return;
    const isCutShort = this.#last?.req.complete === false;
    // A request whose body cannot be read, and that has no answer yet, gets no other answer.
    if (isCutShort && !this.#last!.headersSent) this.#open.delete(this.#last!);
    this.#refuse = isCutShort && this.#last!.headersSent ? () => endSoon(socket) : refuse;
    if (this.isIdle) this.#refuse();
  }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Opens the socket. Throws the system's error if the address is not available. */
export async function openServer(settings: ServerSettings): Promise<OpenServer> {
  let handler: Handler = answerStarting;
  let draining = false;
  const open = new Map<Socket, Connection>();
  const unread = new UnreadAnswers(settings.sendTimeout);
  const answer: Handler = (request, response) => {
    const { socket } = request;
    const connection = open.get(socket);
    if (draining) response.setHeader('connection', 'close');
    connection?.begin(response);
    times.begin(request);
    unread.begin(socket);
    response.once('close', () => {
      unread.end(socket);
      connection?.end(response);
      if (draining && connection?.isIdle) socket.end();
    });
    if (connection === undefined) handler(request, response);
    else connection.inTurn(response, () => handler(request, response));
  };
  const server = createServer(
    {
      maxHeaderSize: settings.maxHeaderSize,
      requestTimeout: 0,
      headersTimeout: settings.requestTimeout,
      keepAliveTimeout: settings.keepAliveTimeout,
      connectionsCheckingInterval: 1000,
      // Node would use the first of two Hosts, types or credentials, and a proxy might use the second.
      joinDuplicateHeaders: true,
      // HTTP/1.0 has no Host; a missing one must not change the shape of the answer.
      requireHostHeader: false,
    },
    answer,
  );
  const times = new RequestTimes(server, settings.requestTimeout);
  // RFC 9110, 10.1.1: an unknown expectation may be ignored; Node would answer 417 in its own shape.
  server.on('checkExpectation', answer);
  server.maxConnections = settings.maxConnections;
  // A client that half-closes still waits for its answers. Not in the types: Node does not document it.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Their total size is bounded. Beyond a number, Node would drop the last ones, such as the project acted for.
  server.maxHeadersCount = 0;
  server.on('connection', (socket: Socket) => {
    open.set(socket, new Connection(socket));
    socket.once('close', () => open.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const kind = CLIENT_ERRORS[error.code ?? ''] ?? 'bad_request';
    settings.refused?.(kind);
    open.get(socket)?.refuseRest(socket, () => refuseBytes(socket, kind));
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    // Node has released the socket: nothing else listens, and an error would end the process.
    socket.on('error', () => socket.destroy());
    socket.resume();
    open.get(socket)?.refuseRest(socket, () => refuseBytes(socket, 'bad_request', NO_PROXY));
  });
  await listening(server, settings.host, settings.port);
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    serve(next) {
      handler = next;
    },
    drain() {
      draining = true;
      return new Promise((resolve) => {
        // A closed server no longer enforces its time-outs.
        const late = setTimeout(() => server.closeAllConnections(), settings.requestTimeout);
        server.close(() => {
          clearTimeout(late);
          unread.stop();
          resolve();
        });
        for (const [socket, connection] of open) if (connection.isIdle) socket.destroy();
      });
    },
  };
}
