import type { Socket } from 'node:net';

/** What has to be read of an answer in each window, in bytes a second. */
const LEAST_RATE = 4096;
/** Bytes that wait in all connections together. Beyond it the connections that read least are closed. */
const MOST_WAITING = 134_217_728;
const LOOK_MS = 250;

/** A connection with bytes that its client has not read. */
interface Waiting {
  /** When the window began, in milliseconds. */
  since: number;
  /** The bytes sent by then. */
  sent: number;
}

/** The bytes that the system has taken from a connection. */
function sentOn(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}

/**
 * Closes the connections of clients that do not read their answers. Their memory is bounded in time, since what waits has
 * to be read at a least rate, and in bytes, over all connections.
 */
export class UnreadAnswers {
  readonly #windowMs: number;
  readonly #waiting = new Map<Socket, Waiting>();
  readonly #open = new Map<Socket, number>();
  readonly #timer: NodeJS.Timeout;

  /** @param windowMs the time over which the rate is averaged */
  constructor(windowMs: number) {
    this.#windowMs = windowMs;
    this.#timer = setInterval(() => this.#look(performance.now()), Math.min(LOOK_MS, windowMs));
    this.#timer.unref();
  }

  /** An answer on the connection begins. */
  begin(socket: Socket): void {
    this.#open.set(socket, (this.#open.get(socket) ?? 0) + 1);
  }

  /** An answer has been sent, or cannot be any more. */
  end(socket: Socket): void {
    const left = (this.#open.get(socket) ?? 1) - 1;
    if (left > 0) return void this.#open.set(socket, left);
    this.#open.delete(socket);
    this.#waiting.delete(socket);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(now: number): void {
    for (const socket of this.#open.keys()) this.#lookAt(socket, now);
    this.#closeMostUnread();
  }

  #lookAt(socket: Socket, now: number): void {
    if (socket.writableLength === 0) return void this.#waiting.delete(socket);
    const window = this.#waiting.get(socket);
    if (window === undefined) return void this.#waiting.set(socket, { since: now, sent: sentOn(socket) });
    if (now - window.since < this.#windowMs) return;
    const least = (LEAST_RATE * this.#windowMs) / 1000;
    if (sentOn(socket) - window.sent < least) return void socket.destroy();
    this.#waiting.set(socket, { since: now, sent: sentOn(socket) });
  }

  /** Those that have read least since their window began go first. */
  #closeMostUnread(): void {
    let waiting = 0;
    for (const socket of this.#open.keys()) waiting += socket.writableLength;
    if (waiting <= MOST_WAITING) return;
    const read = (socket: Socket) => sentOn(socket) - (this.#waiting.get(socket)?.sent ?? 0);
    for (const socket of [...this.#open.keys()].sort((a, b) => read(a) - read(b))) {
      if (waiting <= MOST_WAITING) return;
      waiting -= socket.writableLength;
      if (socket.writableLength > 0) socket.destroy();
    }
  }
}
