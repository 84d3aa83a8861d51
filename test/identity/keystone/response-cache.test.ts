import { describe, expect, it } from 'vitest';
import { ResponseCache } from '../../../src/identity/keystone/response-cache.ts';

const MINUTE = 60_000;

describe('kept answers', () => {
  it('are bounded in number: those not used for longest go first', () => {
    const kept = new ResponseCache<number>({ entries: 2, bytes: 1000 });
    kept.keep('a', 1, MINUTE, 1);
    kept.keep('b', 2, MINUTE, 1);
    expect(kept.find('a')).toBe(1);
    kept.keep('c', 3, MINUTE, 1);
    expect([kept.find('a'), kept.find('b'), kept.find('c')]).toEqual([1, undefined, 3]);
  });

  it('are bounded in bytes', () => {
    const kept = new ResponseCache<number>({ entries: 100, bytes: 10 });
    kept.keep('a', 1, MINUTE, 6);
    kept.keep('a', 2, MINUTE, 6);
    expect(kept.find('a')).toBe(2);
    kept.keep('b', 3, MINUTE, 6);
    expect([kept.find('a'), kept.find('b')]).toEqual([undefined, 3]);
    kept.keep('c', 4, MINUTE, 11);
    expect([kept.find('b'), kept.find('c')]).toEqual([undefined, undefined]);
  });

  it('that have no time are not kept', () => {
    const kept = new ResponseCache<number>({ entries: 100, bytes: 10 });
    kept.keep('a', 1, 0, 1);
    kept.keep('b', 1, -1, 1);
    expect([kept.find('a'), kept.find('b')]).toEqual([undefined, undefined]);
  });
});
