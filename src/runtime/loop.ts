import { type Backoff, delayAfter } from './backoff.ts';
import { pause } from './pause.ts';

export interface LoopWork {
  /** Does part of the work. @returns true if there is more to do now */
  turn(): Promise<boolean>;
  /** Minimum pause after a turn, in milliseconds. */
  gapMs(): number;
  /** Called for the first failure in a row. */
  failed(error: unknown): void;
  /** Called for the first success after failures. */
  recovered?(): void;
}

export interface LoopTimes {
  /** Pause after a turn that left nothing to do. `wake` cuts it short. */
  readonly intervalMs: number;
  /** Pause before the first turn; none by default. `wake` cuts it short. */
  readonly firstAfterMs?: number | undefined;
  /** Pauses after failures. */
  readonly retry: Backoff;
}

/** Runs turns one after another until its signal fires. */
export class Loop {
  readonly #work: LoopWork;
  readonly #times: LoopTimes;
  readonly #signal: AbortSignal;
  #isWoken = false;
  #failures = 0;
  #endRest: () => void = () => {};

  constructor(work: LoopWork, times: LoopTimes, signal: AbortSignal) {
    this.#work = work;
    this.#times = times;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#endRest(), { once: true });
  }

  /** Starts the next turn soon. Calls during a turn are combined. */
  wake(): void {
    this.#isWoken = true;
    this.#endRest();
  }

  /** Resolves at the end of the turn in which the signal fires. */
  async run(): Promise<void> {
    await this.#rest(this.#times.firstAfterMs ?? 0);
    while (!this.#signal.aborted) {
      this.#isWoken = false;
      try {
        const isMore = await this.#work.turn();
        this.#recover();
        if ((await pause(this.#work.gapMs(), this.#signal)) && !isMore)
          await this.#rest(this.#times.intervalMs);
      } catch (error) {
        await this.#fail(error);
      }
    }
  }

  #recover(): void {
    if (this.#failures > 0) this.#work.recovered?.();
    this.#failures = 0;
  }

  async #fail(error: unknown): Promise<void> {
    if (this.#failures === 0 && !this.#signal.aborted) this.#work.failed(error);
    await pause(delayAfter(this.#times.retry, this.#failures), this.#signal);
    this.#failures += 1;
  }

  async #rest(ms: number): Promise<void> {
    if (ms === 0 || this.#isWoken || this.#signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
