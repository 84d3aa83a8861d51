import { KeystoneTrouble, OddAnswer } from './trouble.ts';

/** So many failures one after another open the breaker. */
const MOST_FAILURES = 5;
/** So long it stays open, in milliseconds; then one question is let through. */
const OPEN_MS = 2000;

/** Keeps questions from a Keystone that does not answer them. */
export class Breaker {
  #failures = 0;
  #openUntil = 0;

  /**
   * Asks, unless the last questions have failed. An answer that cannot be used is an answer.
   * @throws KeystoneTrouble
   */
  async run<R>(ask: () => Promise<R>): Promise<R> {
    if (this.#failures >= MOST_FAILURES) {
      const now = performance.now();
      if (now < this.#openUntil) throw new KeystoneTrouble('Keystone is not asked: it has just failed.');
      this.#openUntil = now + OPEN_MS;
    }
    try {
      const outcome = await ask();
      this.#failures = 0;
      return outcome;
    } catch (error) {
      if (error instanceof KeystoneTrouble && !(error instanceof OddAnswer)) this.#failed();
      else this.#failures = 0;
      throw error;
    }
  }
  #failed(): void {
    this.#failures += 1;
    this.#openUntil = performance.now() + OPEN_MS;
  }
}
