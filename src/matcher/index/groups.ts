import { parsePattern } from '../syntax/parse.ts';
import { type BitLayout, layOut } from './bit-layout.ts';
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

/** The regular patterns that share a literal: those with few states together, and the others together. */
export class Group {
  private readonly tame: UnionRun;
  private readonly wild: UnionRun;
  private readonly waiting = new Set<number>();
  /** Those that are not regular, each to be run by itself. */
  readonly irregular = new Set<number>();

  constructor(room: number) {
    this.tame = new UnionRun(new Union(), room);
    this.wild = new UnionRun(new Union(), room);
  }

  /** Forgets what is kept of the names before. */
  forget(): void {
    this.tame.forget();
    this.wild.forget();
  }

  get runs(): UnionRun[] {
    return [this.tame, this.wild].filter((run) => run.union.members.size > 0);
  }

  /** Whether it is known already that nothing here matches, within the budget. */
  surelyMisses(text: string, budget: number): boolean {
    if (this.irregular.size > 0 || this.waiting.size > 0) return false;
    return this.runs.every((run) => run.surelyMisses(text, budget / 2));
  }

  add(key: number, layout: BitLayout | undefined): void {
    if (layout === undefined) {
      this.irregular.add(key);
      return;
    }
    if (this.regularSize >= MOST_MEMBERS) {
      this.waiting.add(key);
      return;
    }
    const run = layout.words <= 2 && isTame(layout) ? this.tame : this.wild;
    run.union.add(key, layout);
    run.forget();
  }

  get regularSize(): number {
    return this.tame.union.members.size + this.wild.union.members.size + this.waiting.size;
  }

  /** Gives the key of a waiting pattern that there is now room for; it is to be added again. */
  remove(key: number): number | undefined {
    if (this.irregular.delete(key) || this.waiting.delete(key)) return undefined;
    for (const run of [this.tame, this.wild]) {
      if (!run.union.members.has(key)) continue;
      run.union.remove(key);
      run.forget();
    }
    const [next] = this.waiting;
    if (next !== undefined) this.waiting.delete(next);
    return next;
  }
}
