import type { IncomingMessage } from 'node:http';

/** Bodies of which a piece is read in one turn of the event loop. */
const A_TURN = 8;
/** Each holds some 64 KiB. Beyond that many, a connection is closed at once. */
const MOST_BODIES = 512;

/**
 * Reads and drops what is still sent of bodies that were refused, since a client reads the answer only after its body. A few
 * pieces in each turn of the event loop: otherwise many such bodies would keep everybody else waiting.
 */
export class Draining {
  readonly #open = new Set<IncomingMessage>();
  readonly #waiting = new Set<IncomingMessage>();
  #isGoingOn = false;

  /** Drains a request that is refused, if its body has not arrived. */
  add(request: IncomingMessage): void {
    if (request.complete || this.#open.has(request)) return;
    if (this.#open.size >= MOST_BODIES) return void request.socket.destroy();
    this.#open.add(request);
    request.on('data', () => {
      request.pause();
      this.#waiting.add(request);
      this.#goOn();
    });
    request.once('close', () => {
      this.#open.delete(request);
      this.#waiting.delete(request);
    });
    request.resume();
  }

  #goOn(): void {
    if (this.#isGoingOn || this.#waiting.size === 0) return;
    this.#isGoingOn = true;
    setImmediate(() => {
      this.#isGoingOn = false;
      let left = A_TURN;
      for (const request of this.#waiting) {
        this.#waiting.delete(request);
        request.resume();
        left -= 1;
        if (left === 0) break;
      }
      this.#goOn();
    });
  }
}
