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

/** The answer to bytes that are no HTTP request. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const kind = CLIENT_ERRORS[error.code ?? ''] ?? 'bad_request';
  const requestId = `req-${randomUUID()}`;
  const { status, body } = refusalOf(kind, EDGE_CATALOGUE[kind], requestId);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${kind}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Openstack-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
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
  // How many requests each connection waits for answers to: several, where a client does not wait in between.
  const open = new Map<Socket, number>();
  const answered = (socket: Socket) => {
    const left = (open.get(socket) ?? 1) - 1;
    if (!socket.destroyed) open.set(socket, left);
    if (draining && left === 0) socket.end();
  };
  const answer: Handler = (request, response) => {
    if (draining) response.setHeader('connection', 'close');
    open.set(request.socket, (open.get(request.socket) ?? 0) + 1);
    response.once('close', () => answered(request.socket));
    handler(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: settings.maxHeaderSize,
      requestTimeout: settings.requestTimeout,
      headersTimeout: settings.requestTimeout,
      keepAliveTimeout: settings.keepAliveTimeout,
      connectionsCheckingInterval: 1000,
      // HTTP/1.0 has no Host; a missing one is no reason for an answer in another shape.
      requireHostHeader: false,
    },
    answer,
  );
  // RFC 9110, 10.1.1: an unknown expectation may be passed over, where Node would answer 417 in a shape of its own.
  server.on('checkExpectation', answer);
  server.maxConnections = settings.maxConnections;
  server.on('connection', (socket: Socket) => {
    open.set(socket, 0);
    socket.once('close', () => open.delete(socket));
  });
  server.on('clientError', answerClientError);
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
        for (const [socket, requests] of open) if (requests === 0) socket.destroy();
      });
    },
  };
}
