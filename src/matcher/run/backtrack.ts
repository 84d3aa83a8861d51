import type { StepBudget } from './budget.ts';
import type { Operation, StepOutcome } from './machine.ts';
import { CONTINUE, jumpTo, Machine, operand, SUCCEED } from './machine.ts';
import type { Membership } from './membership.ts';
import type { BacktrackCode } from './opcodes.ts';
import { SRE } from './opcodes.ts';
import * as operations from './operations.ts';
import * as repeats from './repeats.ts';
import type { Text, TextSpan } from './text.ts';

/**
 * The matching loop of CPython's sre (Modules/_sre/sre_lib.h of 3.11), with its own stack. Backtracking treats groups
 * exactly as CPython does, oddities included: outside of repeats it does not restore marks, only the number of marks
 * that count.
 */

const OPERATIONS: Operation[] = [];
OPERATIONS[SRE.set] = operations.runSet;
OPERATIONS[SRE.anchor] = operations.runAnchor;
OPERATIONS[SRE.mark] = operations.runMark;
OPERATIONS[SRE.branch] = operations.runBranch;
OPERATIONS[SRE.jump] = (run) => jumpTo(run, operand(run, 1));
OPERATIONS[SRE.repeatOne] = repeats.runRepeatOne;
OPERATIONS[SRE.minRepeatOne] = repeats.runMinRepeatOne;
OPERATIONS[SRE.possessiveOne] = repeats.runPossessiveOne;
OPERATIONS[SRE.repeat] = repeats.runRepeat;
OPERATIONS[SRE.maxUntil] = repeats.runMaxUntil;
OPERATIONS[SRE.minUntil] = repeats.runMinUntil;
OPERATIONS[SRE.possessive] = repeats.runPossessive;
OPERATIONS[SRE.atomic] = operations.runAtomic;
OPERATIONS[SRE.assert] = operations.runAssert;
OPERATIONS[SRE.assertNot] = operations.runAssertNot;
OPERATIONS[SRE.groupref] = operations.runGroupref;
OPERATIONS[SRE.groupExists] = operations.runGroupExists;
OPERATIONS[SRE.success] = operations.runSuccess;

function matchAt(run: Machine, start: number): boolean {
  run.start(start);
  let outcome: StepOutcome = CONTINUE;
  while (!run.finished) {
    if (--run.remaining <= 0) return false;
    outcome = (OPERATIONS[run.code[run.pc] as number] as Operation)(run, run.context);
    while (outcome !== CONTINUE && !run.finished) outcome = run.leave(outcome);
  }
  return outcome === SUCCEED;
}

/** The backtracker makes three moves in the time of four steps of the other machines. */
const MOVES_PER_STEP = 0.75;

export function locateCode(
  program: BacktrackCode,
  members: Membership,
  text: Text,
  budget: StepBudget,
): TextSpan | 'miss' | 'exhausted' {
  const run = new Machine(program, members, text, Math.floor(budget.remaining * MOVES_PER_STEP));
  const last = program.anchored ? 0 : text.length;
  let start = 0;
  while (start <= last && run.remaining > 0 && !matchAt(run, start)) start++;
  budget.remaining = Math.max(Math.floor(run.remaining / MOVES_PER_STEP), 0);
  if (run.remaining <= 0) return 'exhausted';
  return start <= last ? { start, end: run.reached } : 'miss';
}
