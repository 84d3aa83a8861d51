import { StepBudget } from './run/budget.ts';
import { compileProgram, type Program, searchPattern } from './run/program.ts';
import { encodeText } from './run/text.ts';
import { parsePattern } from './syntax/parse.ts';

export type Verdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'blocked'; readonly key: number }
  /** The budget ran out; `keys` are patterns that used it up. */
  | { readonly kind: 'undecided'; readonly keys: readonly number[] };

/** A check that has used up its time where it began, as plain data, so that it can be finished anywhere. */
export interface LongCheck {
  readonly forms: readonly string[];
  readonly patterns: readonly (readonly [key: number, source: string])[];
  readonly steps: number;
}

/** All the keys of patterns that match, and of those that could not be decided about. */
export interface Explanation {
  readonly matches: readonly number[];
  readonly undecided: readonly number[];
}

const BUDGET = 1_000_000;

/** All stored patterns, so that a name is compared with them at once. */
export class PatternIndex {
  private readonly programs = new Map<number, Program>();

  get size(): number {
    return this.programs.size;
  }

  /**
   * Adds a pattern under a key that is not in use: a positive integer below 2^31.
   *
   * @throws PatternError when the source is no pattern; nothing has changed then.
   */
  add(key: number, source: string): void {
    this.programs.set(key, compileProgram(parsePattern(source)));
  }

  /** Removes a pattern; the source is the one that it was added with. */
  remove(key: number, _source: string): void {
    this.programs.delete(key);
  }

  check(forms: readonly string[]): Verdict | { readonly kind: 'long'; readonly rest: LongCheck } {
    const budget = new StepBudget(BUDGET);
    for (const [key, program] of this.sorted()) {
      for (const form of forms) {
        const found = searchPattern(program, encodeText(form), budget);
        if (found === 'match') return { kind: 'blocked', key };
        if (found === 'exhausted') return { kind: 'undecided', keys: [key] };
      }
    }
    return { kind: 'free' };
  }

  explain(forms: readonly string[]): Explanation {
    const matches: number[] = [];
    const undecided: number[] = [];
    for (const [key, program] of this.sorted()) {
      const found = forms.map((form) => searchPattern(program, encodeText(form), new StepBudget(BUDGET)));
      if (found.includes('match')) matches.push(key);
      else if (found.includes('exhausted')) undecided.push(key);
    }
    return { matches, undecided };
  }

  private sorted(): [number, Program][] {
    return [...this.programs].sort(([a], [b]) => a - b);
  }
}

/** Finishes a check: the verdict that it would have come to at once, had it had the time. */
export function finishCheck(rest: LongCheck): Verdict {
  const budget = new StepBudget(rest.steps);
  for (const [key, source] of rest.patterns) {
    const program = compileProgram(parsePattern(source));
    for (const form of rest.forms) {
      const found = searchPattern(program, encodeText(form), budget);
      if (found === 'match') return { kind: 'blocked', key };
      if (found === 'exhausted') return { kind: 'undecided', keys: [key] };
    }
  }
  return { kind: 'free' };
}
