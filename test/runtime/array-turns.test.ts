import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mapInTurns, sortedInTurns } from '../../src/runtime/array-turns.ts';
import { TimeSlices } from '../../src/runtime/cooperative-yield.ts';
import { runs } from '../support/runs.ts';

/** Turns that are over after each item. */
function shortTurns() {
  let taken = 0;
  let now = 0;
  const source = {
    now() {
      now += 10;
      return now;
    },
    pieceEnd: () => now + 4,
    pieceFor: () => 4,
    async takeNext() {
      taken += 1;
    },
  };
  return { turns: new TimeSlices(undefined, source), taken: () => taken };
}

const item = fc.record({ key: fc.integer({ min: 0, max: 50 }), place: fc.nat() });

it('sorts like the language does, equal items in their order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1000, maxLength: 5000 }), async (items) => {
      const compare = (one: { key: number }, other: { key: number }) => one.key - other.key;
      const sorted = await sortedInTurns(items, compare, shortTurns().turns);
      expect(sorted).toEqual(items.toSorted(compare));
    }),
    { numRuns: runs(20, 10) },
  );
});

it('yields between items', async () => {
  const { turns, taken } = shortTurns();
  expect(await mapInTurns([1, 2, 3], (one) => one * 2, turns)).toEqual([2, 4, 6]);
  expect(taken()).toBe(3);
  expect(await sortedInTurns([], () => 0, turns)).toEqual([]);
});
