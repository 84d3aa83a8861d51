import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PatternTraits } from '../../src/matcher/index/traits.ts';
import type { IndexVerdict } from '../../src/matcher/index/verdict.ts';
import { PatternChecker } from '../../src/matcher/pattern-checker.ts';
import { StepBudget } from '../../src/matcher/run/budget.ts';
import { compileProgram, type Program, searchPattern } from '../../src/matcher/run/program.ts';
import { encodeText } from '../../src/matcher/run/text.ts';
import { parsePattern } from '../../src/matcher/syntax/parse.ts';
import { runs } from '../support/runs.ts';
import { TwoWays } from '../support/two-ways.ts';
import { name, pattern } from './index-patterns.ts';

interface Entry {
  readonly key: number;
  readonly source: string;
  readonly traits: PatternTraits;
  readonly program: Program;
}

/** A loop over the single patterns: what an index has to agree with. */
class Loop {
  readonly entries: Entry[] = [];

  add(key: number, source: string, traits: PatternTraits): void {
    this.entries.push({ key, source, traits, program: compileProgram(parsePattern(source)) });
  }

  /** Takes out an entry, if there is any. */
  removeOne(which: number): Entry | undefined {
    return this.entries.splice(which % Math.max(1, this.entries.length), 1)[0];
  }

  /** The keys of the entries that match and have such traits, sorted. */
  matching(forms: readonly string[], wanted: (traits: PatternTraits) => boolean): number[] {
    const texts = forms.map(encodeText);
    return this.entries
      .filter(({ traits, program }) => wanted(traits) && texts.some((text) => matches(program, text)))
      .map(({ key }) => key)
      .sort((a, b) => a - b);
  }
}

function matches(program: Program, text: ReturnType<typeof encodeText>): boolean {
  return searchPattern(program, text, new StepBudget(1e7)) === 'match';
}

/** What is not blocked has the very verdict that follows from the entries. */
function expectAgreement(verdict: IndexVerdict, loop: Loop, forms: readonly string[]): void {
  const blocking = loop.matching(forms, ({ enforced, conditional }) => enforced && !conditional);
  if (blocking.length > 0) {
    expect(verdict.kind === 'blocked' && blocking.includes(verdict.key)).toBe(true);
    return;
  }
  const keys = loop.matching(forms, ({ enforced, conditional }) => enforced && conditional);
  const noted = loop.matching(forms, ({ enforced }) => !enforced);
  expect(verdict).toEqual({
    ...(keys.length > 0 ? { kind: 'conditional', keys } : { kind: 'free' }),
    ...(noted.length > 0 ? { notes: { matches: noted.slice(0, 100), found: noted.length } } : {}),
  });
}

type Change =
  | { readonly add: string; readonly times: number; readonly traits: PatternTraits }
  | { readonly remove: number }
  | { readonly check: readonly string[] };

/** Seldom unconditional, so that most names are not blocked; some patterns are there many times. */
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      add: pattern,
      times: fc.constantFrom(1, 1, 1, 2, 9),
      traits: fc.record({
        enforced: fc.boolean(),
        conditional: fc.constantFrom(true, true, true, true, true, true, true, false),
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ remove: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ check: fc.array(name, { minLength: 1, maxLength: 2 }) }) },
);
const changes = fc.array(change, { minLength: 5, maxLength: 50, size: 'max' });

/** What can be changed, and asked for verdicts. */
interface Changed {
  readonly size: number;
  add(key: number, source: string, traits: PatternTraits): void;
  remove(key: number, source: string, traits: PatternTraits): void;
}

let next = 1;

/** Makes the changes, leaves nothing behind. */
async function goThrough(
  index: Changed,
  steps: readonly Change[],
  look: (loop: Loop, forms: readonly string[]) => void | Promise<void>,
): Promise<void> {
  const loop = new Loop();
  const removeOne = (which: number) => {
    const entry = loop.removeOne(which);
    if (entry !== undefined) index.remove(entry.key, entry.source, entry.traits);
  };
  for (const step of steps) {
    if ('remove' in step) removeOne(step.remove);
    else if ('check' in step) await look(loop, step.check);
    else {
      for (let i = 0; i < step.times; i++, next++) {
        index.add(next, step.add, step.traits);
        loop.add(next, step.add, step.traits);
      }
    }
    expect(index.size).toBe(loop.entries.length);
  }
  while (loop.entries.length > 0) removeOne(0);
  expect(index.size).toBe(0);
}

describe('an index of entries that take part in different ways', () => {
  test('comes to what a loop over them comes to, here and where the rest is run', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (steps) => {
        const index = new TwoWays();
        await goThrough(index, steps, (loop, forms) => {
          expectAgreement(index.check(forms), loop, forms);
          expect(index.explain(forms)).toEqual({ matches: loop.matching(forms, () => true), undecided: [] });
        });
      }),
      { numRuns: runs(300, 25) },
    );
  });

  test('does so when its tables are full', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (steps) => {
        const index = new TwoWays(3);
        await goThrough(index, steps, (loop, forms) => expectAgreement(index.check(forms), loop, forms));
      }),
      { numRuns: runs(100, 15) },
    );
  });

  test('keeps apart what is of one source', () => {
    const all = [true, false].flatMap((enforced) =>
      [true, false].map((conditional) => ({ enforced, conditional })),
    );
    for (const source of ['^a\\.b\\.$', '(^|\\.)(a\\.b|b)\\.$', 'a', '.*', '[^b]\\.b', '(?=a).', '[a-z]+']) {
      const index = new TwoWays();
      all.forEach((traits, i) => {
        index.add(i + 1, source, traits);
      });
      expect(index.check(['a.b.'])).toEqual({ kind: 'blocked', key: 2 });
      index.remove(2, source, all[1]);
      const notes = { matches: [3, 4], found: 2 };
      expect(index.check(['a.b.'])).toEqual({ kind: 'conditional', keys: [1], notes });
      index.remove(1, source, all[0]);
      index.remove(3, source, all[2]);
      expect(index.check(['a.b.'])).toEqual({ kind: 'free', notes: { matches: [4], found: 1 } });
      index.remove(4, source, all[3]);
      expect(index.check(['a.b.'])).toEqual({ kind: 'free' });
    }
  });
});

describe('an index with a worker', () => {
  const sources = new Map<number, string>();
  let checker: PatternChecker;
  /** Keeps no source: all that has to be run is run by the worker. */
  let forgetful: PatternChecker;
  beforeAll(() => {
    checker = new PatternChecker();
    forgetful = new PatternChecker(async (key) => sources.get(key), 0);
  });
  afterAll(async () => {
    await checker.close();
    await forgetful.close();
  });

  const both: Changed = {
    get size() {
      return checker.size;
    },
    add(key, source, traits) {
      sources.set(key, source);
      checker.add(key, source, traits);
      forgetful.add(key, source, traits);
    },
    remove(key, source, traits) {
      sources.delete(key);
      checker.remove(key, source, traits);
      forgetful.remove(key, source, traits);
    },
  };

  test('comes to what a loop over the entries comes to', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (steps) => {
        await goThrough(both, steps, async (loop, forms) => {
          expectAgreement(await checker.check(forms, 'project'), loop, forms);
          expectAgreement(await forgetful.check(forms, 'project'), loop, forms);
        });
      }),
      { numRuns: runs(150, 25) },
    );
  });
});
