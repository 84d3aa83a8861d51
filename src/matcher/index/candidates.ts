import type { BitLayout } from './bit-layout.ts';
import { BUDGET, PROGRAM_COST } from './budget.ts';
import type { Job, Workshop } from './decision.ts';
import { GROUP, Group, layoutOf, type Role } from './groups.ts';
import { compile, type Program } from './programs.ts';
import { Recent } from './recent.ts';
import { sieveOf } from './sieve.ts';
import { Union } from './union.ts';
import { BASE_COST, UnionRun } from './union-run.ts';

/** The place of the patterns that have no literal. */
export const UNFILTERED = -1;

const MOST_COMPILED = 2000;
/** How many groups behind literals may keep states. */
const MOST_WARM = 64;

/** In bytes: what may be kept of states, for a pattern by itself, a group, and the patterns without a literal. */
const ROOM = { single: 32 << 10, group: 1 << 20, unfiltered: 4 << 20 } as const;

/** The patterns behind one literal, all that has to be known to run them. */
export interface Place {
  readonly place: number;
  readonly keys: readonly number[];
}

/** The patterns that have to be run: their sources, and what they have been compiled to. */
export class Candidates implements Workshop {
  private readonly sources = new Map<number, string>();
  /** Those that are known to have no automaton; this is found out when they are first run. */
  private readonly irregular = new Set<number>();
  private readonly groups = new Map<number, Group>();
  private readonly warm = new Recent<number, Group>(MOST_WARM, (group) => group.forget());
  private readonly runs = new Recent<number, UnionRun>(MOST_COMPILED);
  private readonly programs = new Recent<number, Program>(MOST_COMPILED);

  find(key: number): string | undefined {
    return this.sources.get(key);
  }

  sourceOf(key: number): string {
    return this.sources.get(key)!;
  }

  ready(key: number): boolean {
    return this.programs.has(key);
  }

  program(key: number): Program {
    return this.programs.get(key, () => compile(this.sourceOf(key)));
  }

  add(key: number, source: string): void {
    this.sources.set(key, source);
  }

  remove(key: number): void {
    this.sources.delete(key);
    this.irregular.delete(key);
    this.runs.delete(key);
    this.programs.delete(key);
  }

  /** After a key has been put behind a literal: `keys` are now all that are there. */
  joined({ place, keys }: Place, key: number): void {
    if (keys.length < leastIn(place)) return;
    const group = this.groups.get(place);
    if (group !== undefined) this.enter(group, key);
    else {
      const created = new Group(place === UNFILTERED ? ROOM.unfiltered : ROOM.group);
      this.groups.set(place, created);
      for (const member of keys) this.enter(created, member);
    }
  }

  /** After a key has been taken away. */
  left({ place, keys }: Place, key: number): void {
    const group = this.groups.get(place);
    if (group === undefined) return;
    if (keys.length < leastIn(place)) {
      this.groups.delete(place);
      this.warm.delete(place);
    }
    const next = group.remove(key);
    if (next !== undefined) this.enter(group, next);
  }

  /** Whether the patterns without a literal are known already to match none of these, well within the budget. */
  surelyMiss(forms: readonly string[]): boolean {
    const group = this.groups.get(UNFILTERED);
    return group?.surelyMisses(forms[0]!, BUDGET / 2) === true && forms.length === 1;
  }

  /** What it costs at least to run all that is behind a literal. */
  leastCost({ place, keys }: Place): number {
    const group = this.groups.get(place);
    if (group === undefined) return keys.length * BASE_COST;
    return group.unionSize * BASE_COST + group.irregular.size * PROGRAM_COST;
  }

  /** Puts what has to be run behind a literal into a job. `seen` are the keys that are in it, for this form. */
  gather({ place, keys }: Place, form: number, job: Job, seen: Set<number>): void {
    const group = this.groups.get(place);
    if (group !== undefined) this.gatherGroup(place, group, form, job);
    for (const key of group?.irregular ?? keys) {
      if (seen.has(key)) continue;
      seen.add(key);
      const run = group === undefined ? this.runOf(key) : undefined;
      if (run === undefined) job.programs.push({ key, form });
      else job.works.push({ run, form, sieves: false });
    }
  }

  private gatherGroup(place: number, group: Group, form: number, job: Job): void {
    if (place !== UNFILTERED) this.warm.get(place, () => group);
    job.works.push(...group.works(form));
  }

  /** Undefined for a pattern that is not regular. */
  private runOf(key: number): UnionRun | undefined {
    if (this.irregular.has(key)) return undefined;
    const known = this.runs.find(key);
    if (known !== undefined) return known;
    const layout = this.layoutOf(key);
    if (layout === undefined) return undefined;
    const union = new Union();
    union.add(key, layout);
    return this.runs.get(key, () => new UnionRun(union, ROOM.single));
  }

  private layoutOf(key: number): BitLayout | undefined {
    const layout = this.irregular.has(key) ? undefined : layoutOf(this.sourceOf(key));
    if (layout === undefined) this.irregular.add(key);
    return layout;
  }

  private enter(group: Group, key: number): void {
    group.add(key, this.roleOf(key));
  }

  private roleOf(key: number): Role {
    const layout = this.layoutOf(key);
    if (layout !== undefined) return { layout, sieves: false };
    const sieve = sieveOf(this.sourceOf(key));
    return sieve && { layout: sieve, sieves: true };
  }
}

/** How many patterns make a group. Those without a literal are run for every name, so that one is enough. */
function leastIn(place: number): number {
  return place === UNFILTERED ? 1 : GROUP;
}
