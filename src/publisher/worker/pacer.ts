import { pause } from '../../runtime/pause.ts';

/** Spaces steps evenly: at most `rate` per second, one at a time. */
export class Pacer {
  readonly #intervalMs: number;
  #nextAt = 0;

  constructor(rate: number) {
    this.#intervalMs = 1000 / rate;
  }

  /** Waits for the next step. @returns false if the signal ended the wait */
  pass(signal: AbortSignal): Promise<boolean> {
    const now = performance.now();
    this.#nextAt = Math.max(now, this.#nextAt) + this.#intervalMs;
    return pause(this.#nextAt - this.#intervalMs - now, signal);
  }
}
