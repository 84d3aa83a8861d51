import type { RequestListener } from 'node:http';

/** More concurrent requests than one client makes on its own. */
const BUSY = 4;
/** In milliseconds. Requests committed together are answered together, which leaves gaps without any. */
const REMEMBERED = 100;

/** Tells if many requests are running, or were a moment ago. */
export class ApiLoad {
  #running = 0;
  #lastBusy = Number.NEGATIVE_INFINITY;

  get isBusy(): boolean {
    return performance.now() - this.#lastBusy < REMEMBERED;
  }

  /** Wraps a listener so that its requests are counted. */
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
