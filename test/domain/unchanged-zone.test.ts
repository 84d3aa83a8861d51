import { expect, it } from 'vitest';
import { readUnchanged } from '../../src/domain/history/unchanged-zone.ts';
import type { Zone } from '../../src/model/zones/zone.ts';

/** A zone that others change while it is read, so many times. */
function changing(times: number) {
  let version = 1;
  let left = times;
  let reads = 0;
  return {
    look: async () => ({ version }) as Zone,
    async read({ version: seen }: Zone) {
      reads += 1;
      if (left === 0) return `${seen} after ${reads}`;
      left -= 1;
      version += 1;
      throw new Error('A change that others made looks like a gap.');
    },
  };
}

it('a zone that changes while it is read is read again, whatever came of the read', async () => {
  const { look, read } = changing(7);
  expect(await readUnchanged(look, read)).toBe('8 after 8');
});

it('a failure of a zone that has not changed is one', async () => {
  const fail = () => Promise.reject(new Error('There is a gap.'));
  await expect(readUnchanged(changing(0).look, fail)).rejects.toThrow('There is a gap.');
});

it('a zone that changes each time is given up in the end', async () => {
  const { look, read } = changing(Number.POSITIVE_INFINITY);
  await expect(readUnchanged(look, read, performance.now())).rejects.toMatchObject({ kind: 'slow_read' });
});
