import { PatternError } from '../../src/matcher/syntax/error.ts';
import type { Random } from '../support/random.ts';
import { TwoWays } from '../support/two-ways.ts';
import type { Oracle } from './matcher-oracle.ts';
import { makeSet, type PatternSet } from './matcher-sets.ts';

/** Whole indexes against CPython: `check` and `explain` on sets of patterns, some of which are removed again. */

/** What part of the names a pattern may match. */
const OFTEN = 0.03;

type Forms = readonly string[];

/** What CPython says of a pattern and a name in all its forms; undefined where it raised or took too long. */
type Expected = (key: number, name: number) => boolean | undefined;

async function expectedFrom(oracle: Oracle, { patterns, names }: PatternSet): Promise<Expected> {
  const texts = names.flat();
  const answers = await Promise.all(patterns.map((pattern) => oracle.ask({ pattern, names: texts })));
  let next = 0;
  const places = names.map((forms) => forms.map(() => next++));
  return (key, name) => {
    const answer = answers[key - 1];
    if (typeof answer !== 'string') return undefined;
    const letters = places[name]!.map((at) => answer[at]);
    if (letters.includes('m')) return true;
    return letters.every((letter) => letter === 'n') ? false : undefined;
  };
}

export class IndexComparison {
  readonly counts = { sets: 0, patterns: 0, checks: 0, matches: 0, free: 0, blocked: 0, undecided: 0 };

  /** Sentences that say where an index and CPython differ. */
  async compare(oracle: Oracle, random: Random, names: number): Promise<string[]> {
    const set = makeSet(random, names);
    const expected = await expectedFrom(oracle, set);
    const index = new TwoWays();
    const keys = new Map<number, string>();
    set.patterns.forEach((source, i) => {
      if (this.isTelling(i + 1, set, expected, random) && added(index, i + 1, source))
        keys.set(i + 1, source);
    });
    this.counts.sets++;
    this.counts.patterns += keys.size;
    const whole = this.compareNames(index, keys, set, expected);
    for (const [key, source] of keys) {
      if (random.chance(0.5)) continue;
      index.remove(key, source);
      keys.delete(key);
    }
    return [...whole, ...this.compareNames(index, keys, set, expected)];
  }

  /** Patterns that match much are left out, nearly all: no name would be free. */
  private isTelling(key: number, { names }: PatternSet, expected: Expected, random: Random): boolean {
    const matched = names.filter((_, name) => expected(key, name) === true).length;
    return matched <= names.length * OFTEN || random.chance(0.01);
  }

  private compareNames(
    index: TwoWays,
    keys: ReadonlyMap<number, string>,
    set: PatternSet,
    expected: Expected,
  ): string[] {
    return set.names.flatMap((forms, name) => {
      const about = (key: number) => expected(key, name);
      const found = [
        ...this.checked(index, keys, forms, about),
        ...this.explained(index, keys, forms, about),
      ];
      return found.map((what) => `${what} for ${JSON.stringify(forms)}`);
    });
  }

  private checked(
    index: TwoWays,
    keys: ReadonlyMap<number, string>,
    forms: Forms,
    about: (key: number) => boolean | undefined,
  ): string[] {
    const verdict = index.check(forms);
    this.counts.checks++;
    if (verdict.kind === 'undecided') this.counts.undecided++;
    if (verdict.kind === 'blocked') {
      this.counts.blocked++;
      if (about(verdict.key) === false || !keys.has(verdict.key))
        return [`check: blocked by ${JSON.stringify(keys.get(verdict.key))}`];
    }
    if (verdict.kind !== 'free') return [];
    this.counts.free++;
    const missed = [...keys].filter(([key]) => about(key) === true);
    return missed.map(([, source]) => `check: free in spite of ${JSON.stringify(source)}`);
  }

  private explained(
    index: TwoWays,
    keys: ReadonlyMap<number, string>,
    forms: Forms,
    about: (key: number) => boolean | undefined,
  ): string[] {
    const { matches, undecided } = index.explain(forms);
    const found = new Set(matches);
    const open = new Set(undecided);
    this.counts.matches += found.size;
    const wrong = [...keys].filter(([key]) => !open.has(key) && about(key) === !found.has(key));
    const gone = matches.filter((key) => !keys.has(key));
    return [
      ...wrong.map(
        ([key, source]) => `explain: ${JSON.stringify(source)} ${found.has(key) ? 'found' : 'missed'}`,
      ),
      ...gone.map((key) => `explain: the removed pattern ${key} found`),
    ];
  }
}

/** False for what is no pattern. */
function added(index: TwoWays, key: number, source: string): boolean {
  try {
    index.add(key, source);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}
