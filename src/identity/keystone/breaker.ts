import { KeystoneError, UnexpectedResponse } from './trouble.ts';

/** Number of consecutive failures that opens the breaker. */
const MAX_FAILURES = 5;
/** How long the breaker stays open, in milliseconds; then it lets one request through. */
const OPEN_MS = 2000;

/** Stops requests to a Keystone that does not answer. */
export class Breaker {
  #failures = 0;
  #openUntil = 0;

  /**
   * Sends a request unless the breaker is open. An unusable answer does not count as a failure.
   * @throws KeystoneTrouble
   */
  async run<R>(ask: () => Promise<R>): Promise<R> {
    if (this.#failures >= MAX_FAILURES) {
      const now = performance.now();
      if (now < this.#openUntil)
        throw new KeystoneError('Keystone has just failed, so it is not tried again yet.');
      this.#openUntil = now + OPEN_MS;
    }
    try {
      const outcome = await ask();
      this.#failures = 0;
      return outcome;
    } catch (error) {
      if (error instanceof KeystoneError && !(error instanceof UnexpectedResponse)) this.#failed();
      else this.#failures = 0;
      throw error;
    }
  }
  #failed(): void {
    this.#failures += 1;
    this.#openUntil = performance.now() + OPEN_MS;
  }
}
