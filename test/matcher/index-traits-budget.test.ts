import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PatternTraits } from '../../src/matcher/index/traits.ts';
import type { IndexVerdict } from '../../src/matcher/index/verdict.ts';
import { LocalIndex } from '../../src/matcher/local-index.ts';
import { PatternChecker } from '../../src/matcher/pattern-checker.ts';
import type { RunnerRequest } from '../../src/matcher/runner/messages.ts';
import { TwoWays } from '../support/two-ways.ts';

const CONDITIONAL: PatternTraits = { enforced: true, conditional: true };
const NOTED: PatternTraits = { enforced: false, conditional: false };
const NOTED_CONDITIONAL: PatternTraits = { enforced: false, conditional: true };

/** CPython takes minutes for it. */
const HOPELESS = '(.a*?(?:.*)+?)\\1\\.$';
const LONG_NAME = `${'abcdefgq1234567'.repeat(4)}.`.repeat(4);
/** One takes part of the budget, all of them more than it; they never match. */
const HEAVY = Array.from({ length: 60 }, (_, i) => `(.+)(.+)(.+)${'.'.repeat(i)}\\1\\2\\3(?!.)(?!$)`);

/** Together they take too long where a check begins, and little of the budget. */
const SLOW = Array.from(
  { length: 200 },
  (_, i) => `([a-d]{${(i % 9) + 3}})[0-9]{${Math.floor(i / 9)}}\\1|(?!)`,
);

/** Each of these matches `abc.example.`, and is kept in another way. */
const WAYS: readonly (readonly [string, string])[] = [
  ['by its whole string', '^abc\\.example\\.$'],
  ['by several strings', '(^|\\.)(abc|b)\\.example\\.$'],
  ['as a literal', 'abc'],
  ['as what matches every name', '.*'],
  ['behind a literal', 'abc\\.[a-z]+'],
  ['without a literal', '[^.]{3}[.]'],
  ['as a program', '(?=a)[a-c]{3}[.]'],
];
const NAME = ['abc.example.'];

function filled(sources: readonly string[], traits: PatternTraits, from = 1): TwoWays {
  const index = new TwoWays();
  sources.forEach((source, i) => {
    index.add(from + i, source, traits);
  });
  return index;
}

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);

describe('the matches of conditional entries', () => {
  test.each(WAYS)(
    'are all told up to some hundreds, and more leave a name undecided: kept %s',
    (_, source) => {
      const index = filled(Array(280).fill(source), CONDITIONAL, 7);
      expect(index.check(NAME)).toEqual({ kind: 'conditional', keys: range(7, 280) });
      for (const key of range(1000, 21)) index.add(key, source, CONDITIONAL);
      const verdict = index.check(NAME);
      expect(verdict.kind === 'undecided' && verdict.keys).toHaveLength(100);
      for (const key of range(7, 21)) index.remove(key, source, CONDITIONAL);
      expect(index.check(NAME)).toEqual({
        kind: 'conditional',
        keys: [...range(28, 259), ...range(1000, 21)],
      });
    },
  );

  test('do not hide an entry that blocks, however many they are', () => {
    const index = filled(Array(2000).fill('^abc\\.example\\.$'), CONDITIONAL);
    index.add(5000, '(^|\\.)example\\.$');
    expect(index.check(NAME)).toEqual({ kind: 'blocked', key: 5000 });
  });

  test('are charged with what is run', () => {
    const index = filled(Array(150).fill('abc'), CONDITIONAL);
    for (let i = 0; i < 151; i++) index.add(200 + i, '[^.]{3}[.]', CONDITIONAL);
    expect(index.check(NAME).kind).toBe('undecided');
    for (const key of range(1, 20)) index.remove(key, 'abc', CONDITIONAL);
    expect(index.check(NAME)).toEqual({ kind: 'conditional', keys: [...range(21, 130), ...range(200, 151)] });
  });
});

describe('a pattern that is run by its program', () => {
  // It matches, but not before it has used a twentieth of the budget.
  const slowly = `${HEAVY[0]}|(?=n)needle`;
  const name = [`${LONG_NAME.slice(0, 24)}.needle.`];

  test('has what the conditional entries that match have left of the budget', () => {
    const index = filled(Array(20).fill('needle'), CONDITIONAL);
    index.add(1000, slowly);
    expect(index.check(name)).toEqual({ kind: 'blocked', key: 1000 });
    for (const key of range(100, 275)) index.add(key, 'needle', CONDITIONAL);
    expect(index.check(name).kind).toBe('undecided');
    for (const key of range(100, 275)) index.remove(key, 'needle', CONDITIONAL);
    expect(index.check(name)).toEqual({ kind: 'blocked', key: 1000 });
  });
});

describe('the entries that are only noted', () => {
  test.each(WAYS)('are counted up to 10,000, and the smallest are named: kept %s', (_, source) => {
    const index = new LocalIndex();
    for (let i = 0; i < 12_000; i++) index.add(20_000 - i, source, i % 2 ? NOTED : NOTED_CONDITIONAL);
    const verdict = index.check(NAME);
    const { matches, found } = (verdict.kind === 'free' && verdict.notes) || { matches: [], found: 0 };
    expect(found).toBeGreaterThan(4000);
    expect(found).toBeLessThanOrEqual(10_000);
    expect(matches).toEqual(range(8001, 100));
  });

  test('refuse nothing, and take nothing from the budget of the others, however slow they are', () => {
    const enforced = [...HEAVY.slice(0, 3), '(?=[b-d])[b-d]+[e-g]+q'];
    const alone = filled(enforced, CONDITIONAL);
    const expected = alone.check([LONG_NAME]);
    expect(expected).toEqual({ kind: 'conditional', keys: [4] });
    for (const [i, source] of [...HEAVY, HOPELESS].entries()) alone.add(100 + i, source, NOTED);
    alone.add(50, 'abcdefg', NOTED);
    expect(alone.check([LONG_NAME])).toEqual({ ...expected, notes: { matches: [50], found: 1 } });
    for (const [i, source] of [...HEAVY, HOPELESS].entries()) alone.add(200 + i, source);
    expect(alone.check([LONG_NAME]).kind).toBe('undecided');
  });
});

describe('a worker', () => {
  let checker: PatternChecker;
  let asked: string[];
  let failing: boolean;
  beforeEach(() => {
    checker = new PatternChecker();
    asked = [];
    failing = false;
    const original = Worker.prototype.postMessage;
    vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (
      this: Worker,
      request: RunnerRequest,
    ) {
      if (request.kind === 'check' || request.kind === 'note') asked.push(request.kind);
      if (request.kind === 'note' && failing) void this.terminate();
      else original.call(this, request);
    });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await checker.close();
  });

  function add(sources: readonly string[], from: number, traits?: PatternTraits): void {
    sources.forEach((source, i) => {
      checker.add(from + i, source, traits);
    });
  }

  test('judges what refuses before it looks for what is noted, of all projects', async () => {
    add(SLOW, 1);
    add([...HEAVY, HOPELESS], 1000, NOTED);
    checker.add(999, 'q123', NOTED);
    const verdicts = await Promise.all(['a', 'b', 'c'].map((project) => checker.check([LONG_NAME], project)));
    const expected: IndexVerdict = { kind: 'free', notes: { matches: [999], found: 1 } };
    expect(verdicts).toEqual([expected, expected, expected]);
    expect(asked).toEqual(['check', 'check', 'check', 'note', 'note', 'note']);
  });

  test('is asked about noted entries once for a name, and not at all for one that is refused', async () => {
    add([...HEAVY, HOPELESS], 100, NOTED);
    checker.add(1, 'needle');
    expect(await checker.check([LONG_NAME], 'project')).toEqual({ kind: 'free' });
    expect(asked).toEqual(['note']);
    expect(await checker.check([`needle.${LONG_NAME}`], 'project')).toEqual({ kind: 'blocked', key: 1 });
    expect(asked).toEqual(['note']);
  });

  test('that dies over noted entries refuses nothing, and what was found before is told', async () => {
    failing = true;
    add([...HEAVY, HOPELESS], 100, NOTED);
    checker.add(9, 'q123', NOTED);
    const notes = { matches: [9], found: 1 };
    expect(await checker.check([LONG_NAME], 'project')).toEqual({ kind: 'free', notes });
    expect(asked).toEqual(['note']);
  });
});
