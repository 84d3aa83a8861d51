import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyse, literalOfAll } from '../../src/matcher/analysis/analyse.ts';
import { caseClass, encodeFolded, foldCode } from '../../src/matcher/analysis/fold.ts';
import { simplify } from '../../src/matcher/analysis/form.ts';
import { Limit, stringsOf } from '../../src/matcher/analysis/strings.ts';
import { LocalIndex } from '../../src/matcher/local-index.ts';
import { StepBudget } from '../../src/matcher/run/budget.ts';
import { compileProgram, searchPattern } from '../../src/matcher/run/program.ts';
import { encodeText } from '../../src/matcher/run/text.ts';
import { parsePattern } from '../../src/matcher/syntax/parse.ts';
import { runs } from '../support/runs.ts';
import { name, pattern } from './index-patterns.ts';

const analysed = (source: string) => analyse(parsePattern(source).root);
/** The literals of a pattern, and the one that every match has, where there are such. */
function literalsOf(source: string): (readonly string[])[] {
  const analysis = analysed(source);
  const several = analysis.kind === 'candidate' ? analysis.literals : analysis.literals();
  return [several, literalOfAll(parsePattern(source).root)].filter((list) => list !== undefined);
}

const folded = (text: string) =>
  Array.from(text, (c) => String.fromCodePoint(foldCode(c.codePointAt(0)!))).join('');

describe('the analysis', () => {
  test.each([
    ['^Example\\.com\\.$', ['example.com.']],
    ['^([A-Za-z0-9_\\-]+\\.)*example\\.com\\.$', ['example.com.']],
    ['(^|\\.)example\\.com\\.$', ['example.com.']],
    ['^(.*\\.)?example\\.com\\.$', ['example.com.']],
    ['\\.zip\\.$', ['.zip.']],
    ['^[^.]+\\.tk\\.$', ['tk.']],
    ['paypal', ['paypal']],
    ['.*paypal.*', ['paypal']],
    ['^.*pay-?pal.*$', ['paypal', 'pay-pal']],
    ['^(?:a|b)c[12]\\.$', ['ac1.', 'ac2.', 'bc1.', 'bc2.']],
    ['(a|a|aa)*(b|bb)*evil$', ['evil']],
    ['MÜNCHEN', ['münchen']],
    ['^\\u212a\\.$', ['k.']],
  ])('needs no run for %s', (source, strings) => {
    const analysis = analysed(source);
    expect(analysis.kind).toBe('complete');
    const found = analysis.kind === 'complete' ? analysis.shapes.flatMap((shape) => shape.strings) : [];
    expect([...found].sort()).toEqual([...strings].sort());
  });

  test('keeps every top-level alternative apart', () => {
    const analysis = analysed('^a\\.$|b|^(.*\\.)?c\\.$');
    expect(analysis.kind === 'complete' && analysis.shapes.map((shape) => shape.context.before.kind)).toEqual(
      ['start', 'anywhere', 'dot'],
    );
  });

  test.each([
    ['^([a-z0-9]+\\.?)+evil\\.com\\.$', ['evil.com.']],
    ['^(([a-z0-9])+.)+evil[0-4]\\.$', ['evil0.', 'evil1.', 'evil2.', 'evil3.', 'evil4.']],
    ['^(([a-z0-9])+.)+evil[0-9]{2}\\.$', ['evil']],
    ['^[a-z]+-login\\.(com|net)\\.$', ['-login.com.', '-login.net.']],
    ['(?=.*paypal)[a-z]+', ['paypal']],
    ['([a-z])\\1secure', ['secure']],
    ['(?:foo|bar[0-9]{9})x+', ['foo', 'bar']],
    ['[a-z]+\\.', undefined],
    ['(?-i:k)\\d+', undefined],
  ])('finds what every match of %s has in it', (source, literals) => {
    expect(analysed(source)).toEqual({ kind: 'candidate', literals });
  });

  test.each([
    ['alternatives', Array.from({ length: 9 }, (_, i) => `${i}[ab]{7}\\.$`).join('|')],
    ['repeats', Array.from({ length: 3 }, (_, i) => `${i}(?:a|bb){1,8}`).join('|')],
  ])('stores no more than a thousand strings and 8,192 characters of one pattern: %s', (_, source) => {
    expect(analysed(source).kind).toBe('candidate');
  });

  test('does not multiply out what would be too long', () => {
    const { form } = simplify(parsePattern(`[ab]{10}${'x'.repeat(200)}`).root);
    expect(stringsOf(form, new Limit(1024))).toBeUndefined();
    expect(stringsOf(simplify(parsePattern('[ab]{9}xx').root).form, new Limit(1024))?.list.length).toBe(512);
  });

  test.each([
    ['(secure|account|login)[-.]?brand', ['brand']],
    ['[pb]aypa[1l]', ['aypa']],
    ['(?:foo|bar)(?:login|secure)[0-9]+', undefined],
    ['(?:foologin|barlogin)', undefined],
    ['login', ['login']],
  ])('finds the one string that every match of %s has', (source, literals) => {
    expect(literalOfAll(parsePattern(source).root)).toEqual(literals);
  });

  test('never misses a match: one of the literals is in every name that a pattern matches', () => {
    fc.assert(
      fc.property(pattern, name, (source, text) => {
        const program = compileProgram(parsePattern(source));
        if (searchPattern(program, encodeText(text), new StepBudget(1e6)) !== 'match') return;
        for (const list of literalsOf(source)) {
          expect(list.some((literal) => folded(text).includes(literal))).toBe(true);
        }
      }),
      { numRuns: runs(3000, 400) },
    );
  });
});

describe('patterns as deep as they can be', () => {
  test.each([
    ['(?:', '){4}', 'x[^.]'],
    ['(?:a|', '){1,2}', 'b'],
    ['(?:a', '){3}', '[a-z]'],
    ['(?:a?', ')*', 'b'],
    ['(?:', '|)', 'b'],
    ['(?=', ')', 'abc'],
    ['(?:(?:|){9}a?', '){0,9}', 'b'],
  ])('are analysed and added: %s…%s', (begin, end, middle) => {
    for (const depth of [5, 60, 400]) {
      const source = begin.repeat(depth) + middle + end.repeat(depth);
      const index = new LocalIndex();
      index.add(1, source);
      index.remove(1, source);
      expect(index.size).toBe(0);
    }
  });

  test('may need the longest literals there are', () => {
    const index = new LocalIndex();
    index.add(1, `${'😀'.repeat(500)}[a-z]{9}`);
    expect(index.check(['a.b.'])).toEqual({ kind: 'free' });
    expect(index.explain([`${'😀'.repeat(500)}abcdefghij`])).toEqual({ matches: [1], undecided: [] });
  });
});

describe('folding', () => {
  test('puts every character into the class that its name stands for', () => {
    const codes = Array.from({ length: 0x1f000 }, (_, code) => code);
    expect(codes.filter((code) => !caseClass(foldCode(code)).includes(code))).toEqual([]);
  });

  test('takes the characters that Python takes for one', () => {
    expect(caseClass(0x6b)).toEqual([0x4b, 0x6b, 0x212a]);
    expect(caseClass(0x73)).toEqual([0x53, 0x73, 0x17f]);
    expect(caseClass(0x69)).toEqual([0x49, 0x69, 0x130, 0x131]);
  });

  test('writes strings as UTF-8', () => {
    for (const text of ['abc', 'münchen', '例え', '😀x']) {
      expect([...encodeFolded(text)]).toEqual([...new TextEncoder().encode(text)]);
    }
  });
});
