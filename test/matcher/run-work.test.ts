/** The work of a search, counted in executed blocks: a step of the budget stands for a bounded number of them. */
import { beforeAll, describe, it } from 'vitest';
import { countable, expectLinear } from '../support/linear.ts';

let program: typeof import('../../src/matcher/run/program.ts');
let parse: typeof import('../../src/matcher/syntax/parse.ts');
let text: typeof import('../../src/matcher/run/text.ts');
beforeAll(() =>
  countable(async () => {
    program = await import('../../src/matcher/run/program.ts');
    parse = await import('../../src/matcher/syntax/parse.ts');
    text = await import('../../src/matcher/run/text.ts');
  }),
);

const PLENTY = 1_000_000_000;

function searchFor(pattern: string): (name: string, remaining: number) => string {
  const compiled = program.compileProgram(parse.parsePattern(pattern));
  return (name, remaining) => program.searchPattern(compiled, text.encodeText(name), { remaining });
}

describe('a search without back-references is linear in the name', () => {
  it.each([
    ['nested quantifiers', '^(([a-z0-9]+)+\\.?)+!$'],
    ['alternatives that begin alike', '^(a|aa|aaa|aab)*!$'],
    ['repeats one after the other', 'a*a*a*a*a*a*!'],
    ['look-ahead within a repeat', '^(?:(?=a+)(?!b)a)+!$'],
    ['look-behind within a repeat', '^(?:a(?<=a))+!$'],
    ['an atomic group', '^(?>(?:a|aa)+)+!$'],
  ])('%s', (_, pattern) => {
    const search = searchFor(pattern);
    expectLinear((size) => search('a'.repeat(size), PLENTY), 16_384, pattern);
  });
});

describe('a search that has to go back is linear in its budget', () => {
  it.each([
    ['a back-reference after nested quantifiers', '^(a+)+b\\1c$', `${'a'.repeat(200)}bdc`],
    ['a back-reference within a repeat', '^(?:(a+)\\1)+b\\1c$', `${'a'.repeat(200)}bdc`],
    ['alternatives that begin alike', '^(a|aa|aaa)+b\\1c$', `${'a'.repeat(200)}bdc`],
    ['a long back-reference', '^(a+)(a+)(a+)\\1\\2\\3b\\1c$', `${'a'.repeat(240)}bdc`],
    ['a back-reference in a look-ahead', '^(a+)+(?=b\\1)bdc$', `${'a'.repeat(200)}bdc`],
    ['a conditional', '^(a)?(?:a+)+(?(1)b|c)d\\1$', `${'a'.repeat(200)}bdc`],
  ])('%s', (_, pattern, name) => {
    const search = searchFor(pattern);
    expectLinear(
      (steps) => {
        if (search(name, steps) !== 'exhausted')
          throw new Error(`${pattern} needs fewer steps than ${steps}`);
      },
      524_288,
      pattern,
    );
  });
});
