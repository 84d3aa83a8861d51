import { StepBudget } from '../run/budget.ts';
import { BUDGET, COMPILE_WORK, MOST_NAMED, PROGRAM_COST, UNITS_PER_STEP } from './budget.ts';
import { type Program, search } from './programs.ts';
import { codesOf } from './symbols.ts';
import type { UnionRun } from './union-run.ts';

export type Verdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'blocked'; readonly key: number }
  /** The budget ran out; `keys` are patterns that used it up. */
  | { readonly kind: 'undecided'; readonly keys: readonly number[] };

/** Regular patterns to be run together on one of the forms. */
export interface Work {
  readonly run: UnionRun;
  readonly form: number;
}

/** Any other pattern, to be run by itself. */
export interface ProgramWork {
  readonly key: number;
  readonly form: number;
}

/** What is left to do to decide about a name, and what has come out so far. */
export interface Job {
  readonly forms: readonly string[];
  readonly works: Work[];
  /** Sorted by key, then form, when the deciding begins. */
  readonly programs: ProgramWork[];
  /** Units charged. */
  spent: number;
  /** The smallest key of a regular pattern that matches; 0 for none yet. */
  matched: number;
  /** The keys to name should the regular patterns use up the budget. */
  suspects: readonly number[] | undefined;
  /** The keys of the other patterns that have used much of it. */
  readonly heavy: number[];
}

/** Where patterns are compiled. */
export interface Workshop {
  /** Whether a pattern is compiled already. */
  ready(key: number): boolean;
  program(key: number): Program;
  sourceOf(key: number): string;
}

/** Real work that may still be done here; it never shows in a verdict. */
export interface Allowance {
  left: number;
}

/**
 * Decides, or gives undefined when the allowance does not reach: the job then holds what is left to do. First the
 * regular patterns, all of them in whatever order, since their cost is the same together or apart; then the others
 * by key, as far as the budget goes.
 */
export function decide(job: Job, workshop: Workshop, allowance: Allowance): Verdict | undefined {
  const regular = decideRegular(job, allowance);
  if (regular !== undefined || job.works.length > 0) return regular;
  return decidePrograms(job, workshop, allowance);
}

function decideRegular(job: Job, allowance: Allowance): Verdict | undefined {
  const codes = job.forms.map(codesOf);
  const suspects = suspectsOf(job);
  for (let done = 0; done < job.works.length; done++) {
    const { run, form } = job.works[done]!;
    if (job.spent + run.leastCost(codes[form]!.length) > BUDGET) return undecided(suspects());
    const outcome = run.run(codes[form]!, allowance.left);
    if (outcome === undefined) return postpone(job, done, suspects());
    allowance.left -= outcome.work;
    job.spent += outcome.cost;
    for (const key of outcome.matched) if (job.matched === 0 || key < job.matched) job.matched = key;
  }
  job.works.length = 0;
  if (job.spent > BUDGET) return undecided(suspects());
  return job.matched > 0 ? { kind: 'blocked', key: job.matched } : undefined;
}

function suspectsOf(job: Job): () => readonly number[] {
  const runs = job.works.map((work) => work.run);
  return () => job.suspects ?? smallest(runs.flatMap((run) => [...run.union.members.keys()]));
}

function postpone(job: Job, done: number, suspects: readonly number[]): undefined {
  job.works.splice(0, done);
  job.suspects = suspects;
  return undefined;
}

function decidePrograms(job: Job, workshop: Workshop, allowance: Allowance): Verdict | undefined {
  for (let done = 0; done < job.programs.length; done++) {
    const { key, form } = job.programs[done]!;
    const left = BUDGET - job.spent - PROGRAM_COST;
    const most = Math.min(left, allowance.left - PROGRAM_COST - compileWork(workshop, key));
    if (left > 0 && most <= 0) return later(job, done);
    const budget = new StepBudget(Math.max(0, Math.floor(most / UNITS_PER_STEP)));
    const before = budget.remaining;
    const found = left <= 0 ? 'exhausted' : search(workshop.program(key), job.forms[form]!, budget);
    if (found === 'exhausted') return most < left ? later(job, done) : undecided([...job.heavy, key]);
    const cost = PROGRAM_COST + (before - budget.remaining) * UNITS_PER_STEP;
    job.spent += cost;
    allowance.left -= cost;
    if (cost > BUDGET / 20) job.heavy.push(key);
    if (found === 'match') return { kind: 'blocked', key };
  }
  return { kind: 'free' };
}

function compileWork(workshop: Workshop, key: number): number {
  return workshop.ready(key) ? 0 : workshop.sourceOf(key).length * COMPILE_WORK;
}

function later(job: Job, done: number): undefined {
  job.programs.splice(0, done);
  return undefined;
}

export function undecided(keys: readonly number[]): Verdict {
  return { kind: 'undecided', keys: smallest(keys) };
}

export function smallest(keys: readonly number[]): readonly number[] {
  return [...new Set(keys)].sort((a, b) => a - b).slice(0, MOST_NAMED);
}
