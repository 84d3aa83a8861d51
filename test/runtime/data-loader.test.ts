import { expect, it } from 'vitest';
import { dataLoader } from '../../src/runtime/data-loader.ts';

/** What is asked, and questions whose answer is their upper case; 'none' has none. */
function asker(most = 64) {
  const asked: string[] = [];
  const find = dataLoader(most, async (keys: readonly string[]) => {
    asked.push(keys.join());
    if (keys.includes('broken')) throw new Error('broken');
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]));
  });
  return { asked, find };
}

it('asks what comes in one turn together, each once', async () => {
  const { asked, find } = asker();
  expect(await Promise.all(['a', 'b', 'a', 'none'].map(find))).toEqual(['A', 'B', 'A', undefined]);
  expect(await find('c')).toBe('C');
  expect(asked).toEqual(['a,b,none', 'c']);
});

it('asks no more than so many at once', async () => {
  const { asked, find } = asker(2);
  await Promise.all(['a', 'b', 'c'].map(find));
  expect(asked).toEqual(['a,b', 'c']);
});

it('fails what was asked together, and nothing else', async () => {
  const { find } = asker();
  const ends = await Promise.allSettled(['a', 'broken'].map(find));
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await find('a')).toBe('A');
});
