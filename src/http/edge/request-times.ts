import type { IncomingMessage, Server } from 'node:http';

/** Minimum rate of a body, averaged over each window of time spent waiting for the client. */
export interface ArrivalRate {
  /** In bytes per second. */
  readonly rate: number;
  readonly windowMs: number;
  /** Refuses a request that is slower. */
  refuse(): void;
}

/** Pace of a body not known to be large, which also has a deadline. */
const LEAST_PACE: Omit<ArrivalRate, 'refuse'> = { rate: 1024, windowMs: 10_000 };
const LOOK_MS = 250;

const paces = new WeakMap<object, ArrivalRate>();

/** Sets a pace for a large body, which replaces the deadline of other bodies. */
export function setPace(request: object, pace: ArrivalRate): void {
  paces.set(request, pace);
}

/** A body whose next bytes are awaited. */
interface Watched {
  readonly request: IncomingMessage;
  /** Time spent waiting for the client, in milliseconds: in total, and in the current window. */
  waited: number;
  waitedInWindow: number;
  /** Bytes read from the connection when the window began. */
  bytes: number;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Refuses requests whose body does not arrive in time, as Node does for the head. While arrived bytes wait to be read,
 * the delay is the service's own and does not count.
 */
export class RequestTimes {
  readonly #server: Pick<Server, 'emit'>;
  readonly #deadlineMs: number;
  readonly #watched = new Set<Watched>();
  readonly #timer: NodeJS.Timeout;
  #lookedAt = performance.now();

  /** @param deadlineMs for one body */
  constructor(server: Pick<Server, 'emit'>, deadlineMs: number) {
    this.#server = server;
    this.#deadlineMs = deadlineMs;
    // Timers run before pending input is handled, and setImmediate callbacks after it.
    this.#timer = setInterval(() => setImmediate(() => this.#look()), LOOK_MS);
    this.#timer.unref();
  }

  begin(request: IncomingMessage): void {
    if (!hasBody(request) || request.complete) return;
    const watched = { request, waited: 0, waitedInWindow: 0, bytes: request.socket.bytesRead };
    this.#watched.add(watched);
    const end = () => this.#watched.delete(watched);
    request.once('end', end);
    request.once('close', end);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    // Extra delay from a busy event loop is not charged to the client.
    const passed = Math.min(now - this.#lookedAt, 2 * LOOK_MS);
    this.#lookedAt = now;
    for (const watched of this.#watched) {
      if (watched.request.complete) this.#watched.delete(watched);
      else if (watched.request.readableLength === 0 && this.#isLate(watched, passed)) this.#refuse(watched);
    }
  }

  #isLate(watched: Watched, passed: number): boolean {
    const { request } = watched;
    watched.waited += passed;
    watched.waitedInWindow += passed;
    const pace = paces.get(request);
    if (pace === undefined && watched.waited >= this.#deadlineMs) return true;
    const { rate, windowMs } = pace ?? LEAST_PACE;
    if (watched.waitedInWindow < windowMs) return false;
    const arrived = request.socket.bytesRead - watched.bytes;
    watched.waitedInWindow = 0;
    watched.bytes = request.socket.bytesRead;
    return arrived * 1000 < rate * windowMs;
  }

  #refuse(watched: Watched): void {
    this.#watched.delete(watched);
    const pace = paces.get(watched.request);
    if (pace !== undefined) return void pace.refuse();
    const late = Object.assign(new Error('The request is late.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    this.#server.emit('clientError', late, watched.request.socket);
  }
}
