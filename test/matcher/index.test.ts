import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finishCheck, PatternIndex, type Verdict } from '../../src/matcher/pattern-index.ts';
import { StepBudget } from '../../src/matcher/run/budget.ts';
import { compileProgram, type Program, searchPattern } from '../../src/matcher/run/program.ts';
import { encodeText } from '../../src/matcher/run/text.ts';
import { parsePattern } from '../../src/matcher/syntax/parse.ts';
import { name, pattern } from './index-patterns.ts';

/** A loop over the single patterns: what the index has to agree with. */
class Loop {
  readonly programs = new Map<number, Program>();

  add(key: number, source: string): void {
    this.programs.set(key, compileProgram(parsePattern(source)));
  }

  matches(forms: readonly string[]): number[] {
    const texts = forms.map(encodeText);
    const matching = ([, program]: [number, Program]) =>
      texts.some((text) => searchPattern(program, text, new StepBudget(1e7)) === 'match');
    return [...this.programs].filter(matching).map(([key]) => key).sort((a, b) => a - b);
  }
}

function verdictOf(index: PatternIndex, forms: readonly string[]): Verdict {
  const found = index.check(forms);
  return found.kind === 'long' ? finishCheck(structuredClone(found.rest)) : found;
}

function expectAgreement(index: PatternIndex, loop: Loop, forms: readonly string[]): void {
  const expected = loop.matches(forms);
  const verdict = verdictOf(index, forms);
  expect(index.explain(forms)).toEqual({ matches: expected, undecided: [] });
  if (expected.length === 0) expect(verdict).toEqual({ kind: 'free' });
  else expect(verdict.kind === 'blocked' && expected.includes(verdict.key)).toBe(true);
}

const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ add: pattern }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ check: fc.array(name, { minLength: 1, maxLength: 2 }) }) },
);

describe('the index', () => {
  test('finds what a loop over the single patterns finds, whatever is added and removed', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 5, maxLength: 60, size: 'max' }), (changes) => {
        const index = new PatternIndex();
        const loop = new Loop();
        const stored: [number, string][] = [];
        let next = 1;
        for (const step of changes) {
          if ('add' in step) {
            index.add(next, step.add);
            loop.add(next, step.add);
            stored.push([next++, step.add]);
          } else if ('check' in step) expectAgreement(index, loop, step.check);
          else if (stored.length > 0) {
            const [[key, source]] = stored.splice(step.remove % stored.length, 1) as [[number, string]];
            index.remove(key, source);
            loop.programs.delete(key);
          }
          expect(index.size).toBe(stored.length);
        }
      }),
      { numRuns: 400 },
    );
  });
});
