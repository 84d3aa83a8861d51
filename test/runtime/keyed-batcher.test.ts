import { expect, it } from 'vitest';
import { KeyedBatcher } from '../../src/runtime/keyed-batcher.ts';

it('makes only those wait for one another who need the same thing, and forgets a line that is empty', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const lines = new KeyedBatcher<string, string>(
    { batches: 1, items: 16, bytes: 1000, patienceMs: 60_000, longestMs: 60_000 },
    {
      isForAll: () => false,
      overdue: () => new Error('overdue'),
      alone: async (item) => item,
      async together(items) {
        begun.push(items.join());
        if (items.length === 1) await new Promise<void>((resolve) => void ends.push(resolve));
        return items.map((result) => ({ kind: 'done', result }));
      },
    },
  );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const first = [lines.add('a', 'owner', 'a1', 1), lines.add('b', 'owner', 'b1', 1)];
  await turn();
  expect(begun).toEqual(['a1', 'b1']);
  const others = ['a2', 'a3'].map((item) => lines.add('a', 'owner', item, 1));
  await turn();
  expect([begun, lines.size]).toEqual([['a1', 'b1'], 2]);
  for (const end of ends) end();
  expect(await Promise.all([...first, ...others])).toEqual(['a1', 'b1', 'a2', 'a3']);
  expect([begun, lines.size]).toEqual([['a1', 'b1', 'a2,a3'], 0]);
});
