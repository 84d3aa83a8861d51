import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BitLayout } from '../../src/matcher/index/bit-layout.ts';
import { decide, type Job, type Workshop } from '../../src/matcher/index/decision.ts';
import { layoutOf } from '../../src/matcher/index/groups.ts';
import { postponed } from '../../src/matcher/index/long-check.ts';
import { compile, type Program } from '../../src/matcher/index/programs.ts';
import { Union } from '../../src/matcher/index/union.ts';
import { UnionRun } from '../../src/matcher/index/union-run.ts';
import { finishCheck, PatternIndex, type Verdict } from '../../src/matcher/pattern-index.ts';
import { PatternError } from '../../src/matcher/syntax/error.ts';
import { name, pattern } from './index-patterns.ts';

function verdictOf(index: PatternIndex, forms: readonly string[]): Verdict {
  const found = index.check(forms);
  return found.kind === 'long' ? finishCheck(structuredClone(found.rest)) : found;
}

function indexOf(sources: readonly string[]): PatternIndex {
  const index = new PatternIndex();
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
const LONG_NAME = `${'abcdefgq1234567'.repeat(4)}.`.repeat(4);

describe('the budget of a check', () => {
  test('makes a check undecided, and names patterns, when the patterns want more than it', () => {
    const index = indexOf(REFERENCES);
    const verdict = verdictOf(index, [LONG_NAME]);
    expect(verdict.kind).toBe('undecided');
    expect(verdict.kind === 'undecided' && verdict.keys.every((key) => key >= 1 && key <= 400)).toBe(true);
    expect(index.check([LONG_NAME]).kind).toBe('long');
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
    const sources = [...EXPLODING.slice(0, 1200), ...REFERENCES.slice(0, 20)];
    const fresh = () => indexOf(sources);
    const names = [
      'abc.com.',
      LONG_NAME,
      LONG_NAME.slice(30),
      'aaaaaaaaaq1111.com.',
      'm'.repeat(60).concat('.x.'),
    ];
    const used = fresh();
    for (let i = 0; i < 150; i++) verdictOf(used, [`${(i * 7919).toString(36).repeat(8)}.x.`]);
    const turned = new PatternIndex();
    turned.add(5000, '[a-z]{3}[0-9]');
    for (let i = sources.length; i > 0; i--) turned.add(i, sources[i - 1]!);
    turned.remove(5000, '[a-z]{3}[0-9]');
    for (const text of names) {
      const expected = verdictOf(fresh(), [text]);
      expect(verdictOf(used, [text])).toEqual(expected);
      expect(verdictOf(turned, [text])).toEqual(expected);
      expect(verdictOf(used, [text])).toEqual(expected);
    }
  });

  test('ends a check at once when there are more patterns than it can be enough for', () => {
    const index = new PatternIndex();
    for (let i = 1; i <= 30_000; i++) index.add(i, `(?![a-z]{${i}})x*`);
    const verdict = index.check(['abc.com.']);
    expect(verdict).toEqual({ kind: 'undecided', keys: Array.from({ length: 100 }, (_, i) => i + 1) });
    expect(index.explain(['abc.com.']).matches).toEqual(expect.arrayContaining([1, 2, 3]));
  });
});

/** Compiles what it is asked for. */
class Shop implements Workshop {
  private readonly sources: readonly string[];

  constructor(sources: readonly string[]) {
    this.sources = sources;
  }

  ready(): boolean {
    return true;
  }

  program(key: number): Program {
    return compile(this.sourceOf(key));
  }

  sourceOf(key: number): string {
    return this.sources[key - 1]!;
  }
}

const layouts = new Map<string, BitLayout | undefined>();

function laidOut(source: string): BitLayout | undefined {
  if (!layouts.has(source)) layouts.set(source, layoutOf(source));
  return layouts.get(source);
}

function jobOf(sources: readonly string[], name: string): Job {
  const job: Job = {
    forms: [name],
    works: [],
    programs: [],
    spent: 0,
    matched: 0,
    suspects: undefined,
    heavy: [],
  };
  sources.forEach((source, i) => {
    const layout = laidOut(source);
    if (layout === undefined) {
      job.programs.push({ key: i + 1, form: 0 });
      return;
    }
    const union = new Union();
    union.add(i + 1, layout);
    job.works.push({ run: new UnionRun(union, 50_000), form: 0, sieves: false });
  });
  return job;
}

describe('a check that is finished elsewhere', () => {
  const mixed = [...EXPLODING.slice(0, 200), ...REFERENCES];
  const wide = Array.from(
    { length: 2000 },
    (_, i) => `[a-m][a-z0-9.]{${(i % 50) + 150}}[q-z][0-9]{${Math.floor(i / 50) + 3}}`,
  );
  test.each([
    ['undecided among the others', REFERENCES, LONG_NAME],
    ['undecided among the regular ones', wide, LONG_NAME],
    ['blocked by a regular one', [...mixed, '[b-d]+[e-g]+q'], 'abcdefgq1234567.x.'],
    ['blocked by another', [...mixed, '(?=[b-d])[b-d]+[e-g]+q'], 'abcdefgq1234567.x.'],
    ['free', mixed, 'a.b.'],
  ])('comes to the same verdict wherever it is broken off: %s', (title, sources, text) => {
    const shop = new Shop(sources);
    const whole = decide(jobOf(sources, text), shop, { left: Infinity });
    expect(title.startsWith(whole!.kind)).toBe(true);
    for (const left of [300, 20_000, 400_000, 1_500_000, 3_000_000]) {
      const job = jobOf(sources, text);
      const verdict = decide(job, shop, { left }) ?? finishCheck(structuredClone(postponed(job, shop)));
      expect(verdict).toEqual(whole);
    }
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
          const turned = new PatternIndex();
          others.forEach((source, i) => {
            turned.add(i + 1000, source);
          });
          for (let i = sources.length; i > 0; i--) turned.add(i, sources[i - 1]!);
          verdictOf(turned, [text]);
          others.forEach((source, i) => {
            turned.remove(i + 1000, source);
          });
          expect(verdictOf(turned, [text])).toEqual(verdictOf(straight, [text]));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('an index that is full', () => {
  test('refuses a pattern as a whole, and is as it was before', () => {
    const index = new PatternIndex(3);
    index.add(1, '^a\\.b\\.$');
    for (const source of ['(^|\\.)(one|two|six|ten)\\.$', '(?:one|two|six|ten)[0-9]{9}x+']) {
      expect(() => index.add(2, source)).toThrow(RangeError);
      index.remove(2, source);
    }
    expect(index.size).toBe(1);
    expect(index.explain(['one.', 'two1234567890x.', 'a.b.'])).toEqual({ matches: [1], undecided: [] });
    index.add(2, '(^|\\.)(one|two)\\.$');
    expect(() => index.add(3, '^three\\.x\\.$')).toThrow(RangeError);
    index.remove(2, '(^|\\.)(one|two)\\.$');
    index.add(3, '^three\\.x\\.$');
    expect(index.explain(['three.x.']).matches).toEqual([3]);
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
