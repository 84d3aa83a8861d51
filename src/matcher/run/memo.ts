import { anchorHolds } from './anchors.ts';
import type { StepBudget } from './budget.ts';
import type { Instructions } from './instructions.ts';
import { CALL, OP, OUTSIDE, STRIDE } from './instructions.ts';
import type { Membership } from './membership.ts';
import type { Text, TextSpan } from './text.ts';

/**
 * Runs a program as CPython would, preferred choice first, but tries nothing twice: the outcome of each choice at each
 * position of the text is remembered. Without captures, it depends on only one more thing: which enclosing loops have
 * consumed nothing in their current round. Those are always the innermost ones, so one number identifies them: `fresh`,
 * the outermost of them.
 */

const UNKNOWN = 0;
const FAILED = 1;
/** An end of a match is stored as `SUCCEEDED` plus the end. */
const SUCCEEDED = 2;

/** Numbers per frame: its kind, instruction, position, `fresh`, and the place for its outcome. */
const FRAME = 5;
const SECOND_CHOICE = 0;
const LAST_CHOICE = 1;
const PENDING_CALL = 2;

class MemoRun {
  private readonly code: Int32Array;
  private readonly depth: number;
  private readonly width: number;
  private readonly choices: Uint16Array | Int32Array;
  private readonly calls: Uint16Array | Int32Array;
  private stack = new Int32Array(FRAME * 64);
  private top = 0;
  private pc = 0;
  private at = 0;
  private fresh = 0;
  private matched = false;
  /** End of the match. */
  private end = 0;
  private remaining: number;

  private readonly members: Membership;
  private readonly text: Text;

  constructor(program: Instructions, members: Membership, text: Text, remaining: number) {
    this.members = members;
    this.text = text;
    this.code = program.code;
    this.depth = program.loopDepth;
    this.width = (text.length + 1) * (program.loopDepth + 1);
    const Memory = text.length < 0xff00 ? Uint16Array : Int32Array;
    this.choices = new Memory(program.splits * this.width);
    this.calls = new Memory(program.calls * (text.length + 1));
    this.remaining = remaining - ((this.choices.length + this.calls.length) >> 5);
  }

  search(budget: StepBudget, anchored: boolean): TextSpan | 'miss' | 'exhausted' {
    const last = anchored ? 0 : this.text.length;
    let start = 0;
    while (start <= last && this.remaining > 0 && !this.matchAt(start)) start++;
    budget.remaining = Math.max(this.remaining, 0);
    if (this.remaining <= 0) return 'exhausted';
    return start <= last ? { start, end: this.end } : 'miss';
  }

  private matchAt(start: number): boolean {
    this.pc = 0;
    this.at = start;
    this.fresh = this.depth;
    this.top = 0;
    this.matched = false;
    while (!this.matched) {
      if (--this.remaining <= 0) return false;
      if (!this.step(this.code[this.pc] as number) && !this.fail()) return false;
    }
    return true;
  }

  private step(op: number): boolean {
    const { code, pc } = this;
    switch (op) {
      case OP.character:
        return this.character(code[pc + 1] as number);
      case OP.jump:
        this.pc = code[pc + 1] as number;
        return true;
      case OP.split:
        return this.split();
      case OP.anchor:
        this.pc += STRIDE;
        return anchorHolds(code[pc + 1] as number, code[pc + 2] === 1, this.text, this.at);
      case OP.accept:
        return this.succeed(this.at);
      case OP.call:
        return this.call();
      default:
        this.round(op, code[pc + 1] as number);
        return true;
    }
  }

  private character(set: number): boolean {
    const code = this.text[this.at];
    if (code === undefined || !this.members.has(set, code)) return false;
    this.at++;
    this.fresh = this.depth;
    this.pc += STRIDE;
    return true;
  }

  private round(op: number, loop: number): void {
    const empty = this.fresh <= loop;
    if (op === OP.roundEnd && empty) this.pc = this.code[this.pc + 2] as number;
    else this.pc += STRIDE;
    if (op === OP.roundStart) this.fresh = Math.min(this.fresh, loop);
    else if (op === OP.leave && !(this.fresh < loop)) this.fresh = this.depth;
  }

  private push(kind: number, memory: number): void {
    if (this.top + FRAME > this.stack.length) {
      const larger = new Int32Array(this.stack.length * 2);
      larger.set(this.stack);
      this.stack = larger;
    }
    const { stack, top } = this;
    stack[top] = kind;
    stack[top + 1] = this.pc;
    stack[top + 2] = this.at;
    stack[top + 3] = this.fresh;
    stack[top + 4] = memory;
    this.top = top + FRAME;
  }

  private split(): boolean {
    const { code, pc } = this;
    const memory = (code[pc + 4] as number) * this.width + this.at * (this.depth + 1) + this.fresh;
    const outcome = this.choices[memory] as number;
    if (outcome === FAILED) return false;
    if (outcome !== UNKNOWN) return this.succeed(outcome - SUCCEEDED);
    // Coming back here during the attempt leads nowhere new.
    if (code[pc + 3] === OUTSIDE) this.choices[memory] = FAILED;
    this.push(SECOND_CHOICE, memory);
    this.pc = code[pc + 1] as number;
    return true;
  }

  private call(): boolean {
    const { code, pc, at } = this;
    const memory = (code[pc + 4] as number) * (this.text.length + 1) + at;
    const outcome = this.calls[memory] as number;
    if (outcome === FAILED) return this.returnFailure();
    if (outcome !== UNKNOWN) return this.returnSuccess(outcome - SUCCEEDED);
    const back = code[pc + 2] === CALL.attempt ? 0 : (code[pc + 3] as number);
    if (back > at) {
      this.calls[memory] = FAILED;
      return this.returnFailure();
    }
    this.push(PENDING_CALL, memory);
    this.at = at - back;
    this.fresh = this.depth;
    this.pc = pc + STRIDE;
    return true;
  }

  /** Continues after the call at `pc`, made at `at`, that matched up to `end`. */
  private returnSuccess(end: number): boolean {
    const { code, pc } = this;
    const kind = code[pc + 2] as number;
    if (kind === CALL.notLook) return false;
    this.pc = code[pc + 1] as number;
    if (kind === CALL.look) return true;
    if (end !== this.at) {
      this.at = end;
      this.fresh = this.depth;
    } else if (kind === CALL.attempt) this.pc = code[pc + 3] as number;
    return true;
  }

  private returnFailure(): boolean {
    const { code, pc } = this;
    const kind = code[pc + 2] as number;
    if (kind === CALL.look || kind === CALL.atomic) return false;
    this.pc = code[pc + (kind === CALL.notLook ? 1 : 3)] as number;
    return true;
  }

  private restore(): void {
    const { stack, top } = this;
    this.pc = stack[top + 1] as number;
    this.at = stack[top + 2] as number;
    this.fresh = stack[top + 3] as number;
  }

  /**
   * The innermost call matched up to `end`, and so did all choices made in it. Outside of calls, the search is over.
   */
  private succeed(end: number): boolean {
    const { stack } = this;
    while (this.top > 0) {
      this.top -= FRAME;
      this.remaining--;
      const memory = stack[this.top + 4] as number;
      if (stack[this.top] === PENDING_CALL) {
        this.calls[memory] = end + SUCCEEDED;
        this.restore();
        return this.returnSuccess(end);
      }
      this.choices[memory] = end + SUCCEEDED;
    }
    this.matched = true;
    this.end = end;
    return true;
  }

  /** Returns to the last open choice; false if there is none. */
  private fail(): boolean {
    const { stack } = this;
    while (this.top > 0) {
      this.top -= FRAME;
      this.remaining--;
      const kind = stack[this.top];
      const memory = stack[this.top + 4] as number;
      this.restore();
      if (kind === SECOND_CHOICE) {
        this.push(LAST_CHOICE, memory);
        this.pc = this.code[this.pc + 2] as number;
        return true;
      }
      if (kind === LAST_CHOICE) this.choices[memory] = FAILED;
      else {
        this.calls[memory] = FAILED;
        if (this.returnFailure()) return true;
      }
    }
    return false;
  }
}

/**
 * Searches with a program. The span is valid only if all choices of the program are ordered; otherwise only the fact of
 * a match is.
 */
export function locateMemoised(
  program: Instructions,
  members: Membership,
  text: Text,
  budget: StepBudget,
): TextSpan | 'miss' | 'exhausted' {
  return new MemoRun(program, members, text, budget.remaining).search(budget, program.anchored);
}
