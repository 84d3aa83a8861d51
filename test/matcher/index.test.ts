import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { StepBudget } from '../../src/matcher/run/budget.ts';
import { compileProgram, type Program, searchPattern } from '../../src/matcher/run/program.ts';
import { encodeText } from '../../src/matcher/run/text.ts';
import { parsePattern } from '../../src/matcher/syntax/parse.ts';
import { runs } from '../support/runs.ts';
import { TwoWays } from '../support/two-ways.ts';
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
    return [...this.programs]
      .filter(matching)
      .map(([key]) => key)
      .sort((a, b) => a - b);
  }
}

function expectAgreement(index: TwoWays, loop: Loop, forms: readonly string[]): void {
  const expected = loop.matches(forms);
  const verdict = index.check(forms);
  expect(index.explain(forms)).toEqual({ matches: expected, undecided: [] });
  if (expected.length === 0) expect(verdict).toEqual({ kind: 'free' });
  else expect(verdict.kind === 'blocked' && expected.includes(verdict.key)).toBe(true);
}

type Change = { readonly add: string } | { readonly remove: number } | { readonly check: readonly string[] };

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ add: pattern }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ check: fc.array(name, { minLength: 1, maxLength: 2 }) }) },
);

/** An index and a loop that go through the same changes. */
class Pair {
  private readonly index = new TwoWays();
  private readonly loop = new Loop();
  private readonly stored: [number, string][] = [];
  private next = 1;

  add(source: string): void {
    this.index.add(this.next, source);
    this.loop.add(this.next, source);
    this.stored.push([this.next++, source]);
  }

  remove(which: number): void {
    const [entry] = this.stored.splice(which % Math.max(1, this.stored.length), 1);
    if (entry === undefined) return;
    this.index.remove(...entry);
    this.loop.programs.delete(entry[0]);
  }

  check(forms: readonly string[]): void {
    expect(this.index.size).toBe(this.stored.length);
    expectAgreement(this.index, this.loop, forms);
  }
}

function goThrough(changes: readonly Change[]): void {
  const pair = new Pair();
  for (const step of changes) {
    if ('add' in step) pair.add(step.add);
    else if ('check' in step) pair.check(step.check);
    else pair.remove(step.remove);
  }
}

describe('the index', () => {
  test('finds what a loop over the single patterns finds, whatever is added and removed', () => {
    fc.assert(fc.property(fc.array(change, { minLength: 5, maxLength: 60, size: 'max' }), goThrough), {
      numRuns: runs(400, 60),
    });
  });
});
