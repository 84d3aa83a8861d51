import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { charactersOf, contains, intersection, union } from '../../src/matcher/syntax/charset.ts';
import { PatternError } from '../../src/matcher/syntax/error.ts';
import { parsePattern } from '../../src/matcher/syntax/parse.ts';

function refusal(pattern: string): [string, number] {
  try {
    parsePattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) return [error.reason, error.position];
    throw error;
  }
  throw new Error(`${pattern} was accepted`);
}

describe('a pattern that is not valid', () => {
  test.each([
    ['(', 'missing ), unterminated subpattern', 0],
    ['a)', 'unbalanced parenthesis', 1],
    ['[a', 'unterminated character set', 0],
    ['a**', 'multiple repeat', 2],
    ['*a', 'nothing to repeat', 0],
    ['\\q', 'bad escape \\q', 0],
    ['a\\', 'bad escape (end of pattern)', 1],
    ['[b-a]', 'bad character range b-a', 1],
    ['a{2,1}', 'min repeat greater than max repeat', 2],
    ['(a)\\2', 'invalid group reference 2', 4],
    ['(a\\1)', 'cannot refer to an open group', 2],
    ['a(?i)', 'global flags not at the start of the expression', 1],
    ["(?P<it's>a)", 'bad character in group name "it\'s"', 4],
    ['(?<=a|bc)d', 'look-behind requires fixed-width pattern', 0],
    ['\\N{NO SUCH NAME}', "undefined character name 'NO SUCH NAME'", 0],
  ])('%s is refused in the words of CPython', (pattern, reason, position) => {
    expect(refusal(pattern)).toEqual([reason, position]);
  });

  test('counts its position in code points, not in UTF-16 units', () => {
    expect(refusal('𐐀𐐀*a**')).toEqual(['multiple repeat', 5]);
  });

  test('says where it is wrong in its message', () => {
    expect(() => parsePattern('a)')).toThrow('unbalanced parenthesis at position 1');
  });
});

describe('the spellings of other dialects', () => {
  test('(?<name>…) is (?P<name>…)', () => {
    expect(parsePattern('(?<n>a)(?P=n)')).toEqual(parsePattern('(?P<n>a)(?P=n)'));
  });

  test('\\z is \\Z', () => {
    expect(parsePattern('a\\z')).toEqual(parsePattern('a\\Z'));
  });

  test('\\z means nothing in a set, nor does a name that is none', () => {
    expect(refusal('[\\z]')).toEqual(['bad escape \\z', 1]);
    expect(refusal('(?<1>a)')).toEqual(['unknown extension ?<1', 1]);
    expect(refusal('(?<n')).toEqual(['missing >, unterminated name', 3]);
  });
});

describe('the tree', () => {
  test('has letter case worked into its sets', () => {
    expect(parsePattern('k').root).toEqual({ kind: 'set', chars: [75, 75, 107, 107, 0x212a, 0x212a] });
    expect(parsePattern('(?a)k').root).toEqual({ kind: 'set', chars: [75, 75, 107, 107] });
    expect(parsePattern('(?-i:k)').root).toEqual({ kind: 'set', chars: [107, 107] });
  });

  test('has no count above 255, though the pattern may', () => {
    expect(parsePattern('a{300,4000}').root).toMatchObject({ min: 255, max: 255 });
    expect(parsePattern('a{3,4000}').root).toMatchObject({ min: 3, max: 255 });
    expect(parsePattern('a{3,}').root).toMatchObject({ min: 3, max: Number.POSITIVE_INFINITY });
    expect(refusal('a{4294967295}')[0]).toBe('the repetition number is too large');
    expect(refusal('a{4000,300}')[0]).toBe('min repeat greater than max repeat');
  });

  test('keeps the full width of a look-behind', () => {
    expect(parsePattern('(?<=a{300})').root).toMatchObject({ kind: 'look', width: 300 });
  });

  test('knows how many groups there are', () => {
    expect(parsePattern('(a)(?:b)(?P<c>c)').groupCount).toBe(2);
  });

  test('tells the flags of a group from those around it', () => {
    const { root } = parsePattern('.(?s:.)(?m:^)^');
    expect(root).toEqual({
      kind: 'sequence',
      items: [
        { kind: 'set', chars: [0, 9, 11, 0x10ffff] },
        { kind: 'set', chars: [0, 0x10ffff] },
        { kind: 'anchor', at: 'lineStart', ascii: false },
        { kind: 'anchor', at: 'textStart', ascii: false },
      ],
    });
  });
});

describe('deep nesting', () => {
  test('as deep as CPython goes is read', () => {
    expect(parsePattern(`${'('.repeat(495)}${')'.repeat(495)}`).groupCount).toBe(495);
    expect(parsePattern(`(a)${'(?(1)'.repeat(680)}${')'.repeat(680)}`).groupCount).toBe(1);
    expect(parsePattern(`${'(?:('.repeat(240)}a${')*)?'.repeat(240)}`).groupCount).toBe(240);
  });

  test.each(['(', '(?:', '(?=', '(?<!', '(?>', '(?P<a>', '(?i:', '[', '(?(1)', 'a|('])(
    '4,096 characters of %s are refused, not run into the end of the stack',
    (piece) => {
      expect(refusal(piece.repeat(4096 / piece.length))[0]).toEqual(expect.any(String));
    },
  );

  test('deeper than CPython goes is refused in plain words', () => {
    expect(refusal(`${'('.repeat(2000)}${')'.repeat(2000)}`)).toEqual(['groups are nested too deeply', 501]);
  });
});

describe('character sets', () => {
  const codes = fc.uniqueArray(fc.integer({ min: 0, max: 30 }));

  test('are united and intersected as sets', () => {
    fc.assert(
      fc.property(codes, codes, (one, other) => {
        const [a, b] = [charactersOf(one), charactersOf(other)];
        expect(union(a, b)).toEqual(charactersOf([...one, ...other]));
        expect(intersection(a, b)).toEqual(charactersOf(one.filter((code) => other.includes(code))));
        for (let code = 0; code <= 30; code++) expect(contains(a, code)).toBe(one.includes(code));
      }),
    );
  });
});
