import type { IncomingMessage, Server } from 'node:http';

/** Minimum rate of a body, averaged over windows that count only the time spent waiting for the client. */
export interface ArrivalRate {
  /** In bytes per second. */
  readonly rate: number;
  readonly windowMs: number;
  /** Refuses a request that is slower. */
  refuse(): void;
}

/** Minimum rate of all other bodies, which also have a deadline. */
const DEFAULT_RATE: Omit<ArrivalRate, 'refuse'> = { rate: 1024, windowMs: 10_000 };
const CHECK_INTERVAL_MS = 250;

const requiredRates = new WeakMap<object, ArrivalRate>();

/** Sets the minimum rate of a large body, which then has no deadline. */
export function setMinimumRate(request: object, required: ArrivalRate): void {
  requiredRates.set(request, required);
}

/** A body whose next bytes are awaited. */
interface Watched {
  readonly request: IncomingMessage;
  /** Time spent waiting for the client: in total, and in the current window. */
  waitedMs: number;
  waitedInWindowMs: number;
  bytesAtWindowStart: number;
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
  #checkedAt = performance.now();

  /** @param deadlineMs for one body */
  constructor(server: Pick<Server, 'emit'>, deadlineMs: number) {
    this.#server = server;
    this.#deadlineMs = deadlineMs;
    // Timers run before pending input is handled, and setImmediate callbacks after it.
    this.#timer = setInterval(() => setImmediate(() => this.#check()), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  begin(request: IncomingMessage): void {
    if (!hasBody(request) || request.complete) return;
    const watched = {
      request,
      waitedMs: 0,
      waitedInWindowMs: 0,
      bytesAtWindowStart: request.socket.bytesRead,
    };
    this.#watched.add(watched);
    const end = () => this.#watched.delete(watched);
    request.once('end', end);
    request.once('close', end);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const now = performance.now();
    // If the event loop was busy, the client must not pay for the delay.
    const elapsedMs = Math.min(now - this.#checkedAt, 2 * CHECK_INTERVAL_MS);
    this.#checkedAt = now;
    for (const watched of this.#watched) {
      if (watched.request.complete) this.#watched.delete(watched);
      else if (watched.request.readableLength === 0 && this.#isTooSlow(watched, elapsedMs))
        this.#refuse(watched);
    }
  }

  #isTooSlow(watched: Watched, elapsedMs: number): boolean {
    const { request } = watched;
    watched.waitedMs += elapsedMs;
    watched.waitedInWindowMs += elapsedMs;
    const required = requiredRates.get(request);
    if (required === undefined && watched.waitedMs >= this.#deadlineMs) return true;
    const { rate, windowMs } = required ?? DEFAULT_RATE;
    if (watched.waitedInWindowMs < windowMs) return false;
    const arrived = request.socket.bytesRead - watched.bytesAtWindowStart;
    watched.waitedInWindowMs = 0;
    watched.bytesAtWindowStart = request.socket.bytesRead;
    return arrived * 1000 < rate * windowMs;
  }

  #refuse(watched: Watched): void {
    this.#watched.delete(watched);
    const required = requiredRates.get(watched.request);
    if (required !== undefined) return void required.refuse();
    const late = Object.assign(new Error('The request is late.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    this.#server.emit('clientError', late, watched.request.socket);
  }
}
