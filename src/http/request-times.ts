import type { IncomingMessage, Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** How long bytes are waited for that the system may have, in milliseconds, and how many tell of a client that is not slow. */
const LOOK_MS = 250;
const MUCH = 16_384;

/** Requests with large bodies, while the rate is watched at which these arrive. */
const watched = new WeakSet<object>();

/** Says whether a request may take as long as its body arrives at the least rate: the body may also wait for the service. */
export function watchRate(source: object, isWatched: boolean): void {
  if (isWatched) watched.add(source);
  else watched.delete(source);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether it is the service that is slow: bytes wait to be read, or come as soon as some were. */
async function isWaitedFor(request: IncomingMessage): Promise<boolean> {
  if (watched.has(request) || request.readableLength > 0) return true;
  const before = request.socket.bytesRead;
  await delay(LOOK_MS);
  return request.readableLength > 0 || request.socket.bytesRead - before >= MUCH;
}

/**
 * Refuses a request whose body has not arrived in time, as Node refuses one whose headers have not. Node's own limit would
 * end large files, too, that are read as fast as they can be stored.
 */
export class RequestTimes {
  readonly #server: Pick<Server, 'emit'>;
  readonly #ms: number;

  /** @param ms for one body */
  constructor(server: Pick<Server, 'emit'>, ms: number) {
    this.#server = server;
    this.#ms = ms;
  }

  begin(request: IncomingMessage): void {
    if (!hasBody(request)) return;
    const timer = setInterval(async () => {
      if (await isWaitedFor(request)) return;
      clearInterval(timer);
      if (request.complete) return;
      const late = Object.assign(new Error('The request is late.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      this.#server.emit('clientError', late, request.socket);
    }, this.#ms);
    timer.unref();
    const end = () => clearInterval(timer);
    request.once('end', end);
    request.once('close', end);
  }
}
