import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IniError, parseIni } from '../../src/config/ini.ts';

it.each<[string, string, [string, string, string, number][]]>([
  ['an option before any section', 'a = 1', [['DEFAULT', 'a', '1', 1]]],
  [
    'both separators, and white space',
    '[s:t]\n  b :  x y \r\nc=',
    [
      ['s:t', 'b', 'x y', 2],
      ['s:t', 'c', '', 3],
    ],
  ],
  ['comments and blank lines', '# x\n; y\n\n \t\na=1#2;3', [['DEFAULT', 'a', '1#2;3', 5]]],
  ['the first separator alone', 'a = b = c:d', [['DEFAULT', 'a', 'b = c:d', 1]]],
])('reads %s', (_what, text, expected) => {
  expect(parseIni(text).map(({ section, option, value, line }) => [section, option, value, line])).toEqual(
    expected,
  );
});

it('reads any text, or names the line that it cannot read', () => {
  const pieces = fc.constantFrom(
    '[',
    ']',
    '=',
    ':',
    '\n',
    '\r\n',
    '#',
    ';',
    'a',
    ' ',
    '\uFEFF',
    '[s]\n',
    'a = b\n',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        for (const { line } of parseIni(text)) expect(line).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(IniError);
        expect((error as Error).message).toMatch(/^line [1-9]\d*: /);
      }
    }),
  );
});
