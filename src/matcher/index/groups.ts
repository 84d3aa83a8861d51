import { within } from '../work.ts';
import type { BitLayout } from './bit-layout.ts';
import { HEAD } from './bit-layout.ts';
import type { Role } from './role.ts';
import { isTame } from './tame.ts';
import { Union } from './union.ts';
import { UnionRun } from './union-run.ts';

/** Maximum work to find out if a pattern has few states. */
const TAME_WORK = 150_000;

/** Regular patterns that run together. */
export interface GroupRun {
  readonly run: UnionRun;
  /** True for sieves: a hit is not a match yet, and the pattern has to be run by itself. */
  readonly sieves: boolean;
}

/** Two unions of regular patterns: those with few states, and all others. */
class Pair {
  private readonly tame: UnionRun;
  private readonly wild: UnionRun;

  constructor(room: number) {
    this.tame = new UnionRun(new Union(), room);
    this.wild = new UnionRun(new Union(), room);
  }

  get size(): number {
    return this.tame.union.size + this.wild.union.size;
  }

  get runs(): UnionRun[] {
    return [this.tame, this.wild].filter((run) => run.union.members.size > 0);
  }

  add(key: number, layout: BitLayout): void {
    const tame = layout.data[HEAD.words]! <= 2 && within(TAME_WORK, () => isTame(layout))?.value === true;
    const run = tame ? this.tame : this.wild;
    run.union.add(key, layout);
    run.forget();
  }

  remove(key: number): void {
    for (const run of [this.tame, this.wild]) {
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
  private readonly sieves: Pair;

  constructor(keys: Iterable<number>, room: number) {
    this.pending = new Set(keys);
    this.regular = new Pair(room);
    this.sieves = new Pair(room);
  }

  /** In bytes, without the states cached for names. */
  get size(): number {
    return this.regular.size + this.sieves.size;
  }

  /** True if it is already known, within the budget, that nothing here matches. */
  surelyMisses(text: string, budget: number): boolean {
    if (this.irregular.size > 0 || this.pending.size > 0) return false;
    return this.runs.every(({ run }) => run.surelyMisses(text, budget / 4));
  }

  enter(key: number, { layout, sieves }: Role): void {
    if (layout === undefined) this.irregular.add(key);
    else (sieves ? this.sieves : this.regular).add(key, layout);
    this.pending.delete(key);
    this.look();
  }

  remove(key: number): void {
    if (this.pending.delete(key) || this.irregular.delete(key)) return;
    this.regular.remove(key);
    this.sieves.remove(key);
    this.look();
  }

  private look(): void {
    this.runs = [
      ...this.regular.runs.map((run) => ({ run, sieves: false })),
      ...this.sieves.runs.map((run) => ({ run, sieves: true })),
    ];
  }
}
