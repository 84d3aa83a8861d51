import { within } from '../work.ts';
import type { BitLayout } from './bit-layout.ts';
import { HEAD } from './bit-layout.ts';
import type { Role } from './role.ts';
import { isSmallDfa } from './small-dfa.ts';
import { Union } from './union.ts';
import { UnionRun } from './union-run.ts';

/** Maximum work to find out if a pattern has few states. */
const SMALL_DFA_WORK = 150_000;

/** Regular patterns that run together. */
export interface GroupRun {
  readonly run: UnionRun;
  /** True for sieves: a hit is not a match yet, and the pattern has to be run by itself. */
  readonly prefilters: boolean;
}

/** Two unions of regular patterns: those with few states, and all others. */
class Pair {
  private readonly small: UnionRun;
  private readonly large: UnionRun;

  constructor(maxBytes: number) {
    this.small = new UnionRun(new Union(), maxBytes);
    this.large = new UnionRun(new Union(), maxBytes);
  }

  get size(): number {
    return this.small.union.size + this.large.union.size;
  }

  get runs(): UnionRun[] {
    return [this.small, this.large].filter((run) => run.union.members.size > 0);
  }

  add(key: number, layout: BitLayout): void {
    const small =
      layout.data[HEAD.words]! <= 2 && within(SMALL_DFA_WORK, () => isSmallDfa(layout))?.value === true;
    const run = small ? this.small : this.large;
    run.union.add(key, layout);
    run.forget();
  }

  remove(key: number): void {
    for (const run of [this.small, this.large]) {
      if (!run.union.members.has(key)) continue;
      run.union.remove(key);
      run.forget();
    }
  }
}

/**
 * The patterns behind one literal, or those without one: regular ones, sieves of irregular ones, and irregular ones
 * that have no sieve.
 */
export class LiteralGroup {
  /** Keys that have not been entered yet. */
  readonly pending: Set<number>;
  /** Keys of irregular patterns without a sieve, which run one by one. */
  readonly irregular = new Set<number>();
  runs: readonly GroupRun[] = [];
  private readonly regular: Pair;
  private readonly prefilters: Pair;

  constructor(keys: Iterable<number>, maxBytes: number) {
    this.pending = new Set(keys);
    this.regular = new Pair(maxBytes);
    this.prefilters = new Pair(maxBytes);
  }

  /** In bytes, without the states cached for names. */
  get size(): number {
    return this.regular.size + this.prefilters.size;
  }

  /** True if it is already known, within the budget, that nothing here matches. */
  surelyMisses(text: string, budget: number): boolean {
    if (this.irregular.size > 0 || this.pending.size > 0) return false;
    return this.runs.every(({ run }) => run.surelyMisses(text, budget / 4));
  }

  enter(key: number, { layout, prefilters }: Role): void {
    if (layout === undefined) this.irregular.add(key);
    else (prefilters ? this.prefilters : this.regular).add(key, layout);
    this.pending.delete(key);
    this.look();
  }

  remove(key: number): void {
    if (this.pending.delete(key) || this.irregular.delete(key)) return;
    this.regular.remove(key);
    this.prefilters.remove(key);
    this.look();
  }

  private look(): void {
    this.runs = [
      ...this.regular.runs.map((run) => ({ run, prefilters: false })),
      ...this.prefilters.runs.map((run) => ({ run, prefilters: true })),
    ];
  }
}
