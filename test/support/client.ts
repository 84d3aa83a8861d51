import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A client over connections that are kept open. */
export interface Client {
  send(
    method: string,
    path: string,
    body?: object | string | Buffer,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  close(): void;
}

/**
 * A client of the service for one token, with at most so many connections.
 * @param own headers of every request
 */
export function connect(
  url: string,
  token: string,
  connections: number,
  own: Readonly<Record<string, string>> = {},
): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    send(method, path, body, extra) {
      const isText = typeof body === 'string' || body instanceof Buffer;
      const text = isText ? body : body === undefined ? '' : JSON.stringify(body);
      const headers = {
        'x-auth-token': token,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...own,
        ...extra,
      };
      return new Promise((resolve, reject) => {
        const sent = request(new URL(path, url), { method, agent, headers }, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode!,
              requestId: String(response.headers['x-openstack-request-id']),
              headers: response.headers,
              text: Buffer.concat(parts).toString(),
            }),
          );
        });
        sent.on('error', reject);
        sent.end(text);
      });
    },
    close: () => agent.destroy(),
  };
}

/** Sends JSON and returns the JSON that comes back; throws for anything but success. */
export async function expectSuccess(client: Client, method: string, path: string, body?: object) {
  const { status, text } = await client.send(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Works through items with so many items in flight at a time. */
export async function forEachInParallel<T>(
  items: Iterable<T>,
  inFlight: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}
