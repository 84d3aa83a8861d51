import type { IncomingMessage, Server } from 'node:http';

/** How fast a body must arrive: on average over each window in which the service waits for the client. */
export interface Pace {
  /** Bytes a second. */
  readonly rate: number;
  readonly windowMs: number;
  /** Refuses the request of a slower one. */
  refuse(): void;
}

/** Of a body that is not known to be large. All of it also has a deadline. */
const LEAST_PACE: Omit<Pace, 'refuse'> = { rate: 1024, windowMs: 10_000 };
const LOOK_MS = 250;

const paces = new WeakMap<object, Pace>();

/** Lets a large body take as long as it arrives at a pace, instead of until the deadline of all others. */
export function setPace(request: object, pace: Pace): void {
  paces.set(request, pace);
}

/** A body of which the service waits for more. */
interface Watched {
  readonly request: IncomingMessage;
  /** How long the client was waited for, in milliseconds: in all, and in the present window. */
  waited: number;
  waitedInWindow: number;
  /** The bytes of the connection when the window began. */
  bytes: number;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Refuses a request whose body does not arrive in time, as Node refuses one whose head does not. Time in which bytes wait to be
 * read is the service's own: it does not count.
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
    // Timers come before what has arrived meanwhile; what runs immediately comes after it.
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
    // What a loop that was kept busy adds to it is not the client's.
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
