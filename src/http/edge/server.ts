import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clientNetwork, plainAddress } from '../../addresses/networks.ts';
import { noteAccepted, requestTurn } from '../../runtime/cooperative-yield.ts';
import { ClientSocket } from './client-socket.ts';
import { endSoon } from './connection.ts';
import { ClientConnections, type ConnectionLimits } from './connections.ts';
import { EDGE_CATALOGUE, type EdgeKind, refusalOf } from './errors.ts';
import { RequestTimes } from './request-times.ts';
import { UnreadResponses } from './unread-responses.ts';

export interface ServerSettings extends ConnectionLimits {
  readonly host: string;
  readonly port: number;
  readonly maxHeaderSize: number;
  /** Time limit for the whole head of a request, in milliseconds. */
  readonly headerTimeout: number;
  /** Time limit for the whole body of a request, in milliseconds. */
  readonly requestTimeout: number;
  /** Window for averaging how fast a client reads its response, in milliseconds. */
  readonly sendTimeout: number;
  /** Time limit for an idle connection, in milliseconds. */
  readonly keepAliveTimeout: number;
  /** Called when input is refused before it forms a request. */
  refused?(kind: string): void;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A listening socket that answers "starting" until it has a handler. */
export interface OpenServer {
  readonly url: string;
  serve(handler: Handler): void;
  /** Stops accepting requests. Resolves once those in flight are answered. */
  drain(): Promise<void>;
}

/** Handles requests during startup. */
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

/** Refuses bytes that are not an HTTP request, and closes the connection. */
function refuseBytes(socket: Duplex, kind: EdgeKind, message: string = EDGE_CATALOGUE[kind]): void {
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

/**
 * Maximum number of connections waiting to be accepted; the system may allow fewer. Beyond it, clients retry only after
 * seconds.
 */
const BACKLOG = 4096;

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Reads from a new connection in its turn. Clients take turns, so many connections of one do not delay those of others. */
async function readInTurn(socket: ClientSocket): Promise<void> {
  const { remoteAddress } = socket;
  if (remoteAddress === undefined) return;
  const client = `connections of ${clientNetwork(plainAddress(remoteAddress))}`;
  await requestTurn({ owner: client, caller: client });
  socket.release();
}

/** Opens the socket. @throws the system's error if the address is not available */
export async function openServer(settings: ServerSettings): Promise<OpenServer> {
  let handler: Handler = answerStarting;
  let draining = false;
  const connections = new ClientConnections(settings);
  const unread = new UnreadResponses(settings.sendTimeout);
  const answer: Handler = (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (draining) response.setHeader('connection', 'close');
    connection?.begin(response);
    connections.noteUse(socket);
    unread.begin(socket);
    response.once('close', () => {
      unread.end(socket);
      connection?.end(response);
      connections.noteUse(socket);
      if (draining && connection?.isIdle) socket.end();
    });
    const handle = () => {
      times.begin(request);
      handler(request, response);
    };
    if (connection === undefined) handle();
    else connection.inTurn(response, handle);
  };
  const server = createServer(
    {
      maxHeaderSize: settings.maxHeaderSize,
      requestTimeout: 0,
      headersTimeout: settings.headerTimeout,
      keepAliveTimeout: settings.keepAliveTimeout,
      connectionsCheckingInterval: 1000,
      // Given two Hosts, types or credentials, Node would use the first, while a proxy might use the second.
      joinDuplicateHeaders: true,
      // HTTP/1.0 has no Host, and a missing one must not change the format of the response.
      requireHostHeader: false,
    },
    answer,
  );
  const times = new RequestTimes(server, settings.requestTimeout);
  // RFC 9110, section 10.1.1: an unknown expectation may be ignored. Node would answer 417 in its own format.
  server.on('checkExpectation', answer);
  // A client that half-closes still waits for its responses. Node does not document this option, so the types lack it.
  // Nor that a new connection is not read before it is resumed.
  Object.assign(server, { httpAllowHalfOpen: true, pauseOnConnect: true });
  // Their total size is limited instead. A limit on their number would drop the last ones, such as the project acted
  // for.
  server.maxHeadersCount = 0;
  const [parse] = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (accepted: Socket) => {
    noteAccepted();
    const socket = new ClientSocket(accepted);
    socket.hold();
    Reflect.apply(parse!, server, [socket]);
    connections.take(socket);
    void readInTurn(socket);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const kind = CLIENT_ERRORS[error.code ?? ''] ?? 'bad_request';
    settings.refused?.(kind);
    connections.get(socket)?.refuseRest(socket, () => refuseBytes(socket, kind), kind === 'request_timeout');
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // Node has released the socket, so without a listener an error would end the process.
    socket.on('error', () => socket.destroy());
    socket.resume();
    connections.get(socket)?.refuseRest(socket, () => refuseBytes(socket, 'bad_request', NO_PROXY));
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
        // A closed server no longer enforces its timeouts.
        const late = setTimeout(() => server.closeAllConnections(), settings.requestTimeout);
        server.close(() => {
          clearTimeout(late);
          unread.stop();
          times.stop();
          resolve();
        });
        for (const socket of connections.idle()) socket.destroy();
      });
    },
  };
}
