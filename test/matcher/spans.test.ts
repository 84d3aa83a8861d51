/** Where a pattern is found in a name, as CPython says. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { StepBudget } from '../../src/matcher/run/budget.ts';
import { spanOf } from '../../src/matcher/run/span.ts';
import { encodeText, type TextSpan } from '../../src/matcher/run/text.ts';
import { parsePattern } from '../../src/matcher/syntax/parse.ts';

const STEPS = 20_000_000;

interface Golden {
  readonly python: string;
  readonly cases: readonly (readonly [string, readonly (readonly [string, number, number])[]])[];
}

const golden: Golden = JSON.parse(readFileSync(new URL('spans.golden.json', import.meta.url), 'utf8'));

function spanIn(pattern: string, name: string, steps = STEPS): TextSpan | string {
  return spanOf(parsePattern(pattern), encodeText(name), new StepBudget(steps));
}

describe(`CPython ${golden.python}`, () => {
  test('finds thousands of patterns at the same place', () => {
    expect(golden.cases.length).toBeGreaterThan(1500);
    const found = golden.cases.flatMap(([pattern, names]) =>
      names.map(([name]) => JSON.stringify([pattern, name, spanIn(pattern, name)])),
    );
    const expected = golden.cases.flatMap(([pattern, names]) =>
      names.map(([name, start, end]) => JSON.stringify([pattern, name, { start, end }])),
    );
    expect(found.filter((one, at) => one !== expected[at])).toEqual([]);
  });
});

describe('the place of a match', () => {
  test.each([
    ['b+', 'abbbc', 1, 4],
    ['b+?', 'abbbc', 1, 2],
    ['b*', 'abbbc', 0, 0],
    ['a|ab', 'xab', 1, 2],
    ['(?:ab|a)b?', 'ab', 0, 2],
    ['(?:a?)*?b', 'aab', 0, 3],
    ['(?:a|b?)*c', 'abc', 0, 3],
    ['(.)\\1', 'example..', 7, 9],
    ['(?<=a)b(?=c)', 'abc', 1, 2],
    ['(^|\\.)evil\\.', 'a.evil.', 1, 7],
    ['é+', 'xÉé.', 1, 3],
    ['x', '𐐨𐐨x', 2, 3],
    ['$', 'ab', 2, 2],
    ['^(?:a|aa)(?:aa|a)?', 'aaaa', 0, 3],
  ])('of %s in %s is from %i to %i', (pattern, name, start, end) => {
    expect(spanIn(pattern, name)).toEqual({ start, end });
  });

  test('is none where nothing matches', () => {
    expect(spanIn('x', 'abc')).toBe('miss');
  });

  test('costs no more than grows with the name, for a pattern without back-references', () => {
    expect(spanIn('(a|a|aa)*(b|bb)*.$', 'a'.repeat(250), 100_000)).toEqual({ start: 0, end: 250 });
    expect(spanIn('^(([a-z])+.)+[A-Z]([0-9])+$', 'a'.repeat(250), 200_000)).toBe('miss');
  });

  test('is not looked for beyond the budget', () => {
    expect(spanIn('^(a|a)*(.)\\2b$', 'a'.repeat(250), 10_000)).toBe('exhausted');
  });
});
