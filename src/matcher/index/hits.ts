/** What looking a name up has brought to light. */
export class Hits {
  /** A complete pattern that matches; 0 for none. */
  blocked = 0;
  /** All of them, where they are wanted. */
  all: Set<number> | undefined;
  /** The entries of literals with candidates behind them, as often as they were found. */
  readonly places: number[] = [];

  reset(all: Set<number> | undefined): void {
    this.blocked = 0;
    this.all = all;
    this.places.length = 0;
  }

  /** Takes complete patterns that match, sorted; gives whether to go on. */
  take(keys: readonly number[]): boolean {
    const [first] = keys;
    if (first === undefined) return true;
    if (this.all === undefined) {
      if (this.blocked === 0 || first < this.blocked) this.blocked = first;
      return false;
    }
    for (const key of keys) this.all.add(key);
    return true;
  }
}
