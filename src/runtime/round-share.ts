/** How much of a round of the event loop short pieces of work may take together, in milliseconds. */
const MOST_MS = 4;

/** The time that work which is mostly short may take in one round of the event loop. */
export class RoundShare {
  readonly #now: () => number;
  readonly #nextRound: (begin: () => void) => void;
  #used = 0;
  #isCounting = false;

  /**
   * @param now in milliseconds
   * @param nextRound calls the function in the next round of the event loop
   */
  constructor(
    now: () => number = () => performance.now(),
    nextRound: (begin: () => void) => void = setImmediate,
  ) {
    this.#now = now;
    this.#nextRound = nextRound;
  }

  /** Whether further work should wait for another round. */
  get isUsedUp(): boolean {
    return this.#used >= MOST_MS;
  }

  /** Does a piece of work and counts the time that it takes at once; what it awaits is not counted. */
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
