import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClientSocket } from './client-socket.ts';

/** How long the rest of an unreadable request is drained, in milliseconds: a reset would cost the client its answer. */
const LINGER = 1000;

/** Closes a connection with a last text, if it is still open. */
export function endSoon(socket: Duplex, text = ''): void {
  if (!socket.writable) return void socket.destroy();
  socket.end(text);
  const late = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(late));
}

/** Requests of one connection that wait for their turn before no more are read from it. */
const MOST_PIPELINED = 16;

/**
 * The exchanges of one connection. A client that pipelines requests has several open; they are handled one after another, as
 * they are answered (RFC 9112, section 9.3.2).
 */
export class Connection {
  readonly #socket: ClientSocket;
  readonly #open = new Set<ServerResponse>();
  readonly #waiting: (() => void)[] = [];
  #handled: ServerResponse | undefined;
  #last: ServerResponse | undefined;
  #refuse: (() => void) | undefined;
  /** Whether the refusal is of a head that may yet come, while requests before it are answered. */
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

  /** Handles a request when those before it are answered. */
  inTurn(response: ServerResponse, handle: () => void): void {
    if (this.#handled === undefined) {
      this.#handled = response;
      handle();
      return;
    }
    this.#waiting.push(() => this.inTurn(response, handle));
    if (this.#waiting.length >= MOST_PIPELINED) this.#socket.hold();
  }

  #passTurn(response: ServerResponse): void {
    if (this.#handled !== response) return;
    this.#handled = undefined;
    if (this.#socket.destroyed) return;
    this.#waiting.shift()?.();
    if (this.#waiting.length < MOST_PIPELINED) this.#socket.release();
  }

  end(response: ServerResponse): void {
    this.#passTurn(response);
    // An idle connection must not retain its last request.
    if (response === this.#last && response.req.complete) this.#last = undefined;
    if (this.#open.delete(response) && this.isIdle) this.#refuse?.();
  }

  /**
   * Refuses, once, bytes after the last request or in its body. Earlier requests are answered first: otherwise the client
   * would take the refusal for the answer to one of them. A head that was late, but came meanwhile, is served: while the
   * connection waited for its turn, nothing was read from it.
   */
  refuseRest(socket: Duplex, refuse: () => void, isLate = false): void {
    if (this.#refuse !== undefined) return;
    const isCutShort = this.#last?.req.complete === false;
    this.#mayBeginLate = isLate && !isCutShort;
    // A request whose body cannot be read, and that has no answer yet, gets no other answer.
    if (isCutShort && !this.#last!.headersSent) this.#open.delete(this.#last!);
    this.#refuse = isCutShort && this.#last!.headersSent ? () => endSoon(socket) : refuse;
    if (this.isIdle) this.#refuse();
  }
}
