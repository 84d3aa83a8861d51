import { afterEach, beforeEach, expect, it } from 'vitest';
import { LocalIndex } from '../../src/matcher/local-index.ts';
import { PatternChecker } from '../../src/matcher/pattern-checker.ts';
import { Random } from '../support/random.ts';
import { TwoWays } from '../support/two-ways.ts';

/** Patterns with back-references, of which nothing simpler can be said: they are run one by one, for every name. */
const PATTERNS = Array.from(
  { length: 300 },
  (_, i) => `([a-d]{${(i % 9) + 3}})[0-9]{${Math.floor(i / 9)}}\\1|(?!)`,
);

const random = new Random(7);
const letters = (from: string, length: number): string =>
  Array.from({ length }, () => from[random.below(from.length)]!).join('');
const NAMES = Array.from({ length: 60 }, (_, i) => {
  const length = 5 + random.below(50);
  // Every other one holds something twice.
  const start = i % 2 === 0 ? letters('abcd', 4) : '';
  return `${start}${letters('0123456789', i % 5)}${start}${letters('abcdxyz', length)}.example.`;
});

let checker: PatternChecker;
beforeEach(() => {
  checker = new PatternChecker();
  PATTERNS.forEach((pattern, i) => {
    checker.add(i + 1, pattern);
  });
});
afterEach(() => checker.close());

/** The patterns that match, each asked by itself. */
function matching(name: string): number[] {
  return PATTERNS.flatMap((pattern, i) => {
    const alone = new LocalIndex();
    alone.add(i + 1, pattern);
    const found = alone.check([name]);
    return found.kind === 'blocked' ? [i + 1] : [];
  });
}

it('a check that goes on in the worker comes to the verdict of the patterns one by one', async () => {
  const index = new TwoWays();
  PATTERNS.forEach((pattern, i) => {
    index.add(i + 1, pattern);
  });
  expect(NAMES.some((name) => index.isLong([name]))).toBe(true);
  const verdicts = await Promise.all(NAMES.map((name, i) => checker.check([name], `project ${i % 3}`)));
  for (const [i, name] of NAMES.entries()) {
    const [first] = matching(name);
    expect([name, verdicts[i]]).toEqual([
      name,
      first === undefined ? { kind: 'free' } : { kind: 'blocked', key: first },
    ]);
  }
  expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['free', 'blocked']));
});

it('what waits when it is closed fails, and so does what comes later', async () => {
  const name = NAMES.find((one) => matching(one).length === 0)!;
  const waiting = Array.from({ length: 5 }, () => checker.check([name], 'project'));
  const outcomes = Promise.allSettled(waiting);
  await checker.close();
  for (const outcome of await outcomes) expect(outcome.status).toBe('rejected');
  await expect(checker.check([name], 'project')).rejects.toThrow('The matcher is closed.');
});
