import { compileProgram, type Program } from '../run/program.ts';
import { parsePattern } from '../syntax/parse.ts';
import { within } from '../work.ts';
import { HEAD } from './bit-layout.ts';
import { BUDGET, COMPILE_HERE } from './budget.ts';
import { type GroupRun, LiteralGroup } from './groups.ts';
import { BoundedCache } from './kept.ts';
import { type Role, roleOfSource } from './role.ts';
import { Union } from './union.ts';
import { UnionRun } from './union-run.ts';

/** Places of the patterns without a literal: of enforced and of noted ones. */
export const UNFILTERED = { enforced: -1, noted: -2 } as const;

/** Number of patterns behind one literal from which they run as one automaton. */
const GROUP = 8;

/** Memory for cached states, in bytes: for a single pattern, a group, and the patterns without a literal. */
const STATE_BYTES = { single: 16 << 10, group: 128 << 10, unfiltered: 4 << 20 } as const;

/** Memory for compiled patterns here, in bytes. Patterns that do not fit run elsewhere. */
const MAX_BYTES = { singles: 24 << 20, groups: 48 << 20, programs: 16 << 20, unfiltered: 24 << 20 } as const;

/** The patterns behind one literal, with all that is needed to run them. */
export interface LiteralCandidates {
  readonly place: number;
  readonly keys: readonly number[];
}

export function isUnfiltered({ place }: LiteralCandidates): boolean {
  return place < 0;
}

/** Work that may still be done here. */
export interface WorkAllowance {
  left: number;
}

/** A single pattern, ready to run. */
export interface Single {
  readonly run: GroupRun | undefined;
  /** True if its program must confirm what the run, if any, has let through. */
  readonly irregular: boolean;
}

/**
 * Compiled forms of the patterns that have to be run, so that most checks can finish where they begin. Everything here
 * can be rebuilt, and is only built within the allowance of a check.
 */
export class Candidates {
  private readonly sourceOf: (key: number) => string | undefined;
  /** Patterns that take too much work to compile here. */
  private readonly heavy = new Set<number>();
  private readonly singles = new BoundedCache<number, Single>(MAX_BYTES.singles);
  private readonly groups = new BoundedCache<number, LiteralGroup>(MAX_BYTES.groups);
  private readonly programs = new BoundedCache<number, Program>(MAX_BYTES.programs);
  private readonly unfiltered = new Map<number, LiteralGroup>();
  /** Places without a literal that have more patterns than there is room for. */
  private readonly tooMany = new Set<number>();

  /** @param sourceOf the source of a pattern, if available */
  constructor(sourceOf: (key: number) => string | undefined) {
    this.sourceOf = sourceOf;
  }

  forget(key: number): void {
    this.heavy.delete(key);
    this.singles.delete(key);
    this.programs.delete(key);
  }

  /** To be called after a key has been added behind a literal. */
  joined(place: number, key: number): void {
    this.groupAt(place)?.pending.add(key);
  }

  /** To be called after a key has been removed; `keys` are those that remain. */
  left(left: LiteralCandidates, key: number): void {
    const { place, keys } = left;
    this.groupAt(place)?.remove(key);
    if (isUnfiltered(left)) this.tooMany.delete(place);
    else if (keys.length < GROUP) this.groups.delete(place);
  }

  /**
   * True if it is already known, well within the budget, that no pattern of a place without a literal matches these
   * forms.
   */
  surelyMiss(place: number, forms: readonly string[]): boolean {
    return forms.length === 1 && this.unfiltered.get(place)?.surelyMisses(forms[0]!, BUDGET / 4) === true;
  }

  isGroup(place: LiteralCandidates): boolean {
    return isUnfiltered(place) || place.keys.length >= GROUP;
  }

  /** The group of a place, fully compiled; undefined if that exceeds the allowance. */
  group(at: LiteralCandidates, allowance: WorkAllowance): LiteralGroup | undefined {
    const { place, keys } = at;
    if (this.tooMany.has(place)) return undefined;
    let group = this.groupAt(place);
    if (group === undefined) {
      allowance.left -= keys.length * 20;
      if (allowance.left < 0) return undefined;
      group = new LiteralGroup(keys, isUnfiltered(at) ? STATE_BYTES.unfiltered : STATE_BYTES.group);
    } else if (group.pending.size === 0) return group;
    const ready = this.enterAll(group, allowance);
    this.keepGroup(at, group);
    return ready ? group : undefined;
  }

  /** Undefined if compiling it exceeds the allowance. */
  single(key: number, allowance: WorkAllowance): Single | undefined {
    const known = this.singles.find(key);
    if (known !== undefined) return known;
    const made = this.made(key, allowance, roleOfSource);
    if (made === undefined) return undefined;
    const single = singleOf(key, made);
    this.singles.keep(
      key,
      single,
      400 + (single.run === undefined ? 0 : single.run.run.size + STATE_BYTES.single / 2),
    );
    return single;
  }

  /** Undefined if compiling it exceeds the allowance. */
  program(key: number, allowance: WorkAllowance): Program | undefined {
    const known = this.programs.find(key);
    if (known !== undefined) return known;
    const made = this.made(key, allowance, (source) => compileProgram(parsePattern(source)));
    if (made !== undefined) this.programs.keep(key, made, made.size);
    return made;
  }

  private groupAt(place: number): LiteralGroup | undefined {
    return this.unfiltered.get(place) ?? this.groups.find(place);
  }

  private keepGroup(at: LiteralCandidates, group: LiteralGroup): void {
    const { place } = at;
    if (!isUnfiltered(at)) this.groups.keep(place, group, group.size + 2 * STATE_BYTES.group);
    else if (group.size <= MAX_BYTES.unfiltered) this.unfiltered.set(place, group);
    else {
      this.tooMany.add(place);
      this.unfiltered.delete(place);
    }
  }

  private enterAll(group: LiteralGroup, allowance: WorkAllowance): boolean {
    for (const key of group.pending) {
      const role = this.made(key, allowance, roleOfSource);
      if (role === undefined) return false;
      const entered = within(Math.max(0, allowance.left), () => group.enter(key, role));
      if (entered === undefined) return false;
      allowance.left -= entered.units;
    }
    return true;
  }

  private made<T>(key: number, allowance: WorkAllowance, make: (source: string) => T): T | undefined {
    const source = this.heavy.has(key) ? undefined : this.sourceOf(key);
    if (source === undefined || allowance.left <= 0) return undefined;
    const budget = Math.min(COMPILE_HERE, allowance.left);
    const made = within(budget, () => make(source));
    if (made === undefined && budget === COMPILE_HERE) this.heavy.add(key);
    allowance.left -= made === undefined ? budget : made.units;
    return made?.value;
  }
}

function singleOf(key: number, { layout, prefilters }: Role): Single {
  if (layout === undefined) return { run: undefined, irregular: true };
  const union = new Union();
  union.add(key, layout);
  const maxBytes = Math.max(STATE_BYTES.single, layout.data[HEAD.words]! * 1024);
  return { run: { run: new UnionRun(union, maxBytes), prefilters }, irregular: prefilters };
}
