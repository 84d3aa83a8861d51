import type { BacktrackPoint, Machine, Operation, Resume, StepOutcome } from './machine.ts';
import { advance, FAIL, jumpTo, operand, Repeat, SUCCEED } from './machine.ts';
import { SRE, UNBOUNDED } from './opcodes.ts';

/** The backtracker's repeats. */

/** Skips to a position where the character after the repeat can follow, and tries the rest there. */
function tryRest(run: Machine, context: BacktrackPoint): StepOutcome {
  const min = operand(run, 2);
  const rest = run.pc + 4;
  if (run.code[rest] === SRE.set) {
    const set = run.code[rest + 1] as number;
    while (context.count >= min && !(run.at < run.end && run.has(set, run.text[run.at] as number))) {
      run.at--;
      context.count--;
      run.remaining--;
    }
  }
  return context.count < min ? FAIL : run.enter(rest, run.at, resumeRepeatOne);
}

const resumeRepeatOne: Resume = (run, context, found) => {
  if (found) return SUCCEED;
  run.restoreMarks(context);
  run.at--;
  context.count--;
  return tryRest(run, context);
};

export const runRepeatOne: Operation = (run, context) => {
  context.count = run.count(operand(run, 1), operand(run, 3));
  if (context.count < operand(run, 2)) return FAIL;
  run.at += context.count;
  run.saveMarks(context);
  return tryRest(run, context);
};

const resumeMinRepeatOne: Resume = (run, context, found) => {
  if (found) return SUCCEED;
  run.restoreMarks(context);
  if (run.count(operand(run, 1), 1) === 0) return FAIL;
  run.at++;
  context.count++;
  return context.count > operand(run, 3) ? FAIL : run.enter(run.pc + 4, run.at, resumeMinRepeatOne);
};

export const runMinRepeatOne: Operation = (run, context) => {
  context.count = run.count(operand(run, 1), operand(run, 2));
  if (context.count < operand(run, 2)) return FAIL;
  run.at += context.count;
  run.saveMarks(context);
  return run.enter(run.pc + 4, run.at, resumeMinRepeatOne);
};

export const runPossessiveOne: Operation = (run) => {
  const count = run.count(operand(run, 1), operand(run, 3));
  if (count < operand(run, 2)) return FAIL;
  run.at += count;
  return advance(run, 4);
};

const resumeRepeat: Resume = (run, context, found) => {
  run.repeat = context.repeat?.outer;
  return found ? SUCCEED : FAIL;
};

export const runRepeat: Operation = (run, context) => {
  context.repeat = new Repeat(run.pc, run.repeat);
  run.remaining--;
  run.repeat = context.repeat;
  return run.enter(operand(run, 1), run.at, resumeRepeat);
};

const resumeRound: Resume = (_run, context, found) => {
  const repeat = context.repeat as Repeat;
  if (found) return SUCCEED;
  repeat.count = context.count - 1;
  return FAIL;
};

const resumeMaxRound: Resume = (run, context, found) => {
  const repeat = context.repeat as Repeat;
  repeat.lastAt = context.lastAt;
  if (found) return SUCCEED;
  run.restoreMarks(context);
  repeat.count = context.count - 1;
  return leaveMax(run, context);
};

const resumeRest: Resume = (run, context, found) => {
  run.repeat = context.repeat;
  return found ? SUCCEED : FAIL;
};

function leaveMax(run: Machine, context: BacktrackPoint): StepOutcome {
  run.repeat = (context.repeat as Repeat).outer;
  return run.enter(run.pc + 1, run.at, resumeRest);
}

function wantsMore(run: Machine, repeat: Repeat, count: number): boolean {
  const max = run.code[repeat.pc + 3] as number;
  return (count < max || max === UNBOUNDED) && run.at !== repeat.lastAt;
}

export const runMaxUntil: Operation = (run, context) => {
  const repeat = run.repeat as Repeat;
  context.repeat = repeat;
  context.count = repeat.count + 1;
  if (context.count < (run.code[repeat.pc + 2] as number)) {
    repeat.count = context.count;
    return run.enter(repeat.pc + 4, run.at, resumeRound);
  }
  if (!wantsMore(run, repeat, context.count)) return leaveMax(run, context);
  repeat.count = context.count;
  run.saveMarks(context, true);
  context.lastAt = repeat.lastAt;
  repeat.lastAt = run.at;
  return run.enter(repeat.pc + 4, run.at, resumeMaxRound);
};

const resumeMinRound: Resume = (run, context, found) => {
  const repeat = context.repeat as Repeat;
  repeat.lastAt = context.lastAt;
  return resumeRound(run, context, found);
};

const resumeMinRest: Resume = (run, context, found) => {
  const repeat = context.repeat as Repeat;
  run.repeat = repeat;
  if (found) return SUCCEED;
  run.restoreMarks(context);
  if (!wantsMore(run, repeat, context.count)) return FAIL;
  repeat.count = context.count;
  context.lastAt = repeat.lastAt;
  repeat.lastAt = run.at;
  return run.enter(repeat.pc + 4, run.at, resumeMinRound);
};

export const runMinUntil: Operation = (run, context) => {
  const repeat = run.repeat as Repeat;
  context.repeat = repeat;
  context.count = repeat.count + 1;
  if (context.count < (run.code[repeat.pc + 2] as number)) {
    repeat.count = context.count;
    return run.enter(repeat.pc + 4, run.at, resumeRound);
  }
  run.repeat = repeat.outer;
  run.saveMarks(context);
  return run.enter(run.pc + 1, run.at, resumeMinRest);
};

function leavePossessive(run: Machine): StepOutcome {
  return jumpTo(run, operand(run, 1));
}

/** `lastAt` is the start of the last round beyond the minimum. */
function possessiveRound(run: Machine, context: BacktrackPoint): StepOutcome {
  const min = operand(run, 2);
  const max = operand(run, 3);
  if (context.count < min) return run.enter(run.pc + 4, run.at, resumePossessiveLeast);
  if ((context.count >= max && max !== UNBOUNDED) || run.at === context.lastAt) return leavePossessive(run);
  run.saveMarks(context, true);
  context.lastAt = run.at;
  return run.enter(run.pc + 4, run.at, resumePossessive);
}

const resumePossessiveLeast: Resume = (run, context, found) => {
  if (!found) return FAIL;
  context.count++;
  run.at = run.reached;
  return possessiveRound(run, context);
};

const resumePossessive: Resume = (run, context, found) => {
  if (!found) {
    run.restoreMarks(context);
    return leavePossessive(run);
  }
  context.count++;
  run.at = run.reached;
  return possessiveRound(run, context);
};

export const runPossessive: Operation = (run, context) => {
  context.count = 0;
  context.lastAt = -1;
  return possessiveRound(run, context);
};
