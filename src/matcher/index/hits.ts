import { enforcedTally, notedTally, type Tally } from './tally.ts';
import { BLOCKING, NOTED, type PatternKind } from './traits.ts';

/** The result of looking up a name, for one part of the patterns. */
export class PartHits {
  /** The complete patterns that match. */
  readonly tally: Tally;
  /** For each form, the entries of literals with candidates behind them, once per occurrence. */
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

/** The result of looking up a name, in lists that are reused for the next name. */
export class IndexHits {
  readonly enforced = new PartHits(enforcedTally());
  readonly noted = new PartHits(notedTally());
  /** True while nothing has been found. */
  none = true;
  /** If requested, all complete patterns that match, of any kind. */
  private all: Set<number> | undefined;
  private most = Number.POSITIVE_INFINITY;
  private form = 0;

  /** @param most maximum number of keys in `all` */
  reset(all: Set<number> | undefined, most = Number.POSITIVE_INFINITY): void {
    this.all = all;
    this.most = most;
    this.none = true;
    this.enforced.tally.reset();
    this.noted.tally.reset();
  }

  /** To be called before a form of the name is looked up. */
  begin(form: number): void {
    this.form = form;
    this.enforced.begin(form);
    this.noted.begin(form);
  }

  /** Records the entry of a literal with candidates behind it. */
  meet(entry: number, kind: PatternKind): void {
    this.none = false;
    (kind === NOTED ? this.noted : this.enforced).entries[this.form]!.push(entry);
  }

  /** Records complete patterns of one kind that match, sorted. Returns true to continue. */
  take(keys: readonly number[], kind: PatternKind): boolean {
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
