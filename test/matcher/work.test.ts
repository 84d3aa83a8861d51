import { expect, test } from 'vitest';
import { spend, within } from '../../src/matcher/work.ts';

test('what takes no more than was allowed is made, and what it took is told', () => {
  const made = within(10, () => {
    spend(4);
    spend(6);
    return 'made';
  });
  expect(made).toEqual({ value: 'made', units: 10 });
});

test('what would take more is not made, and is given up before the work is done', () => {
  const done: number[] = [];
  const made = within(10, () => {
    for (const units of [4, 7, 1]) {
      spend(units);
      done.push(units);
    }
  });
  expect(made).toBeUndefined();
  expect(done).toEqual([4]);
});

test('a part that may take more than the whole ends the whole', () => {
  const made = within(10, () => within(20, () => spend(15)) ?? 'the part alone was given up');
  expect(made).toBeUndefined();
});

test('a part that may take less is given up alone, and counts for the whole', () => {
  const made = within(10, () => {
    const parts = [within(3, () => spend(2)), within(3, () => spend(4)), within(3, () => spend(3))];
    return parts.map((part) => part?.units);
  });
  expect(made).toEqual({ value: [2, undefined, 3], units: 5 });
});

test('a limit holds after work without one', () => {
  const within3 = () => within(3, () => spend(4));
  expect(within(Number.POSITIVE_INFINITY, () => spend(5))?.units).toBe(5);
  expect(within3()).toBeUndefined();
  expect(within(Number.POSITIVE_INFINITY, within3)).toEqual({ value: undefined, units: 0 });
  expect(() => spend(Number.NaN)).toThrow();
  expect(within3()).toBeUndefined();
});

test('other errors pass through, and the limit with them goes', () => {
  const failing = () =>
    within(1, () => {
      throw new Error('another one');
    });
  expect(failing).toThrow('another one');
  expect(() => spend(2)).not.toThrow();
});
