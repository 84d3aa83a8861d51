/** Time budget for mostly short work in one round of the event loop. */
export class RoundShare {
  readonly #maxMs: number;
  readonly #now: () => number;
  readonly #nextRound: (begin: () => void) => void;
  #used = 0;
  #isCounting = false;

  /**
   * @param maxMs maximum time of the work in one round, in milliseconds
   * @param now returns milliseconds
   * @param nextRound calls the function in the next round of the event loop
   */
  constructor(
    maxMs: number,
    now: () => number = () => performance.now(),
    nextRound: (begin: () => void) => void = setImmediate,
  ) {
    this.#maxMs = maxMs;
    this.#now = now;
    this.#nextRound = nextRound;
  }

  /** True if further work should wait for the next round. */
  get isUsedUp(): boolean {
    return this.#used >= this.#maxMs;
  }

  /** Runs the work and counts its synchronous time; time spent awaiting is not counted. */
  do<T>(work: () => T): T {
    this.#countRound();
    const began = this.#now();
    try {
      return work();
    } finally {
      this.#used += this.#now() - began;
    }
  }

  #countRound(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    this.#nextRound(() => {
      this.#used = 0;
      this.#isCounting = false;
    });
  }
}
