import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClientSocket } from './client-socket.ts';

/**
 * Maximum time to drain the rest of an unreadable request, in milliseconds. A reset would cost the client its response.
 */
const LINGER = 1000;

/** Sends a last text if the connection is still open, and closes it. */
export function endSoon(socket: Duplex, text = ''): void {
  if (!socket.writable) return void socket.destroy();
  socket.end(text);
  const late = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(late));
}

/** Pipelined requests that may wait on one connection before reading from it stops. */
const MAX_PIPELINED = 16;

/**
 * The open requests of one connection. Pipelined requests are handled one at a time, in the order in which they must be
 * answered (RFC 9112, section 9.3.2).
 */
export class ClientConnection {
  readonly #socket: ClientSocket;
  readonly #open = new Set<ServerResponse>();
  readonly #waiting: (() => void)[] = [];
  #handled: ServerResponse | undefined;
  #last: ServerResponse | undefined;
  #refuse: (() => void) | undefined;
  /**
   * True if the pending refusal is for a late request head, which may still arrive while earlier requests are answered.
   */
  #mayBeginLate = false;

  constructor(socket: ClientSocket) {
    this.#socket = socket;
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  begin(response: ServerResponse): void {
    this.#open.add(response);
    if (this.#mayBeginLate) this.#refuse = undefined;
    this.#last = response;
  }

  /** Handles a request once those before it have been answered. */
  inTurn(response: ServerResponse, handle: () => void): void {
    if (this.#handled === undefined) {
      this.#handled = response;
      handle();
      return;
    }
    this.#waiting.push(() => this.inTurn(response, handle));
    if (this.#waiting.length >= MAX_PIPELINED) this.#socket.hold();
  }

  #passTurn(response: ServerResponse): void {
    if (this.#handled !== response) return;
    this.#handled = undefined;
    if (this.#socket.destroyed) return;
    this.#waiting.shift()?.();
    if (this.#waiting.length < MAX_PIPELINED) this.#socket.release();
  }

  end(response: ServerResponse): void {
    this.#passTurn(response);
    // An idle connection must not keep its last request in memory.
    if (response === this.#last && response.req.complete) this.#last = undefined;
    if (this.#open.delete(response) && this.isIdle) this.#refuse?.();
  }

  /**
   * Refuses, once, unreadable bytes after the last request or in its body. Earlier requests are answered first, or the
   * client would take the refusal for the response to one of them. A late head that arrives in the meantime is served:
   * nothing was read while the connection waited for its turn.
   */
  refuseRest(socket: Duplex, refuse: () => void, isLate = false): void {
    if (this.#refuse !== undefined) return;
    const isCutShort = this.#last?.req.complete === false;
    this.#mayBeginLate = isLate && !isCutShort;
    // A request with an unreadable body and no response yet is answered by the refusal alone.
    if (isCutShort && !this.#last!.headersSent) this.#open.delete(this.#last!);
    this.#refuse = isCutShort && this.#last!.headersSent ? () => endSoon(socket) : refuse;
    if (this.isIdle) this.#refuse();
  }
}
