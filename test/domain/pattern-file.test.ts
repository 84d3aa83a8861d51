import { describe, expect, it } from 'vitest';
import {
  fitsOnLine,
  type PatternFileFormat,
  PatternFileReader,
} from '../../src/domain/blacklists/pattern-file.ts';
import { DomainError } from '../../src/model/errors.ts';

/** A language in which all is a pattern but what holds a question mark. */
const language = {
  fault: (pattern: string) => (pattern.includes('?') ? 'No questions.' : undefined),
  warnings: (pattern: string) =>
    pattern === '' || pattern === '.*'
      ? [{ code: 'matches_every_name', message: 'Everything.' } as const]
      : [],
};

async function read(text: string, format: PatternFileFormat, isForced = false) {
  const reader = new PatternFileReader({ format, isForced }, language);
  const lines = text.split('\n').map((line, place) => ({ number: place + 1, text: line }));
  const drafts = [...(await reader.read(lines)), ...(await reader.end())];
  reader.requireNoFaults();
  return drafts;
}

async function refusalOf(text: string, format: PatternFileFormat): Promise<DomainError> {
  try {
    await read(text, format);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('The file was read.');
}

describe('a file of patterns', () => {
  it('tells of each pattern where it stands, and of none that was made from a name', async () => {
    expect(await read('a\n\nb\n', 'patterns')).toEqual([
      { pattern: 'a', line: 1 },
      { pattern: 'b', line: 3 },
    ]);
    expect(await read('\n{"pattern":"a"}', 'jsonl')).toEqual([{ pattern: 'a', description: null, line: 2 }]);
    expect(await read('Example.com', 'exact')).toEqual([{ pattern: '^example\\.com\\.$' }]);
  });

  it('takes the lines that the API sends, and only their pattern, description and terms', async () => {
    const sent = {
      id: '0f7c0b1e-3c57-4c0f-8d5a-0d6f6a3c5f11',
      pattern: 'a',
      description: 'b',
      created_at: '2030-01-01T00:00:00.000000',
      updated_at: null,
      links: { self: 'https://dns.example.org/v2/blacklists/0f7c0b1e-3c57-4c0f-8d5a-0d6f6a3c5f11' },
      mode: 'audit',
      exhausted: { count: 1, last_at: '2030-01-01T00:00:00.000000' },
      hits: { refused: 1, warned: 0, audited: 0, last_at: '2030-01-01T00:00:00.000000' },
      lists: ['brands'],
    };
    expect(await read(JSON.stringify(sent), 'jsonl')).toEqual([
      { pattern: 'a', description: 'b', mode: 'audit', line: 1 },
    ]);
  });

  it.each<[PatternFileFormat, string]>([
    ['patterns', '^a\\.$'],
    ['exact', 'a.example'],
    ['subtree', 'a.example'],
    ['psl', 'example'],
    ['jsonl', '{"pattern":"a"}'],
  ])('of the format %s skips lines that begin with #', async (format, line) => {
    const alone = await read(line, format);
    expect(alone).toHaveLength(1);
    const text = `# a comment\n  # b?\n${line}\n#${line}\n`;
    expect((await read(text, format)).map(({ pattern }) => pattern)).toEqual(
      alone.map(({ pattern }) => pattern),
    );
  });

  it.each<[PatternFileFormat, string, number, string]>([
    ['patterns', 'a\nb?\n', 2, 'No questions.'],
    ['jsonl', '{"pattern":"b?"}', 1, 'No questions.'],
    [
      'exact',
      '# a comment\n\n*.com',
      3,
      'A name may contain only letters, digits, "-", "_" and dots. Remove U+002A.',
    ],
    ['psl', 'com\na.*.com', 2, 'A wildcard must be the whole first label: "*.example".'],
  ])(
    'of the format %s is refused with the line in the path of its fault',
    async (format, text, line, message) => {
      const { kind, faults, message: whole } = await refusalOf(text, format);
      expect(kind).toBe('invalid_object');
      expect(faults).toEqual([{ path: ['line', line], message }]);
      expect(whole).toBe(`Line ${line}: ${message}`);
    },
  );

  it('is refused with all its faults, of which the first hundred are named', async () => {
    const lines = Array.from({ length: 250 }, (_, place) => (place % 2 === 0 ? 'good' : 'bad?'));
    const { faults, details, message } = await refusalOf(lines.join('\n'), 'patterns');
    expect(faults).toHaveLength(100);
    expect(faults[99]).toEqual({ path: ['line', 200], message: 'No questions.' });
    expect(details).toEqual({ faults: 125 });
    expect(message).toMatch(/^Line 2: No questions\.\nLine 4: .*\nAnd 25 more lines are invalid\.$/s);
  });

  it('may have what matches every name only if that is forced', async () => {
    expect((await refusalOf('a\n.*', 'patterns')).faults).toMatchObject([{ path: ['line', 2] }]);
    expect(await read('a\n.*', 'patterns', true)).toHaveLength(2);
  });
});

it.each(['a\u001b[2Jb', 'a\u009b2Jb', 'a\u007f', 'a\nb', 'a\rb', ' ', '', '#a', ' #a', '\uFEFFa'])(
  '%j is left to JSON lines',
  (pattern) => {
    expect(fitsOnLine(pattern)).toBe(false);
  },
);

it.each(['a\tb', ' a ', 'a#', 'münchen', 'a\u2028b'])('%j fits on a line', (pattern) => {
  expect(fitsOnLine(pattern)).toBe(true);
});
