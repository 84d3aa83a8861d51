import { describe, expect, test } from 'vitest';
import { StepBudget } from '../../src/matcher/run/budget.ts';
import { compileBacktracker, compileProgram, searchPattern } from '../../src/matcher/run/program.ts';
import { encodeText } from '../../src/matcher/run/text.ts';
import { parsePattern } from '../../src/matcher/syntax/parse.ts';

const PLENTY = 10_000_000;

function search(pattern: string, name: string, steps = PLENTY): string {
  return searchPattern(compileProgram(parsePattern(pattern)), encodeText(name), new StepBudget(steps));
}

function stepsOf(pattern: string, name: string): number {
  const budget = new StepBudget(PLENTY);
  searchPattern(compileProgram(parsePattern(pattern)), encodeText(name), budget);
  return PLENTY - budget.remaining;
}

const CATASTROPHES = [
  '^([a-z0-9]+\\.?)+evil\\.com\\.$',
  '^(([a-z0-9])+.)+evil[0-9]\\.$',
  '.*.*.*.*.*=evil',
  '(a|a|aa)*(b|bb)*evil$',
  '(([a-z])+.)+[A-Z]([a-z])+$',
  '^(?:[a-z0-9-]{1,63}\\.){1,20}evil\\.$',
];

const LONG_NAMES = [
  'a'.repeat(250),
  `${'ab3.'.repeat(62)}x.`,
  `${'a'.repeat(60)}.`,
  `${'abc.'.repeat(60)}evol.`,
];

describe('a pattern without back-references', () => {
  test.each(CATASTROPHES)('%s takes no more than a few steps a character', (pattern) => {
    for (const name of LONG_NAMES) expect(stepsOf(pattern, name)).toBeLessThan(12 * name.length);
  });

  test.each(CATASTROPHES)('(?!x)(?>%s), with look-around and an atomic group, neither', (pattern) => {
    for (const name of LONG_NAMES)
      expect(stepsOf(`(?!x)(?>${pattern})`, name)).toBeLessThan(150 * name.length);
  });

  test('is linear and regular', () => {
    expect(compileProgram(parsePattern('(?<=a)(?>b)c*+'))).toMatchObject({ regular: true, linear: true });
  });

  test('that would be too large written out is left to the backtracker', () => {
    const program = compileProgram(parsePattern('^(?:(?:[a-z]{1,200}1){1,200}2){1,200}$'));
    expect(program).toMatchObject({ regular: true, linear: false });
    expect(searchPattern(program, encodeText('abc1de12'), new StepBudget(PLENTY))).toBe('match');
    expect(searchPattern(program, encodeText('abc1de1'), new StepBudget(PLENTY))).toBe('miss');
  });

  test('that would be too large is not backtracked over for a name that cannot match', () => {
    expect(search('^(?:(?:[a-z]{1,200}1?){1,200}2?){1,200}!$', 'a1'.repeat(100), 20_000)).toBe('miss');
  });

  test('that repeats nothing very often is compiled at once', () => {
    expect(compileProgram(parsePattern(`${'('.repeat(300)}${'){255}'.repeat(300)}`)).linear).toBe(false);
  });
});

describe('a pattern with back-references or conditionals', () => {
  test('is neither regular nor linear', () => {
    expect(compileProgram(parsePattern('(a)\\1'))).toMatchObject({ regular: false, linear: false });
    expect(compileProgram(parsePattern('(a)?(?(1)b)'))).toMatchObject({ regular: false, linear: false });
  });

  test('finds what its groups say', () => {
    expect(search('^(.+)\\.\\1\\.$', 'ab.ab.')).toBe('match');
    expect(search('^(.+)\\.\\1\\.$', 'ab.ac.')).toBe('miss');
    expect(search('^(a)?(?(1)b|c)$', 'ab')).toBe('match');
    expect(search('^(a)?(?(1)b|c)$', 'ac')).toBe('miss');
  });

  test('is not backtracked over for a name that cannot match whatever the groups are', () => {
    expect(search('^((a+)+)+\\1evil$', 'a'.repeat(250), 20_000)).toBe('miss');
    expect(search('^(?>(a+)+\\1?)+(?!\\1)evil$', 'a'.repeat(250), 20_000)).toBe('miss');
  });

  test('forgets a group that it went back over', () => {
    expect(search('^(?:(a)|ab)*b\\1$', 'aaba')).toBe('match');
    expect(search('(?:(a)b|a)c\\1', 'ac')).toBe('miss');
  });
});

describe('a pattern as deep as can be read', () => {
  test.each([
    ['(?:', ')*'],
    ['(', '){2}'],
    ['(?=', ')'],
    ['(?>', ')'],
    ['(', ')*+'],
    ['(?:a|', ')'],
  ])('%s…%s is compiled and searched for', (open, close) => {
    const levels = Math.min(500, Math.floor(4080 / (open.length + close.length)));
    const nested = `${open.repeat(levels)}a${close.repeat(levels)}`;
    for (const pattern of [nested, `(b)?\\1${nested}`]) {
      expect(['match', 'miss', 'exhausted']).toContain(search(pattern, 'aab', 100_000));
    }
  });
});

describe('a budget', () => {
  test('that runs out says so, and is then empty', () => {
    const budget = new StepBudget(1000);
    const program = compileProgram(parsePattern('^(a+)+b\\1c$'));
    expect(searchPattern(program, encodeText(`${'a'.repeat(40)}bdc`), budget)).toBe('exhausted');
    expect(budget.remaining).toBe(0);
  });

  test.each(['^(a+)+\\1b$', '(?=a)(?>a*)*b', 'a*a*b'])('runs out in every engine: %s', (pattern) => {
    expect(search(pattern, 'a'.repeat(60), 20)).toBe('exhausted');
  });

  test('is shared by the searches that are given it', () => {
    const budget = new StepBudget(PLENTY);
    const program = compileProgram(parsePattern('evil'));
    searchPattern(program, encodeText('example.com.'), budget);
    const once = PLENTY - budget.remaining;
    searchPattern(program, encodeText('example.com.'), budget);
    expect(PLENTY - budget.remaining).toBe(2 * once);
  });

  test('is spent alike whatever was searched before', () => {
    const program = compileProgram(parsePattern('^([a-z]+\\.?)+x[0-9]\\.$'));
    const steps = LONG_NAMES.map((name) => {
      const budget = new StepBudget(PLENTY);
      searchPattern(program, encodeText(name), budget);
      return PLENTY - budget.remaining;
    });
    expect(LONG_NAMES.map((name) => stepsOf('^([a-z]+\\.?)+x[0-9]\\.$', name))).toEqual(steps);
  });

  test('is enough for an automaton that outgrows what it may keep', () => {
    const program = compileProgram(parsePattern('[ab].{16}[ab]c'));
    for (let i = 0; i < 200; i++) {
      const name = Array.from(
        { length: 250 },
        (_, at) => 'abd'[(at * at * (i + 7) + (at >> 1) * i) % 3],
      ).join('');
      expect(searchPattern(program, encodeText(name), new StepBudget(PLENTY))).toBe('miss');
      expect(searchPattern(program, encodeText(`${name}a${'d'.repeat(16)}bc`), new StepBudget(PLENTY))).toBe(
        'match',
      );
    }
  });
});

describe('a name', () => {
  test('is searched by code points', () => {
    expect(encodeText('a𐐀b')).toEqual(Uint32Array.of(97, 0x10400, 98));
    expect(search('^.$', '𐐀')).toBe('match');
  });

  test('may be empty', () => {
    expect(search('', '')).toBe('match');
    expect(search('^$', '')).toBe('match');
    expect(search('\\b', '')).toBe('miss');
    expect(search('\\B', '')).toBe('miss');
  });

  test('may end in a newline, which $ lets pass and \\Z does not', () => {
    expect(search('a$', 'a\n')).toBe('match');
    expect(search('a\\Z', 'a\n')).toBe('miss');
    expect(search('(?!x)a$', 'a\n')).toBe('match');
  });
});

test('the backtracker can be asked for any pattern', () => {
  const program = compileBacktracker(parsePattern('^(?:a|b)*?\\.$'));
  expect(searchPattern(program, encodeText('abab.'), new StepBudget(PLENTY))).toBe('match');
  expect(searchPattern(program, encodeText('abac.'), new StepBudget(PLENTY))).toBe('miss');
});
