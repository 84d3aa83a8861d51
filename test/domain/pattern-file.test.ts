import { describe, expect, it } from 'vitest';
import {
  fitsOnLine,
  type PatternFileFormat,
  requirePatternFile,
} from '../../src/domain/blacklists/pattern-file.ts';
import { DomainError } from '../../src/domain/errors.ts';

/** A language in which all is a pattern but what holds a question mark. */
const language = { fault: (pattern: string) => (pattern.includes('?') ? 'No questions.' : undefined) };

const read = (text: string, format: PatternFileFormat) =>
  requirePatternFile({ bytes: Buffer.from(text), format }, language);

function refusalOf(text: string, format: PatternFileFormat): DomainError {
  try {
    read(text, format);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('The file was read.');
}

describe('a file of patterns', () => {
  it('tells of each pattern where it stands, and of none that was made from a name', () => {
    expect(read('a\n\nb\n', 'patterns')).toEqual([
      { pattern: 'a', line: 1 },
      { pattern: 'b', line: 3 },
    ]);
    expect(read('\n{"pattern":"a"}', 'jsonl')).toEqual([{ pattern: 'a', description: null, line: 2 }]);
    expect(read('Example.com', 'exact')).toEqual([{ pattern: '^example\\.com\\.$' }]);
  });

  it.each<[PatternFileFormat, string, number, string]>([
    ['patterns', 'a\nb?\n', 2, 'No questions.'],
    ['jsonl', '{"pattern":"b?"}', 1, 'No questions.'],
    [
      'exact',
      '# a comment\n\n*.com',
      3,
      'A name may contain only letters, digits, "-", "_" and dots: remove U+002A.',
    ],
    ['psl', 'com\na.*.com', 2, 'A wildcard must be the whole first label: "*.example".'],
  ])('of the format %s is refused with the line in the path of its fault', (format, text, line, message) => {
    const { kind, faults, message: whole } = refusalOf(text, format);
    expect(kind).toBe('invalid_object');
    expect(faults).toEqual([{ path: ['line', line], message }]);
    expect(whole).toBe(`Line ${line}: ${message}`);
  });
});

it.each(['a\u001b[2Jb', 'a\u009b2Jb', 'a\u007f', 'a\nb', 'a\rb', ' ', '', '\uFEFFa'])(
  '%j is left to JSON lines',
  (pattern) => {
    expect(fitsOnLine(pattern)).toBe(false);
  },
);

it.each(['a\tb', ' a ', '#a', 'münchen', 'a\u2028b'])('%j fits on a line', (pattern) => {
  expect(fitsOnLine(pattern)).toBe(true);
});
