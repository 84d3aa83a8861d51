import { type Backoff, delayAfter } from './backoff.ts';
import { pause } from './pause.ts';

export interface LoopWork {
  /** Does some of the work. @returns whether more can be done at once */
  turn(): Promise<boolean>;
  /** The shortest pause after a turn, in milliseconds. */
  gapMs(): number;
  /** Called for the first of several failures in a row. */
  failed(error: unknown): void;
  /** Called for the first success after failures. */
  recovered?(): void;
}

export interface LoopTimes {
  /** The pause after a turn that left nothing to do, unless the loop is woken. */
  readonly intervalMs: number;
  /** The pause before the first turn, unless the loop is woken; none by default. */
  readonly firstAfterMs?: number | undefined;
  /** The pauses after failures. */
  readonly retry: Backoff;
}

/** Runs turns one after the other until its signal ends it. */
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

  /** Begins the next turn soon. Calls during a turn are combined. */
  wake(): void {
    this.#isWoken = true;
    this.#endRest();
  }

  /** Resolves after the turn during which the signal fired. */
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
    const woken = new AbortController();
    this.#endRest = () => woken.abort();
    await pause(ms, woken.signal);
  }
}
