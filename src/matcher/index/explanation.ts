import { StepBudget } from '../run/budget.ts';
import { BUDGET, PROGRAM_COST, UNITS_PER_STEP } from './budget.ts';
import { addPrograms, type Job, smallest, type Workshop } from './decision.ts';
import { search } from './programs.ts';
import { codesOf } from './symbols.ts';

/** All the keys of patterns that match, and of those that could not be decided about; sorted. */
export interface Explanation {
  readonly matches: readonly number[];
  readonly undecided: readonly number[];
}

/** How many times the budget of a check an explanation may take. */
export const PATIENCE = 10;

/** Runs all candidates. Without a job there are too many of them: the suspects are named instead. */
export function explainCandidates(
  job: Job | undefined,
  suspects: readonly number[],
  workshop: Workshop,
  matches: Set<number>,
): Explanation {
  const open = new Set<number>(job === undefined ? suspects : []);
  if (job !== undefined) {
    runRegular(job, matches);
    runPrograms(job, workshop, matches, open);
  }
  const undecided = smallest([...open].filter((key) => !matches.has(key)));
  return { matches: [...matches].sort((a, b) => a - b), undecided };
}

function runRegular(job: Job, matches: Set<number>): void {
  const codes = job.forms.map(codesOf);
  for (const { run, form, sieves } of job.works) {
    const { matched } = run.run(codes[form]!, Infinity)!;
    if (sieves) addPrograms(job, matched, form);
    else for (const key of matched) matches.add(key);
  }
}

function runPrograms(job: Job, workshop: Workshop, matches: Set<number>, open: Set<number>): void {
  let left = BUDGET * PATIENCE;
  for (const { key, form } of job.programs) {
    if (matches.has(key)) continue;
    const budget = new StepBudget(Math.max(0, Math.floor(Math.min(left, BUDGET) / UNITS_PER_STEP)));
    const before = budget.remaining;
    const found = search(workshop.program(key), job.forms[form]!, budget);
    left -= PROGRAM_COST + (before - budget.remaining) * UNITS_PER_STEP;
    if (found === 'match') matches.add(key);
    else if (found === 'exhausted') open.add(key);
  }
}
