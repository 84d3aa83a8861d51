import type { RequestListener } from 'node:http';

/** More requests at once than one client makes by itself. */
const BUSY = 4;
/** In milliseconds. Requests that are committed together are answered at once: between two such groups there are none. */
const REMEMBERED = 100;

/** Whether many requests are being answered, or were a moment ago. */
export class ApiLoad {
  #running = 0;
  #lastBusy = Number.NEGATIVE_INFINITY;

  get isBusy(): boolean {
    return performance.now() - this.#lastBusy < REMEMBERED;
  }

  /** The same listener, with its requests counted. */
  measured(listener: RequestListener): RequestListener {
    return (request, response) => {
      this.#running += 1;
      this.#note();
      response.once('close', () => {
        this.#note();
        this.#running -= 1;
      });
      listener(request, response);
    };
  }

  #note(): void {
    if (this.#running >= BUSY) this.#lastBusy = performance.now();
  }
}
