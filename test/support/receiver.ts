import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { freePort, listen } from './free-port.ts';

/** A CloudEvent as it came. */
export interface Heard {
  readonly id: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly event: Readonly<Record<string, unknown>> & {
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** Answers a request, or leaves it. */
export type Manner = (response: ServerResponse, heard: Heard, request: IncomingMessage) => void;

export const taking: Manner = (response) => void response.writeHead(204).end();
export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}): Manner =>
  (response) =>
    void response.writeHead(status, headers).end('no');

/** A receiver of webhooks that behaves as it is told. */
export interface TestReceiver {
  /** Every request that came whole, whatever its answer. */
  readonly heard: readonly Heard[];
  /** Those that were answered with a success. */
  readonly taken: readonly Heard[];
  readonly url: string;
  readonly port: number;
  manner: Manner;
  /** Ends every connection and the listening, as a process that is killed does. */
  kill(): Promise<void>;
  /** Listens again at the same place. */
  revive(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** @param tls a certificate and its key */
export async function startReceiver(tls?: { key: string; cert: string }): Promise<TestReceiver> {
  const heard: Heard[] = [];
  const taken: Heard[] = [];
  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request);
    const one = {
      id: String(request.headers['webhook-id']),
      headers: request.headers,
      body,
      event: JSON.parse(body),
    };
    heard.push(one);
    const end = response.end.bind(response);
    response.end = ((...args: Parameters<typeof end>) => {
      if (response.statusCode < 300) taken.push(one);
      return end(...args);
    }) as typeof response.end;
    receiver.manner(response, one, request);
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    // A request that is cut off was not heard.
    hear(request, response).catch(() => {});
  };
  let server: Server;
  const port = await freePort();
  const start = () => {
    server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
    return listen(server, port);
  };
  await start();
  const receiver: TestReceiver = {
    heard,
    taken,
    port,
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hook`,
    manner: taking,
    async kill() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    revive: start,
  };
  return receiver;
}
