import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { StepBudget } from '../../src/matcher/run/budget.ts';
import { compileBacktracker, compileProgram, searchPattern } from '../../src/matcher/run/program.ts';
import { encodeText } from '../../src/matcher/run/text.ts';
import { PatternError } from '../../src/matcher/syntax/error.ts';
import { parsePattern } from '../../src/matcher/syntax/parse.ts';
import { runs } from '../support/runs.ts';
import { TwoWays } from '../support/two-ways.ts';

/** [pattern, names, one letter a name: m or n], or [pattern, reason, position]. */
type GoldenCase = readonly [string, readonly string[], string] | readonly [string, string, number | null];

interface Golden {
  readonly python: string;
  readonly cases: readonly GoldenCase[];
}

/** More than the hardest of them takes. */
const STEPS = 20_000_000;
const FEW_STEPS = 1_000_000;
const golden: Golden = JSON.parse(readFileSync(new URL('matcher.golden.json', import.meta.url), 'utf8'));
const accepted = golden.cases.filter((one) => typeof one[1] !== 'string') as [string, string[], string][];
/** For the tests that take longest: in the fast run, some of the accepted ones. */
const tried = accepted.filter((_, at) => at % Math.ceil(accepted.length / runs(accepted.length, 350)) === 0);
const refused = golden.cases.filter((one) => typeof one[1] === 'string') as [string, string, number | null][];

function refusalOf(pattern: string): PatternError | undefined {
  try {
    parsePattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
}

describe(`CPython ${golden.python}`, () => {
  test('is 3.11.7, and is asked about thousands of patterns', () => {
    expect(golden.python).toBe('3.11.7');
    expect(accepted.length).toBeGreaterThan(2000);
    expect(refused.length).toBeGreaterThan(500);
  });

  test('refuses the same patterns, for the same reason at the same position', () => {
    const added = /^(unknown extension \?<|bad escape \\z)/;
    const overflow = /too large to convert|signed integer/;
    for (const [pattern, reason, position] of refused.filter(([, why]) => !added.test(why))) {
      const refusal = refusalOf(pattern);
      expect(refusal, pattern).toBeDefined();
      if (overflow.test(reason)) continue;
      expect([pattern, refusal?.reason, position === null ? null : refusal?.position]).toEqual([
        pattern,
        reason,
        position,
      ]);
    }
  });

  test('finds the same names', () => {
    for (const [pattern, names, verdicts] of accepted) {
      const program = compileProgram(parsePattern(pattern));
      const found = names.map((name) => searchPattern(program, encodeText(name), new StepBudget(STEPS)));
      const expected = Array.from(verdicts, (letter) => (letter === 'm' ? 'match' : 'miss'));
      expect([pattern, names, found]).toEqual([pattern, names, expected]);
    }
  });

  test('finds the same names by going back over every choice, where that ends soon', () => {
    for (const [pattern, names, verdicts] of tried) {
      const program = compileBacktracker(parsePattern(pattern));
      const found = names.map((name) => searchPattern(program, encodeText(name), new StepBudget(FEW_STEPS)));
      const expected = Array.from(verdicts, (letter) => (letter === 'm' ? 'match' : 'miss'));
      const told = found.map((verdict, i) => (verdict === 'exhausted' ? expected[i] : verdict));
      expect([pattern, names, told]).toEqual([pattern, names, expected]);
    }
  });

  test('finds the same names through the index, whatever it makes of a pattern', () => {
    let undecided = 0;
    for (const [pattern, names, verdicts] of tried) {
      const index = new TwoWays();
      index.add(1, pattern);
      const found = names.map((name) => index.check([name]).kind);
      const expected = Array.from(verdicts, (letter) => (letter === 'm' ? 'blocked' : 'free'));
      // What the budget of a check does not reach for is decided without it above.
      const told = found.map((kind, i) => (kind === 'undecided' ? expected[i] : kind));
      expect([pattern, told]).toEqual([pattern, expected]);
      undecided += found.filter((kind) => kind === 'undecided').length;
    }
    expect(undecided).toBeLessThan(100);
  });
});
