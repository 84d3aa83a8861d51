/**
 * What a number may be while operations on it are under way, and the furthest it may have been while one of them was.
 * An operation that has been sent may or may not have happened yet; one that was answered has, or has not.
 */
export class Span {
  #low: number;
  #high: number;
  readonly #watchers = new Set<{ low: number; high: number }>();

  constructor(value: number) {
    this.#low = value;
    this.#high = value;
  }

  /** The value, when nothing is under way. */
  get settled(): number {
    if (this.#low !== this.#high) throw new Error(`not settled: ${this.#low} to ${this.#high}`);
    return this.#low;
  }

  get low(): number {
    return this.#low;
  }

  /** Announces that the number may change by so much; the answer settles whether it did. */
  begin(change: number): (happened: boolean) => void {
    if (change > 0) this.#high += change;
    else this.#low += change;
    this.#tell();
    return (happened) => {
      // The far end was moved when the change began: now the near end follows, or the far end comes back.
      const grows = change > 0;
      if (grows === happened) this.#low += happened ? change : -change;
      else this.#high += happened ? change : -change;
      this.#tell();
    };
  }

  /** Announces that the number may become this value. */
  beginSet(value: number): (happened: boolean) => void {
    const [low, high] = [this.#low, this.#high];
    this.#low = Math.min(low, value);
    this.#high = Math.max(high, value);
    this.#tell();
    return (happened) => {
      this.#low = happened ? value : low;
      this.#high = happened ? value : high;
      this.#tell();
    };
  }

  /** Watches the least and the greatest that the number may be until it is asked. */
  watch(): () => { low: number; high: number } {
    const seen = { low: this.#low, high: this.#high };
    this.#watchers.add(seen);
    return () => {
      this.#watchers.delete(seen);
      return seen;
    };
  }

  #tell(): void {
    for (const seen of this.#watchers) {
      seen.low = Math.min(seen.low, this.#low);
      seen.high = Math.max(seen.high, this.#high);
    }
  }
}
