import { StepBudget } from '../../src/matcher/run/budget.ts';
import type { Program } from '../../src/matcher/run/program.ts';
import { compileBacktracker, compileProgram, searchPattern } from '../../src/matcher/run/program.ts';
import { encodeText } from '../../src/matcher/run/text.ts';
import { PatternError } from '../../src/matcher/syntax/error.ts';
import { parsePattern } from '../../src/matcher/syntax/parse.ts';
import type { Case } from './matcher-cases.ts';
import type { Answer } from './matcher-oracle.ts';

const STEPS = 3_000_000;

export interface Difference {
  readonly what: string;
  readonly name?: string;
}

interface Refusal {
  readonly error: string;
  readonly position: number | null;
}

interface Run {
  readonly verdict: string;
  readonly steps: number;
}

/** Spellings that CPython refuses and that are understood here. */
function isAddedSpelling(error: string, pattern: string): boolean {
  return (
    (error.startsWith('unknown extension ?<') && /\(\?<[^=!]/.test(pattern)) || error === 'bad escape \\z'
  );
}

function sameRefusal(error: PatternError, refusal: Refusal): boolean {
  // what chr() says of \UFFFFFFFF, which is no error of the pattern's position or of `re`
  if (refusal.error.includes('too large to convert') || refusal.error.includes('signed integer')) return true;
  return error.reason === refusal.error && (refusal.position === null || error.position === refusal.position);
}

function run(program: Program, name: string): Run {
  const budget = new StepBudget(STEPS);
  const verdict = searchPattern(program, encodeText(name), budget);
  return { verdict, steps: STEPS - budget.remaining };
}

function parsed(pattern: string): { programs: Program[] } | { error: PatternError } {
  try {
    const tree = parsePattern(pattern);
    const program = compileProgram(tree);
    return { programs: program.linear ? [program, compileBacktracker(tree)] : [program] };
  } catch (error) {
    if (error instanceof PatternError) return { error };
    throw error;
  }
}

/** Compares what CPython answered with the engines here, and those with each other. */
export class Comparison {
  readonly counts = {
    patterns: 0,
    refused: 0,
    backtracking: 0,
    pairs: 0,
    matches: 0,
    raised: 0,
    slow: 0,
    exhausted: 0,
    recursion: 0,
    added: 0,
    engines: 0,
  };

  compare({ pattern, names }: Case, answer: Answer): Difference | undefined {
    this.counts.patterns++;
    const here = parsed(pattern);
    if (typeof answer === 'string') return this.compareVerdicts(here, names, answer);
    if ('error' in answer) return this.compareRefusal(pattern, here, answer);
    this.counts.recursion++;
    return undefined;
  }

  private compareRefusal(
    pattern: string,
    here: ReturnType<typeof parsed>,
    answer: Refusal,
  ): Difference | undefined {
    this.counts.refused++;
    if ('error' in here && sameRefusal(here.error, answer)) return undefined;
    if (isAddedSpelling(answer.error, pattern)) {
      this.counts.added++;
      return undefined;
    }
    const own = 'error' in here ? here.error.message : 'accepted';
    return { what: `CPython: ${answer.error} at ${answer.position}; here: ${own}` };
  }

  private compareVerdicts(
    here: ReturnType<typeof parsed>,
    names: readonly string[],
    answer: string,
  ): Difference | undefined {
    if ('error' in here) return { what: `CPython: accepted; here: ${here.error.message}` };
    if (here.programs.length === 1) this.counts.backtracking++;
    for (const [i, name] of names.entries()) {
      const what = this.compareName(here.programs, name, answer[i] as string);
      if (what !== undefined) return { what, name };
    }
    return undefined;
  }

  private compareName(programs: readonly Program[], name: string, expected: string): string | undefined {
    const [own, ...others] = programs.map((program) => run(program, name)) as [Run, ...Run[]];
    const again = run(programs[0] as Program, name);
    if (again.steps !== own.steps) return `${own.steps} steps, then ${again.steps}`;
    if (own.verdict === 'exhausted') {
      this.counts.exhausted++;
      return undefined;
    }
    this.counts.engines += others.length;
    const other = others.find(({ verdict }) => verdict !== own.verdict && verdict !== 'exhausted');
    if (other !== undefined) return `${own.verdict} from one engine, ${other.verdict} from the backtracker`;
    return this.compareVerdict(own.verdict, expected);
  }

  private compareVerdict(verdict: string, expected: string): string | undefined {
    if (expected === 'r') this.counts.raised++;
    else if (expected === 't') this.counts.slow++;
    else {
      this.counts.pairs++;
      if (verdict === 'match') this.counts.matches++;
      const theirs = expected === 'm' ? 'match' : 'miss';
      if (theirs !== verdict) return `CPython: ${theirs}; here: ${verdict}`;
    }
    return undefined;
  }
}
