/** Maximum time that short work may take in one round of the event loop, in milliseconds. */
const MAX_MS = 4;

/** Time budget for mostly short work in one round of the event loop. */
export class RoundShare {
  readonly #now: () => number;
  readonly #nextRound: (begin: () => void) => void;
  #used = 0;
  #isCounting = false;

  /**
   * @param now returns milliseconds
   * @param nextRound calls the function in the next round of the event loop
   */
  constructor(
    now: () => number = () => performance.now(),
    nextRound: (begin: () => void) => void = setImmediate,
  ) {
    this.#now = now;
    this.#nextRound = nextRound;
  }

  /** True if further work should wait for the next round. */
  get isUsedUp(): boolean {
    return this.#used >= MAX_MS;
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
