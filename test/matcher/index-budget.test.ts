import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IndexVerdict } from '../../src/matcher/index/verdict.ts';
import { CandidateRunner, type RunOutcome } from '../../src/matcher/runner/candidate-runner.ts';
import { NOWHERE } from '../../src/matcher/runner/source-arena.ts';
import { PatternError } from '../../src/matcher/syntax/error.ts';
import { runs } from '../support/runs.ts';
import { TwoWays } from '../support/two-ways.ts';
import { name, pattern } from './index-patterns.ts';

function indexOf(sources: readonly string[]): TwoWays {
  const index = new TwoWays();
  sources.forEach((source, i) => {
    index.add(i + 1, source);
  });
  return index;
}

const EXPLODING = Array.from(
  { length: 3000 },
  (_, i) => `[a-m][a-z0-9.]{${(i % 50) + 5}}[q-z][0-9]{${Math.floor(i / 50) + 3}}`,
);
/** Nothing that is regular can tell that they never match. */
const REFERENCES = Array.from(
  { length: 400 },
  (_, i) => `(.+)(.+)(.+)${'.'.repeat(i % 20)}[0-9]{${i % 8}}\\1\\2\\3(?!.)(?!$)`,
);
/** CPython takes minutes for it. */
const HOPELESS = '(.a*?(?:.*)+?)\\1\\.$';
const LONG_NAME = `${'abcdefgq1234567'.repeat(4)}.`.repeat(4);

describe('the budget of a check', () => {
  test('makes a check undecided, and names patterns, when the patterns want more than it', () => {
    const index = indexOf([...REFERENCES, HOPELESS]);
    const verdict = index.check([LONG_NAME]);
    expect(verdict.kind).toBe('undecided');
    expect(verdict.kind === 'undecided' && verdict.keys.every((key) => key >= 1 && key <= 401)).toBe(true);
    expect(index.isLong([LONG_NAME])).toBe(true);
  });

  test('is not touched by names that the patterns have nothing to do with', () => {
    const index = indexOf(REFERENCES.map((source) => `${source}needle`));
    expect(index.check([LONG_NAME])).toEqual({ kind: 'free' });
  });

  test('leaves a name blocked that a complete pattern blocks, whatever else there is', () => {
    const index = indexOf([...REFERENCES, '\\.needle\\.$']);
    expect(index.check([`${LONG_NAME}needle.`])).toEqual({ kind: 'blocked', key: 401 });
  });

  test('gives the same verdict whatever was checked, added and removed before', () => {
    const sources = [...EXPLODING.slice(0, 300), ...REFERENCES.slice(0, 3)];
    const fresh = () => indexOf(sources);
    const names = [
      'abc.com.',
      LONG_NAME,
      LONG_NAME.slice(30),
      'aaaaaaaaaq1111.com.',
      'm'.repeat(60).concat('.x.'),
    ];
    const used = fresh();
    for (let i = 0; i < 50; i++) used.check([`${(i * 7919).toString(36).repeat(8)}.x.`]);
    const turned = new TwoWays();
    turned.add(5000, '[a-z]{3}[0-9]');
    for (let i = sources.length; i > 0; i--) turned.add(i, sources[i - 1]!);
    turned.remove(5000, '[a-z]{3}[0-9]');
    for (const text of names) {
      const expected = fresh().check([text]);
      expect(used.check([text])).toEqual(expected);
      expect(turned.check([text])).toEqual(expected);
      expect(used.check([text])).toEqual(expected);
    }
  });

  test('is enough for thousands of patterns that have nothing to do with a name', () => {
    const index = new TwoWays();
    for (let i = 1; i <= runs(10_000, 4000); i++) index.add(i, `(?![a-z]{${i}})[0-9]+!`);
    expect(index.check(['abc.com.'])).toEqual({ kind: 'free' });
  });
});

describe('a check that is ended elsewhere', () => {
  const mixed = [...EXPLODING.slice(0, 200), ...REFERENCES.slice(0, 20)];
  test.each([
    ['blocked by a regular one', [...mixed, '[b-d]+[e-g]+q'], 'abcdefgq1234567.x.'],
    ['blocked by another', [...mixed, '(?=[b-d])[b-d]+[e-g]+q'], 'abcdefgq1234567.x.'],
    ['free', mixed, 'a.b.'],
  ])('comes to the verdict that it comes to where it begins: %s', (title, sources, text) => {
    const index = indexOf(sources);
    // Each check makes some more of the patterns ready, until all of it can be done where it begins.
    for (let i = 0; i < 200 && index.isLong([text]); i++);
    expect(index.isLong([text])).toBe(false);
    expect(title.startsWith(index.check([text]).kind)).toBe(true);
  });

  test('asks for the sources that are not kept, and comes to the same verdict', () => {
    const sources = [...REFERENCES.slice(0, 20), '([b-d])\\1[e-g]+q', '[b-d]{2}[e-g]+[^q]'];
    const roster = new CandidateRunner(() => {
      throw new Error('No source is kept.');
    });
    sources.forEach((_, i) => {
      roster.add(i + 1, NOWHERE, true);
    });
    const long = { forms: ['abbeq.x.'], keys: [new Int32Array(0)], kept: new Int32Array(0) };
    const fetched = new Map<number, string>();
    const outcomes: RunOutcome<IndexVerdict>[] = [];
    for (;;) {
      const outcome = roster.finish(long, fetched);
      outcomes.push(outcome);
      if (outcome.kind === 'done') break;
      for (const key of outcome.keys) fetched.set(key, sources[key - 1]!);
    }
    expect(outcomes).toEqual([
      { kind: 'missing', keys: sources.map((_, i) => i + 1) },
      { kind: 'done', result: { kind: 'blocked', key: 21 } },
    ]);
    // What has been made of them is at hand from then on.
    expect(roster.finish(long, new Map())).toEqual(outcomes[1]);
  });
});

describe('the key of a blocked name', () => {
  test('depends on the patterns in the index alone, not on their history', () => {
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 1, maxLength: 12 }),
        fc.array(pattern),
        name,
        (sources, others, text) => {
          const straight = indexOf(sources);
          const turned = new TwoWays();
          others.forEach((source, i) => {
            turned.add(i + 1000, source);
          });
          for (let i = sources.length; i > 0; i--) turned.add(i, sources[i - 1]!);
          turned.check([text]);
          others.forEach((source, i) => {
            turned.remove(i + 1000, source);
          });
          expect(turned.check([text])).toEqual(straight.check([text]));
        },
      ),
      { numRuns: runs(300, 30) },
    );
  });
});

describe('an index whose tables are full', () => {
  test('runs what does not fit, and forgets it when it is removed', () => {
    const index = new TwoWays(3);
    const two = '(^|\\.)(one|two)\\.$';
    const four = '(^|\\.)(one|two|six|ten)\\.$';
    index.add(1, '^a\\.b\\.$');
    index.add(2, four);
    index.add(3, '(?:one|two|six|ten)[0-9]{9}x+');
    index.add(4, two);
    index.add(5, '^three\\.x\\.$');
    const forms = ['one.', 'two1234567890x.', 'a.b.', 'three.x.'];
    expect(index.explain(forms)).toEqual({ matches: [1, 2, 4, 5], undecided: [] });
    expect(index.check(['x.six.'])).toEqual({ kind: 'blocked', key: 2 });
    expect(index.check(['xthree.x.'])).toEqual({ kind: 'free' });
    index.remove(2, four);
    index.remove(5, '^three\\.x\\.$');
    expect(index.size).toBe(3);
    expect(index.explain([...forms, 'x.six.'])).toEqual({ matches: [1, 4], undecided: [] });
  });
});

describe('removing what is not there', () => {
  const sources = ['^a\\.b\\.$', '(^|\\.)(one|two)\\.$', '(?=x)evil[a-z]+', '[a-z]+1', '.*', 'a{9}'];

  test.each(sources)('changes nothing: %s', (source) => {
    const index = indexOf(sources.filter((other) => other !== '.*'));
    index.add(20, '.*');
    index.remove(9, source);
    index.remove(1, '^c\\.d\\.$');
    expect(index.size).toBe(6);
    expect(index.explain(['a.b.', 'x.one.', 'q1.']).matches).toEqual([1, 2, 4, 20]);
    expect(index.explain(['xevilx.']).matches).toEqual([20]);
  });

  test('goes by the key where the index has another source for it', () => {
    const index = indexOf(['[a-z]+1needle', '^a\\.b\\.$']);
    index.remove(1, '[a-z]+2other');
    index.remove(2, '^a\\.c\\.$');
    expect(index.size).toBe(1);
    expect(index.explain(['x1needle.', 'a.b.'])).toEqual({ matches: [2], undecided: [] });
  });
});

describe('what is no pattern', () => {
  test('is refused, and changes nothing', () => {
    const index = indexOf(['^a\\.b\\.$']);
    for (const source of ['(', 'a**', '[z-a]', '^example\\.com\\.$)']) {
      expect(() => index.add(9, source)).toThrow(PatternError);
    }
    expect(index.size).toBe(1);
    expect(index.check(['b.c.'])).toEqual({ kind: 'free' });
    expect(index.explain(['a.b.'])).toEqual({ matches: [1], undecided: [] });
  });
});
