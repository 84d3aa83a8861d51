import { enforcedTally, notedTally, type Tally } from './tally.ts';
import { BLOCKING, type Kind, NOTED } from './traits.ts';

/** What looking a name up has brought to light about one part of the patterns. */
export class PartHits {
  /** The complete patterns that match. */
  readonly tally: Tally;
  /** For each form, the entries of literals with candidates behind them, as often as they were found. */
  readonly entries: number[][] = [];

  constructor(tally: Tally) {
    this.tally = tally;
  }

  begin(form: number): void {
    const list = this.entries[form];
    if (list === undefined) this.entries[form] = [];
    else if (list.length > 0) list.length = 0;
  }
}

/** What looking a name up has brought to light, in lists that are used again for the next name. */
export class Hits {
  readonly enforced = new PartHits(enforcedTally());
  readonly noted = new PartHits(notedTally());
  /** Whether nothing was found so far. */
  none = true;
  /** All complete patterns that match, whatever their kind, where they are wanted. */
  private all: Set<number> | undefined;
  private most = Number.POSITIVE_INFINITY;
  private form = 0;

  /** @param most How many of all are wanted. */
  reset(all: Set<number> | undefined, most = Number.POSITIVE_INFINITY): void {
    this.all = all;
    this.most = most;
    this.none = true;
    this.enforced.tally.reset();
    this.noted.tally.reset();
  }

  /** Before a form of the name is looked up. */
  begin(form: number): void {
    this.form = form;
    this.enforced.begin(form);
    this.noted.begin(form);
  }

  /** Takes the entry of a literal that has candidates behind it. */
  meet(entry: number, kind: Kind): void {
    this.none = false;
    (kind === NOTED ? this.noted : this.enforced).entries[this.form]!.push(entry);
  }

  /** Takes complete patterns of one kind that match, sorted; gives whether to go on. */
  take(keys: readonly number[], kind: Kind): boolean {
    const first = keys[0];
    if (first === undefined) return true;
    this.none = false;
    if (this.all !== undefined) return this.takeAll(keys, this.all);
    if (kind === BLOCKING) {
      this.enforced.tally.take(first, kind);
      return false;
    }
    (kind === NOTED ? this.noted : this.enforced).tally.keepAll(keys);
    return true;
  }

  private takeAll(keys: readonly number[], all: Set<number>): boolean {
    for (const key of keys) {
      if (all.size >= this.most) return false;
      all.add(key);
    }
    return true;
  }
}
