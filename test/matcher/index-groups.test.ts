import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BitLayout } from '../../src/matcher/index/bit-layout.ts';
import { PackedRunner } from '../../src/matcher/index/packed-run.ts';
import { layoutOf as layoutOfNode } from '../../src/matcher/index/role.ts';
import { symbolsOf } from '../../src/matcher/index/symbols.ts';
import { Union } from '../../src/matcher/index/union.ts';
import { UnionRun } from '../../src/matcher/index/union-run.ts';
import { LocalIndex } from '../../src/matcher/local-index.ts';
import { StepBudget } from '../../src/matcher/run/budget.ts';
import { compileProgram, searchPattern } from '../../src/matcher/run/program.ts';
import { encodeText } from '../../src/matcher/run/text.ts';
import { parsePattern } from '../../src/matcher/syntax/parse.ts';
import { runs } from '../support/runs.ts';
import { name, pattern } from './index-patterns.ts';

/** Patterns of more positions than a word has bits. */
const wide = fc
  .tuple(
    fc.integer({ min: 1, max: 70 }),
    fc.constantFrom('a', '[a-k]', '[^.]', '(?:ab|k)', '(?:a.)?'),
    fc.constantFrom('', '$', '\\.com', 'b*'),
  )
  .map(([count, body, end]) => `[ab](?:${body}){${count}}${end}`);
const long = fc
  .tuple(fc.constantFrom('a', 'ab', 'abk', 'aü'), fc.integer({ min: 1, max: 60 }), name)
  .map(([part, count, end]) => part.repeat(count) + end);
const anyPattern = fc.oneof(wide, pattern);
const anyName = fc.oneof(long, name);

const matches = (source: string, text: string) =>
  searchPattern(compileProgram(parsePattern(source)), encodeText(text), new StepBudget(1e7)) === 'match';

const layoutOf = (source: string) => layoutOfNode(parsePattern(source).root);

function unionOf(sources: readonly string[]): Union {
  const union = new Union();
  sources.forEach((source, i) => {
    const layout = layoutOf(source);
    if (layout !== undefined) union.add(i + 1, layout);
  });
  return union;
}

const runner = new PackedRunner();

/** What a layout finds that is run by itself, from anywhere in an array. */
function packed({ data, sets }: BitLayout, text: string): { found: boolean; cost: number } {
  const shifted = new Int32Array(data.length + 5);
  shifted.set(data, 5);
  const found = runner.run(shifted, 5, (number) => sets[number]!, symbolsOf(text));
  return { found, cost: runner.cost };
}

describe('patterns moved together', () => {
  test('match what each of them matches alone, and cost what they cost alone', () => {
    fc.assert(
      fc.property(
        fc.array(anyPattern, { minLength: 1, maxLength: 12 }),
        fc.array(anyName, { minLength: 1, maxLength: 4 }),
        (sources, texts) => {
          const regular = sources.filter((source) => layoutOf(source) !== undefined);
          const run = new UnionRun(unionOf(regular), 20_000);
          for (const text of [...texts, ...texts]) {
            const outcome = run.run(symbolsOf(text), Infinity)!;
            const expected = regular.flatMap((source, i) => (matches(source, text) ? [i + 1] : []));
            expect([...outcome.matched].sort((a, b) => a - b)).toEqual(expected);
            const alone = regular.map(
              (source) => new UnionRun(unionOf([source]), 20_000).run(symbolsOf(text), Infinity)!.cost,
            );
            expect(outcome.cost).toBe(alone.reduce((sum, cost) => sum + cost, 0));
            regular.forEach((source, i) => {
              const { found, cost } = packed(layoutOf(source)!, text);
              expect([source, text, found]).toEqual([source, text, expected.includes(i + 1)]);
              // By itself a pattern is not moved on once it has matched, or can no longer match.
              expect(cost).toBeLessThanOrEqual(alone[i]!);
            });
            if (run.surelyMisses(text, Infinity)) expect(expected).toEqual([]);
          }
        },
      ),
      { numRuns: runs(500, 60) },
    );
  });

  test('match and cost the same over kept states and word by word', () => {
    const sources = Array.from(
      { length: 60 },
      (_, i) => `[a-m][a-z0-9]{${(i % 20) + 5}}[q-z]${i % 3 ? '-' : 'x?'}`,
    );
    const tired = new UnionRun(unionOf(sources), 20_000);
    for (let i = 0; i < runs(3000, 1500); i++)
      tired.run(symbolsOf(`${(i * 7919 * 7919).toString(36).repeat(5)}.`), Infinity);
    for (let i = 0; i < 50; i++) {
      const codes = symbolsOf(`${(i * 104_729 * 7919).toString(36).repeat(4)}-.`);
      const fresh = new UnionRun(unionOf(sources), 20_000).run(codes, Infinity)!;
      const outcome = tired.run(codes, Infinity)!;
      expect([...outcome.matched].sort()).toEqual([...fresh.matched].sort());
      expect(outcome.cost).toBe(fresh.cost);
    }
  });

  test('come and go without a trace', () => {
    fc.assert(
      fc.property(
        fc.array(anyPattern, { minLength: 9, maxLength: 25 }),
        fc.array(anyName, { minLength: 1, maxLength: 3 }),
        (sources, texts) => {
          const index = new LocalIndex();
          sources.forEach((source, i) => {
            index.add(i + 1, source);
          });
          for (let i = 0; i < sources.length; i += 2) index.remove(i + 1, sources[i]!);
          for (let i = 0; i < sources.length; i += 4) index.add(i + 1, sources[i]!);
          for (const text of texts) {
            const expected = sources.flatMap((source, i) =>
              (i % 2 === 1 || i % 4 === 0) && matches(source, text) ? [i + 1] : [],
            );
            expect(index.explain([text])).toEqual({ matches: expected, undecided: [] });
          }
        },
      ),
      { numRuns: runs(200, 40) },
    );
  });
});

describe('the quick way to read a pattern', () => {
  test('comes to what the long way comes to', () => {
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 10 }), name, (sources, text) => {
        const quick = new LocalIndex();
        const thorough = new LocalIndex();
        sources.forEach((source, i) => {
          quick.add(i + 1, source);
          thorough.add(i + 1, `${source}(?#)`);
        });
        expect(quick.check([text])).toEqual(thorough.check([text]));
        sources.forEach((source, i) => {
          quick.remove(i + 1, `${source}(?#)`);
          thorough.remove(i + 1, source);
        });
        expect(quick.explain([text])).toEqual({ matches: [], undecided: [] });
        expect(thorough.explain([text])).toEqual({ matches: [], undecided: [] });
      }),
      { numRuns: runs(1000, 150) },
    );
  });
});
