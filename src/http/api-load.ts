import type { RequestListener } from 'node:http';

/** More requests at once than one client makes by itself. */
const BUSY = 4;

/** How many requests are being answered. */
export class ApiLoad {
  #running = 0;

  get isBusy(): boolean {
    return this.#running >= BUSY;
  }

  /** The same listener, with its requests counted. */
  measured(listener: RequestListener): RequestListener {
    return (request, response) => {
      this.#running += 1;
      response.once('close', () => {
        this.#running -= 1;
      });
      listener(request, response);
    };
  }
}
