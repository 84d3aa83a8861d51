import { toLower, toLowerAscii } from '../syntax/unicode.ts';
import { anchorHolds } from './anchors.ts';
import type { BacktrackPoint, Machine, Operation, Resume, StepOutcome } from './machine.ts';
import { advance, FAIL, jumpTo, operand, SUCCEED } from './machine.ts';

/** The backtracker's instructions, except for repeats. */

/** Characters of a group compared per move, as a shift. If folding is needed, it is one character per move. */
const COMPARED_SHIFT = 2;

type Fold = (code: number) => number;

const GROUP_FOLDS: readonly Fold[] = [(code) => code, toLowerAscii, toLower];

export const runSet: Operation = (run) => {
  const code = run.text[run.at];
  if (code === undefined || !run.has(operand(run, 1), code)) return FAIL;
  run.at++;
  return advance(run, 2);
};

export const runAnchor: Operation = (run) =>
  anchorHolds(operand(run, 1), operand(run, 2) === 1, run.text, run.at) ? advance(run, 3) : FAIL;

export const runMark: Operation = (run) => {
  run.setMark(operand(run, 1));
  return advance(run, 2);
};

/** `count` is the address of the field before the option, which holds the address of the next such field. */
function tryOption(run: Machine, context: BacktrackPoint): StepOutcome {
  const next = run.code[context.count] as number;
  if (next === 0) return FAIL;
  const option = context.count + 1;
  context.count = next;
  return run.enter(option, run.at, resumeBranch);
}

const resumeBranch: Resume = (run, context, found) => {
  if (found) return SUCCEED;
  run.restoreMarks(context);
  return tryOption(run, context);
};

export const runBranch: Operation = (run, context) => {
  run.saveMarks(context);
  context.count = run.pc + 1;
  return tryOption(run, context);
};

const resumeAtomic: Resume = (run, _context, found) => {
  if (!found) return FAIL;
  run.at = run.reached;
  return jumpTo(run, operand(run, 1));
};

export const runAtomic: Operation = (run) => run.enter(run.pc + 2, run.at, resumeAtomic);

const resumeAssert: Resume = (run, _context, found) => (found ? jumpTo(run, operand(run, 1)) : FAIL);

export const runAssert: Operation = (run) => {
  const start = run.at - operand(run, 2);
  return start < 0 ? FAIL : run.enter(run.pc + 3, start, resumeAssert);
};

const resumeAssertNot: Resume = (run, context, found) => {
  if (found) return FAIL;
  run.restoreMarks(context);
  return jumpTo(run, operand(run, 1));
};

export const runAssertNot: Operation = (run, context) => {
  const start = run.at - operand(run, 2);
  if (start < 0) return jumpTo(run, operand(run, 1));
  run.saveMarks(context);
  return run.enter(run.pc + 3, start, resumeAssertNot);
};

export const runGroupref: Operation = (run) => {
  const group = operand(run, 1);
  const start = run.groupStart(group);
  if (start < 0) return FAIL;
  const length = (run.marks[group * 2 + 1] as number) - start;
  const same = sameLength(run, start, length, GROUP_FOLDS[operand(run, 2)] as Fold);
  run.remaining -= same >> COMPARED_SHIFT;
  if (same < length) return FAIL;
  run.at += length;
  return advance(run, 3);
};

/** Number of characters from `start` on, up to `length`, that equal those at the current position. */
function sameLength(run: Machine, start: number, length: number, fold: Fold): number {
  const { text, at } = run;
  for (let i = 0; i < length; i++) {
    const code = text[at + i];
    if (code === undefined) return i;
    const other = text[start + i] as number;
    if (code === other) continue;
    run.remaining--;
    if (fold(code) !== fold(other)) return i;
  }
  return length;
}

export const runGroupExists: Operation = (run) =>
  run.groupStart(operand(run, 1)) < 0 ? jumpTo(run, operand(run, 2)) : advance(run, 3);

export const runSuccess: Operation = (run) => {
  run.reached = run.at;
  return SUCCEED;
};
