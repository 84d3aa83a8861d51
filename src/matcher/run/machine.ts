import type { Membership } from './membership.ts';
import type { BacktrackCode } from './opcodes.ts';
import type { Text } from './text.ts';

/** State of the backtracker in a repeat that is being matched. */
export class Repeat {
  /** Address of the repeat's instruction. */
  readonly pc: number;
  readonly outer: Repeat | undefined;
  count = -1;
  /** Start of its last round beyond the minimum. */
  lastAt = -1;

  constructor(pc: number, outer: Repeat | undefined) {
    this.pc = pc;
    this.outer = outer;
  }
}

const NO_MARKS = new Int32Array(0);

/** A point at which to resume after an attempt has succeeded or failed. */
export class BacktrackPoint {
  pc = 0;
  at = 0;
  count = 0;
  lastAt = -1;
  lastMark = -1;
  /** Saved marks and their number. Contexts are reused, and so is the space for their marks. */
  saved = NO_MARKS;
  savedCount = 0;
  repeat: Repeat | undefined;
  resume: Resume | undefined;
}

/** Results of an instruction. */
export const FAIL = 0;
export const SUCCEED = 1;
export const CONTINUE = 2;
export type StepOutcome = typeof FAIL | typeof SUCCEED | typeof CONTINUE;

export type Operation = (run: Machine, context: BacktrackPoint) => StepOutcome;
export type Resume = (run: Machine, context: BacktrackPoint, found: boolean) => StepOutcome;

/** Nesting of up to this many contexts is cheap; each further one costs `DEEP_STEPS` moves. */
const DEEP = 20_000;
const DEEP_STEPS = 20;

/**
 * Costs in moves: allocating space for marks; saving or restoring this many marks (as a shift); a non-ASCII character.
 */
const NEW_MARKS = 10;
const MARKS_SHIFT = 3;
const WIDE_CHARACTER = 2;

function copyMarks(from: Int32Array, to: Int32Array, count: number): void {
  for (let i = 0; i < count; i++) to[i] = from[i] as number;
}

/** The state of a search: its position, the groups, the enclosing repeats, and the points to resume at. */
export class Machine {
  readonly code: Int32Array;
  readonly text: Text;
  readonly end: number;
  private readonly members: Membership;
  readonly marks: Int32Array;
  lastMark = -1;
  repeat: Repeat | undefined;
  remaining: number;
  /** End of the innermost context that has succeeded. */
  reached = 0;
  pc = 0;
  at = 0;
  private readonly contexts: BacktrackPoint[] = [];
  private depth = 0;

  constructor(program: BacktrackCode, members: Membership, text: Text, steps: number) {
    this.code = program.code;
    this.text = text;
    this.end = text.length;
    this.members = members;
    this.marks = new Int32Array(program.groupCount * 2 + 2);
    this.remaining = steps;
  }

  get context(): BacktrackPoint {
    return this.contexts[this.depth - 1] as BacktrackPoint;
  }

  /** Runs `pc` in a new context; `resume` then continues in the current one. */
  enter(pc: number, at: number, resume: Resume): StepOutcome {
    const { context } = this;
    context.pc = this.pc;
    context.at = this.at;
    context.resume = resume;
    this.push();
    this.pc = pc;
    this.at = at;
    return CONTINUE;
  }

  private push(): void {
    if (this.depth === this.contexts.length) this.contexts.push(new BacktrackPoint());
    if (++this.depth > DEEP) this.remaining -= DEEP_STEPS;
  }

  start(at: number): void {
    this.lastMark = -1;
    this.repeat = undefined;
    this.pc = 0;
    this.at = at;
    this.depth = 0;
    this.push();
  }

  /** Ends the current context and resumes the one that entered it. Returns `outcome` if there is none. */
  leave(outcome: StepOutcome): StepOutcome {
    this.remaining--;
    if (--this.depth === 0) return outcome;
    const { context } = this;
    this.pc = context.pc;
    this.at = context.at;
    return (context.resume as Resume)(this, context, outcome === SUCCEED);
  }

  get finished(): boolean {
    return this.depth === 0;
  }

  saveMarks(context: BacktrackPoint, always = false): void {
    const { lastMark } = this;
    context.lastMark = lastMark;
    const count = always || this.repeat !== undefined ? lastMark + 1 : 0;
    context.savedCount = count;
    if (count === 0) return;
    if (context.saved.length < count) {
      context.saved = new Int32Array(count);
      this.remaining -= NEW_MARKS;
    }
    this.remaining -= 1 + (count >> MARKS_SHIFT);
    copyMarks(this.marks, context.saved, count);
  }

  restoreMarks(context: BacktrackPoint): void {
    copyMarks(context.saved, this.marks, context.savedCount);
    this.lastMark = context.lastMark;
  }

  setMark(mark: number): void {
    if (mark > this.lastMark) {
      this.marks.fill(-1, this.lastMark + 1, mark);
      this.lastMark = mark;
    }
    this.marks[mark] = this.at;
  }

  /** Start of a group, or -1 if it has not matched. */
  groupStart(group: number): number {
    if (group * 2 >= this.lastMark) return -1;
    const start = this.marks[group * 2] as number;
    return (this.marks[group * 2 + 1] as number) < start ? -1 : start;
  }

  /** True if a set contains a code point. Beyond ASCII this takes a search. */
  has(set: number, code: number): boolean {
    if (code > 127) this.remaining -= WIDE_CHARACTER;
    return this.members.has(set, code);
  }

  /** Number of consecutive code points from `at` on that are in a set, up to `max`. */
  count(set: number, max: number): number {
    const { text, at } = this;
    const last = Math.min(this.end, at + max);
    let next = at;
    while (next < last && this.has(set, text[next] as number)) next++;
    this.remaining -= (next - at) >> 2;
    return next - at;
  }
}

export function advance(run: Machine, length: number): StepOutcome {
  run.pc += length;
  return CONTINUE;
}

export function jumpTo(run: Machine, pc: number): StepOutcome {
  run.pc = pc;
  return CONTINUE;
}

export function operand(run: Machine, index: number): number {
  return run.code[run.pc + index] as number;
}
