import { pause, type Waits, waitAfter } from './waits.ts';

export interface Work {
  /** Does a part of the work; returns whether there may be more to do at once. */
  turn(): Promise<boolean>;
  /** How long to leave others alone after a turn, in milliseconds. */
  gap(): number;
  /** A turn has failed, the first one in a row. */
  failed(error: unknown): void;
  /** A turn has succeeded after others had failed. */
  recovered?(): void;
}

export interface WorkTimes {
  /** How long nothing is done while nobody wakes it, in milliseconds. */
  readonly poll: number;
  /** After turns that failed. */
  readonly retry: Waits;
}

/** Does one turn after the other, until it is stopped. */
export class WorkLoop {
  readonly #work: Work;
  readonly #times: WorkTimes;
  readonly #signal: AbortSignal;
  #isWoken = false;
  #ring: () => void = () => {};

  constructor(work: Work, times: WorkTimes, signal: AbortSignal) {
    this.#work = work;
    this.#times = times;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#ring(), { once: true });
  }

  /** Says that there may be something to do. Any number of calls is one turn. */
  wake(): void {
    this.#isWoken = true;
    this.#ring();
  }

  /** Resolves once it is stopped and the last turn is over. */
  async run(): Promise<void> {
    let failures = 0;
    while (!this.#signal.aborted) {
      this.#isWoken = false;
      try {
        const isMore = await this.#work.turn();
        if (failures > 0) this.#work.recovered?.();
        failures = 0;
        await this.#rest(isMore);
      } catch (error) {
        if (failures === 0 && !this.#signal.aborted) this.#work.failed(error);
        await pause(waitAfter(this.#times.retry, failures), this.#signal);
        failures += 1;
      }
    }
  }

  /** Waits a moment, and then for something to do. */
  async #rest(isMore: boolean): Promise<void> {
    if (!(await pause(this.#work.gap(), this.#signal)) || isMore || this.#isWoken) return;
    const rung = new AbortController();
    this.#ring = () => rung.abort();
    await pause(this.#times.poll, rung.signal);
  }
}
