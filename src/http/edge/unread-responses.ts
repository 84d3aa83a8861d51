import type { Socket } from 'node:net';

/** Minimum rate at which a client must read a response, in bytes per second, averaged over each window. */
const MIN_RATE = 4096;
/** Maximum unread bytes on all connections together. Beyond it, the connections that read least are closed. */
const MAX_WAITING = 134_217_728;
const CHECK_MS = 250;

/** A connection with unread bytes. */
interface UnreadConnection {
  /** Start of the window, in milliseconds. */
  since: number;
  /** Bytes sent by then. */
  sent: number;
}

/** Bytes of a connection that the system has taken over. */
function sentOn(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}

/**
 * Closes the connections of clients that do not read their responses. Unread data is limited in time, by a minimum
 * rate, and in size, over all connections.
 */
export class UnreadResponses {
  readonly #windowMs: number;
  readonly #waiting = new Map<Socket, UnreadConnection>();
  readonly #open = new Map<Socket, number>();
  readonly #timer: NodeJS.Timeout;

  /** @param windowMs window for averaging the rate */
  constructor(windowMs: number) {
    this.#windowMs = windowMs;
    this.#timer = setInterval(() => this.#check(performance.now()), Math.min(CHECK_MS, windowMs));
    this.#timer.unref();
  }

  /** Called when a response on the connection begins. */
  begin(socket: Socket): void {
    this.#open.set(socket, (this.#open.get(socket) ?? 0) + 1);
  }

  /** Called when a response has been sent or aborted. */
  end(socket: Socket): void {
    const left = (this.#open.get(socket) ?? 1) - 1;
    if (left > 0) return void this.#open.set(socket, left);
    this.#open.delete(socket);
    this.#waiting.delete(socket);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(now: number): void {
    for (const socket of this.#open.keys()) this.#checkSocket(socket, now);
    this.#closeLargestUnread();
  }

  #checkSocket(socket: Socket, now: number): void {
    if (socket.writableLength === 0) return void this.#waiting.delete(socket);
    const window = this.#waiting.get(socket);
    if (window === undefined) return void this.#waiting.set(socket, { since: now, sent: sentOn(socket) });
    if (now - window.since < this.#windowMs) return;
    const least = (MIN_RATE * this.#windowMs) / 1000;
    if (sentOn(socket) - window.sent < least) return void socket.destroy();
    this.#waiting.set(socket, { since: now, sent: sentOn(socket) });
  }

  /** Closes first the connections that have read least since their window began. */
  #closeLargestUnread(): void {
    let waiting = 0;
    for (const socket of this.#open.keys()) waiting += socket.writableLength;
    if (waiting <= MAX_WAITING) return;
    const read = (socket: Socket) => sentOn(socket) - (this.#waiting.get(socket)?.sent ?? 0);
    for (const socket of [...this.#open.keys()].sort((a, b) => read(a) - read(b))) {
      if (waiting <= MAX_WAITING) return;
      waiting -= socket.writableLength;
      if (socket.writableLength > 0) socket.destroy();
    }
  }
}
