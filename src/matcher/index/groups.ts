import { parsePattern } from '../syntax/parse.ts';
import { type BitLayout, layOut } from './bit-layout.ts';
import type { Work } from './decision.ts';
import { positionsOf } from './positions.ts';
import { isTame } from './tame.ts';
import { Union } from './union.ts';
import { UnionRun } from './union-run.ts';

/** As many patterns behind one literal are run as one automaton. */
export const GROUP = 8;

/** So many cost more than the budget on any name; what comes on top waits for a place. */
const MOST_MEMBERS = 160_000;

export function layoutOf(source: string): BitLayout | undefined {
  const positions = positionsOf(parsePattern(source).root);
  return positions && layOut(positions);
}

/** What a pattern is run as: itself, or a sieve before itself; undefined for one that is run without either. */
export type Role = { readonly layout: BitLayout; readonly sieves: boolean } | undefined;

/** Regular patterns side by side: those with few states together, and the others together. */
class Pair {
  private readonly tame: UnionRun;
  private readonly wild: UnionRun;

  constructor(room: number) {
    this.tame = new UnionRun(new Union(), room);
    this.wild = new UnionRun(new Union(), room);
  }

  get size(): number {
    return this.tame.union.members.size + this.wild.union.members.size;
  }

  get runs(): UnionRun[] {
    return [this.tame, this.wild].filter((run) => run.union.members.size > 0);
  }

  forget(): void {
    this.tame.forget();
    this.wild.forget();
  }

  add(key: number, layout: BitLayout): void {
    const run = layout.words <= 2 && isTame(layout) ? this.tame : this.wild;
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

/** The patterns that share a literal: the regular ones, the sieves of the others, and those that have none. */
export class Group {
  private readonly regular: Pair;
  private readonly sieves: Pair;
  private readonly waiting = new Set<number>();
  /** Those that are not regular and have no sieve, each to be run by itself. */
  readonly irregular = new Set<number>();

  constructor(room: number) {
    this.regular = new Pair(room);
    this.sieves = new Pair(room);
  }

  /** Forgets what is kept of the names before. */
  forget(): void {
    this.regular.forget();
    this.sieves.forget();
  }

  /** What has to be run for one form of a name. */
  works(form: number): Work[] {
    return [
      ...this.regular.runs.map((run) => ({ run, form, sieves: false })),
      ...this.sieves.runs.map((run) => ({ run, form, sieves: true })),
    ];
  }

  /** Whether it is known already that nothing here matches, within the budget. */
  surelyMisses(text: string, budget: number): boolean {
    if (this.irregular.size > 0 || this.waiting.size > 0) return false;
    return [...this.regular.runs, ...this.sieves.runs].every((run) => run.surelyMisses(text, budget / 4));
  }

  add(key: number, role: Role): void {
    if (role === undefined) this.irregular.add(key);
    else if (role.sieves) this.sieves.add(key, role.layout);
    else if (this.unionSize >= MOST_MEMBERS) this.waiting.add(key);
    else this.regular.add(key, role.layout);
  }

  /** How many are run in unions, those included that wait to be. */
  get unionSize(): number {
    return this.regular.size + this.sieves.size + this.waiting.size;
  }

  /** Gives the key of a waiting pattern that there is now room for; it is to be added again. */
  remove(key: number): number | undefined {
    if (this.irregular.delete(key) || this.waiting.delete(key)) return undefined;
    this.regular.remove(key);
    this.sieves.remove(key);
    const [next] = this.waiting;
    if (next !== undefined) this.waiting.delete(next);
    return next;
  }
}
