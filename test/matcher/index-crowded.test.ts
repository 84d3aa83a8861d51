import { beforeEach, describe, expect, test } from 'vitest';
import type { PatternKind } from '../../src/matcher/index/traits.ts';
import { PatternIndex } from '../../src/matcher/pattern-index.ts';
import { LocalRunners } from '../../src/matcher/runner/local.ts';

/** Notes of each pattern that has to be run whether that is so for every name. */
class WatchedRunners extends LocalRunners {
  readonly everywhere = new Map<number, boolean>();

  override add(key: number, source: string, everywhere: boolean, kind: PatternKind): void {
    super.add(key, source, everywhere, kind);
    this.everywhere.set(key, everywhere);
  }

  override remove(key: number): void {
    super.remove(key);
    this.everywhere.delete(key);
  }
}

/** A thousand strings each: 250 of them are all that there is room for. */
const thousand = (i: number) => `x${i}q[0-9]{3}`;
/** Nine strings, that all end in one word. */
const BRAND = '(secure|account|login)[-.]?brand';
/** No word is in all of its matches. */
const EITHER = '(?:secure|login)[a-z]{9}[0-9]';

describe('a pattern that has to do with several strings', () => {
  let runners: WatchedRunners;
  let index: PatternIndex;
  beforeEach(() => {
    runners = new WatchedRunners();
    index = new PatternIndex(runners);
  });

  function crowd(): void {
    for (let i = 0; i < 250; i++) index.add(1000 + i, thousand(i));
  }

  test('finds room beside any number of patterns of one string', () => {
    for (let i = 0; i < 260_000; i++) index.add(1000 + i, `x${i}q`);
    index.add(1, BRAND);
    index.add(2, EITHER);
    expect([...runners.everywhere]).toEqual([[2, false]]);
    expect(index.check(['my-login-brand.com.'])).toEqual({ kind: 'blocked', key: 1 });
  });

  test('is kept by the one string that all its matches have where there is no room for several', () => {
    crowd();
    index.add(1, BRAND);
    index.add(2, EITHER);
    expect([...runners.everywhere]).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(index.check(['my-login-brand.com.'])).toEqual({ kind: 'blocked', key: 1 });
    expect(index.check(['brand.com.'])).toEqual({ kind: 'free' });
    expect(index.check(['secureabcdefghi1.com.'])).toEqual({ kind: 'blocked', key: 2 });
    index.remove(1, BRAND);
    expect(index.check(['my-login-brand.com.'])).toEqual({ kind: 'free' });
    index.remove(2, EITHER);
    expect(index.size).toBe(250);
  });

  test('gives its room back when it is removed', () => {
    crowd();
    index.remove(1000, thousand(0));
    // Of the thousand ten are left then.
    index.add(1000, 'x[0-9]{2}[0-8]');
    index.add(999, 'y[0-9][0-8]');
    for (let round = 0; round < 8; round++) {
      index.add(1, EITHER);
      expect(runners.everywhere.get(1)).toBe(false);
      index.remove(1, EITHER);
    }
    for (const key of [1, 2, 3, 4, 5, 6]) index.add(key, EITHER);
    expect([...runners.everywhere.values()]).toEqual([false, false, false, false, false, true]);
  });
});
