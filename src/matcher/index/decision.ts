import { type SearchResult, StepBudget } from '../run/budget.ts';
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
  /** They are sieves: what they find is not a match, but has to be run by itself. */
  readonly sieves: boolean;
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
  if (job.works.length > 0) {
    const verdict = decideRegular(job, allowance);
    if (verdict !== undefined || job.works.length > 0) return verdict;
  }
  if (job.matched > 0) return { kind: 'blocked', key: job.matched };
  return decidePrograms(job, workshop, allowance);
}

/** Works that are done leave the job. */
function decideRegular(job: Job, allowance: Allowance): Verdict | undefined {
  const runs = job.works.map((work) => work.run);
  const codes = job.forms.map(codesOf);
  const done = job.works.findIndex((work) => !advance(job, work, codes[work.form]!, allowance));
  job.works.splice(0, done < 0 ? job.works.length : done);
  if (job.spent <= BUDGET && done < 0) return undefined;
  job.suspects ??= smallest(runs.flatMap((run) => [...run.union.members.keys()]));
  return job.spent > BUDGET ? undecided(job.suspects) : undefined;
}

/** False when the budget or the allowance do not reach; the charge is then past the budget, or as before. */
function advance(job: Job, work: Work, codes: readonly number[], allowance: Allowance): boolean {
  const { run } = work;
  const least = job.spent + run.leastCost(codes.length);
  if (least > BUDGET) {
    job.spent = least;
    return false;
  }
  const outcome = run.run(codes, allowance.left);
  if (outcome === undefined) return false;
  allowance.left -= outcome.work;
  job.spent += outcome.cost;
  takeFound(job, work, outcome.matched);
  return job.spent <= BUDGET;
}

function takeFound(job: Job, { sieves, form }: Work, found: ReadonlySet<number>): void {
  if (sieves) addPrograms(job, found, form);
  else for (const key of found) if (job.matched === 0 || key < job.matched) job.matched = key;
}

/** Puts patterns into a job that a sieve has let through, in the order in which they are run. */
export function addPrograms(job: Job, keys: ReadonlySet<number>, form: number): void {
  if (keys.size === 0) return;
  const known = new Set(job.programs.filter((work) => work.form === form).map(({ key }) => key));
  for (const key of keys) if (!known.has(key)) job.programs.push({ key, form });
  job.programs.sort((a, b) => a.key - b.key || a.form - b.form);
}

function decidePrograms(job: Job, workshop: Workshop, allowance: Allowance): Verdict | undefined {
  for (let done = 0; done < job.programs.length; done++) {
    const work = job.programs[done]!;
    const found = runProgram(job, work, workshop, allowance);
    if (found === 'match') return { kind: 'blocked', key: work.key };
    if (found === 'exhausted') return undecided([...job.heavy, work.key]);
    if (found === undefined) {
      job.programs.splice(0, done);
      return undefined;
    }
  }
  return { kind: 'free' };
}

/** Runs one pattern to its end, or to that of the budget; undefined when the allowance ends before. */
function runProgram(
  job: Job,
  { key, form }: ProgramWork,
  workshop: Workshop,
  allowance: Allowance,
): SearchResult | undefined {
  const left = BUDGET - job.spent - PROGRAM_COST;
  if (left <= 0) return 'exhausted';
  const here = allowance.left - PROGRAM_COST - compileWork(workshop, key);
  if (here <= 0) return undefined;
  const budget = new StepBudget(Math.floor(Math.min(left, here) / UNITS_PER_STEP));
  const before = budget.remaining;
  const found = search(workshop.program(key), job.forms[form]!, budget);
  if (found === 'exhausted') return here < left ? undefined : found;
  const cost = PROGRAM_COST + (before - budget.remaining) * UNITS_PER_STEP;
  job.spent += cost;
  allowance.left = here + PROGRAM_COST - cost;
  if (cost > BUDGET / 20) job.heavy.push(key);
  return found;
}

function compileWork(workshop: Workshop, key: number): number {
  return workshop.ready(key) ? 0 : workshop.sourceOf(key).length * COMPILE_WORK;
}

export function undecided(keys: readonly number[]): Verdict {
  return { kind: 'undecided', keys: smallest(keys) };
}

export function smallest(keys: readonly number[]): readonly number[] {
  return [...new Set(keys)].sort((a, b) => a - b).slice(0, MOST_NAMED);
}
