import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { EDGE_CATALOGUE, type EdgeKind, refusalOf } from './errors.ts';

export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  readonly maxHeaderSize: number;
  readonly maxConnections: number;
  /** Milliseconds. */
  readonly requestTimeout: number;
  /** Milliseconds. */
  readonly keepAliveTimeout: number;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A listening socket that says "starting" until it is given a handler. */
export interface OpenServer {
  readonly url: string;
  serve(handler: Handler): void;
  /** Takes no more requests and returns when those in flight are answered. */
  drain(): Promise<void>;
}

/** What is asked while nothing can be answered yet. */
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

/** How long the rest of what cannot be read is taken in, in milliseconds: a reset would cost the client its answer. */
const LINGER = 1000;

/** Refuses bytes that are no HTTP request, and ends the connection. */
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

/** Ends a connection with a last text, if it is still open. */
function endSoon(socket: Socket, text = ''): void {
  if (!socket.writable) return void socket.destroy();
  socket.end(text);
  const late = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(late));
}

/** The exchanges of one connection. A client that does not wait for answers has several open. */
class Connection {
  readonly #open = new Set<ServerResponse>();
  #last: ServerResponse | undefined;
  #refuse: (() => void) | undefined;

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  begin(response: ServerResponse): void {
    this.#open.add(response);
    this.#last = response;
  }

  end(response: ServerResponse): void {
    // An idle connection shall not hold on to its last request.
    if (response === this.#last && response.req.complete) this.#last = undefined;
    if (this.#open.delete(response) && this.isIdle) this.#refuse?.();
  }

  /**
   * Refuses what came after the last request, or in its body, once. Those before it get their answers first: the client
   * would take the refusal for the answer to one of them.
   */
  refuseRest(socket: Socket, refuse: () => void): void {
    if (this.#refuse !== undefined) return;
    const isCutShort = this.#last?.req.complete === false;
    // Whose body cannot be read, and who was not answered before it was looked at, gets no other answer.
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

/** Opens the socket. Throws the system's error when the address cannot be had. */
export async function openServer(settings: ServerSettings): Promise<OpenServer> {
  let handler: Handler = answerStarting;
  let draining = false;
  const open = new Map<Socket, Connection>();
  const answer: Handler = (request, response) => {
    const { socket } = request;
    const connection = open.get(socket);
    if (draining) response.setHeader('connection', 'close');
    connection?.begin(response);
    response.once('close', () => {
      connection?.end(response);
      if (draining && connection?.isIdle) socket.end();
    });
    handler(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: settings.maxHeaderSize,
      requestTimeout: settings.requestTimeout,
      headersTimeout: settings.requestTimeout,
      keepAliveTimeout: settings.keepAliveTimeout,
      connectionsCheckingInterval: 1000,
      // Node would keep the first of two hosts, types or credentials, and another on the way the second.
      joinDuplicateHeaders: true,
      // HTTP/1.0 has no Host; a missing one is no reason for an answer in another shape.
      requireHostHeader: false,
    },
    answer,
  );
  // RFC 9110, 10.1.1: an unknown expectation may be passed over, where Node would answer 417 in a shape of its own.
  server.on('checkExpectation', answer);
  server.maxConnections = settings.maxConnections;
  // Who says that nothing more will come waits for the answers nonetheless. Not in the types: Node does not document it.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Their size is bounded. Of too many, Node would leave out the last, such as the project that is acted for.
  server.maxHeadersCount = 0;
  server.on('connection', (socket: Socket) => {
    open.set(socket, new Connection());
    socket.once('close', () => open.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const kind = CLIENT_ERRORS[error.code ?? ''] ?? 'bad_request';
    open.get(socket)?.refuseRest(socket, () => refuseBytes(socket, kind));
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    // Node has let go of the socket: nothing else listens, and an error would end the process.
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
        // A server that is closed no longer enforces its time-outs by itself.
        const late = setTimeout(() => server.closeAllConnections(), settings.requestTimeout);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
        for (const [socket, connection] of open) if (connection.isIdle) socket.destroy();
      });
    },
  };
}
