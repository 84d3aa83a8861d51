import type { IncomingMessage } from 'node:http';
import { nextTurn } from '../../runtime/cooperative-yield.ts';

/** Bodies that are read from, one piece each, per turn of the event loop. */
const A_TURN = 8;
/** Each holds about 64 KiB. Beyond this number, connections are closed at once. */
const MAX_BODIES = 512;

/**
 * Reads and discards the rest of refused bodies, because a client reads the response only after it has sent its body.
 * Only a few pieces are read per turn of the event loop, so that many such bodies do not block other requests.
 */
export class Draining {
  readonly #open = new Set<IncomingMessage>();
  readonly #waiting = new Set<IncomingMessage>();
  #isGoingOn = false;

  /** Drains a refused request whose body has not fully arrived. Nothing more arrives of a destroyed one. */
  add(request: IncomingMessage): void {
    if (request.complete || request.destroyed || this.#open.has(request)) return;
    if (this.#open.size >= MAX_BODIES) return void request.socket.destroy();
    this.#open.add(request);
    request.on('data', () => {
      request.pause();
      this.#waiting.add(request);
      this.#resume();
    });
    request.once('close', () => {
      this.#open.delete(request);
      this.#waiting.delete(request);
    });
    // Marks the body as read. Node discards an unread one at full speed once the response is sent.
    request._read(0);
    request.resume();
  }

  #resume(): void {
    if (this.#isGoingOn || this.#waiting.size === 0) return;
    this.#isGoingOn = true;
    void nextTurn().then(() => {
      this.#isGoingOn = false;
      let left = A_TURN;
      for (const request of this.#waiting) {
        this.#waiting.delete(request);
        request.resume();
        left -= 1;
        if (left === 0) break;
      }
      this.#resume();
    });
  }
}
