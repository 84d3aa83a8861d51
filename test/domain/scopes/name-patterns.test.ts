import { describe, expect, it } from 'vitest';
import {
  isPatternWithin,
  matchesPattern,
  type NamePattern,
  parseRelativePattern,
  parseZonePattern,
  patternText,
} from '../../../src/model/scopes/name-pattern.ts';

function pattern(text: string): NamePattern {
  const parsed = parseRelativePattern(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.reason}`);
  return parsed.value;
}

/** Every list of up to `most` of the given values. */
function listsOf<T>(values: readonly T[], most: number): readonly (readonly T[])[] {
  let last: readonly (readonly T[])[] = [[]];
  const all = [...last];
  for (let length = 1; length <= most; length++) {
    last = last.flatMap((list) => values.map((value) => [...list, value]));
    all.push(...last);
  }
  return all;
}

describe('a pattern of names', () => {
  it.each([
    [
      '_acme-challenge.**',
      ['_acme-challenge', '_acme-challenge.www', '_acme-challenge.a.b'],
      ['@', 'www', 'x._acme-challenge'],
    ],
    ['**', ['@', 'www', 'a.b.c'], []],
    ['*.**', ['www', 'a.b'], ['@']],
    ['**.dyn', ['dyn', 'a.dyn', 'a.b.dyn'], ['dyn.a', '@']],
    ['*', ['www', '*'], ['@', 'a.b']],
    ['\\*.dyn', ['*.dyn'], ['a.dyn']],
    ['@', ['@'], ['www']],
    ['WWW', ['www'], ['ww']],
    ['bücher', ['xn--bcher-kva'], ['bucher']],
  ])('%s matches whole labels', (text, inside, outside) => {
    const matches = (name: string) => matchesPattern(pattern(text), name === '@' ? [] : name.split('.'));
    expect(inside.filter((name) => !matches(name))).toEqual([]);
    expect(outside.filter(matches)).toEqual([]);
  });

  it.each([
    '',
    '.',
    'a..b',
    '.a',
    'a.',
    '**.a.**',
    '**.**',
    'a.**.b',
    'a*',
    '***',
    'a.@',
    'a b',
    '-a',
    'x'.repeat(64),
  ])('is refused: %j', (text) => {
    expect(parseRelativePattern(text)).toMatchObject({ ok: false, reason: expect.stringMatching(/\.$/) });
  });

  it('of zones has a final dot', () => {
    expect(parseZonePattern('*.shop.example.org.')).toMatchObject({ ok: true });
    expect(parseZonePattern('**.')).toMatchObject({ ok: true });
    for (const text of ['*.shop.example.org', '', '.', '@', 'a..'])
      expect(parseZonePattern(text).ok).toBe(false);
  });

  it('is shown in canonical form, which reads the same', () => {
    for (const text of ['@', '**', '*', '\\*', '\\*.**', 'a.*.**', '**.*.a']) {
      expect(patternText(pattern(text))).toBe(text);
    }
    expect(patternText(pattern('_ACME.Bücher'))).toBe('_acme.xn--bcher-kva');
  });

  it('lies within another exactly if each name that it matches is matched by the other', () => {
    const labels = ['a', 'b', '*', '\\*'];
    const plain = listsOf(labels, 3);
    const texts = [
      ...plain.map((list) => list.join('.') || '@'),
      ...plain
        .filter((list) => list.length < 3)
        .flatMap((list) => [['**', ...list].join('.'), [...list, '**'].join('.')]),
    ];
    const patterns = [...new Set(texts)].map(pattern);
    // One label that no pattern has, and names longer than two patterns together.
    const names = listsOf(['a', 'b', '*', 'other'], 6);
    const matched = patterns.map(
      (one) => new Set(names.flatMap((name, index) => (matchesPattern(one, name) ? [index] : []))),
    );
    const wrong: string[] = [];
    for (const [inner, names] of matched.entries()) {
      for (const [outer, others] of matched.entries()) {
        const isSubset = names.size <= others.size && [...names].every((name) => others.has(name));
        if (isPatternWithin(patterns[inner]!, patterns[outer]!) !== isSubset) {
          wrong.push(`${patternText(patterns[inner]!)} in ${patternText(patterns[outer]!)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
