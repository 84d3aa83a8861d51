import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LocalIndex } from '../../src/matcher/local-index.ts';
import { PatternChecker } from '../../src/matcher/pattern-checker.ts';
import type { RunnerRequest } from '../../src/matcher/runner/messages.ts';
import { until } from '../support/eventually.ts';
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
afterEach(async () => {
  vi.restoreAllMocks();
  await checker.close();
});

/** An index of each pattern alone. */
const ALONE = PATTERNS.map((pattern, i) => {
  const alone = new LocalIndex();
  alone.add(i + 1, pattern);
  return alone;
});

/** The patterns that match, each asked by itself. */
function matching(name: string): number[] {
  return ALONE.flatMap((alone, i) => (alone.check([name]).kind === 'blocked' ? [i + 1] : []));
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

it('an explanation lists all patterns that match', async () => {
  const name = NAMES.find((one) => matching(one).length > 1)!;
  expect(await checker.explain([name])).toEqual({ matches: matching(name), undecided: [] });
});

/** Has to be run: nothing simpler can be said of it. */
const TWICE = '([a-d]{3})[0-9]*\\1|(?!)';

/** Counts the checks that workers are asked, and keeps from them the sources of patterns that are not kept. */
function forgetfulWorkers(): { checks: number } {
  const original = Worker.prototype.postMessage;
  const asked = { checks: 0 };
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (
    this: Worker,
    request: RunnerRequest,
  ) {
    if (request.kind === 'prepare') return;
    if (request.kind === 'check') asked.checks++;
    original.call(this, request);
  });
  return asked;
}

it('a check whose sources are being fetched when all patterns are forgotten is begun again, and answered once', async () => {
  const asked = forgetfulWorkers();
  const fetches: ((source: string) => void)[] = [];
  const fetch = () => new Promise<string>((resolve) => fetches.push(resolve));
  const forgetting = new PatternChecker(fetch, 0);
  try {
    forgetting.add(1, TWICE);
    const verdict = forgetting.check(['abcabc.example.'], 'project');
    await until(() => expect(fetches.length).toBe(1));
    forgetting.clear();
    fetches[0]!(TWICE);
    expect(await verdict).toEqual({ kind: 'free' });
    expect(asked.checks).toBe(2);
  } finally {
    await forgetting.close();
  }
});
