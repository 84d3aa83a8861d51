import { expect, it } from 'vitest';
import { EdgeError } from '../../src/http/edge/errors.ts';
import { RequestRate } from '../../src/http/edge/request-rate.ts';

it('lets a project ask so often a second, and twice as often after a pause', () => {
  let now = 0;
  const rate = new RequestRate(5, () => now);
  const passed = (project: string): number => {
    for (let count = 0; ; count++) {
      try {
        rate.require(project);
      } catch (error) {
        expect(error).toBeInstanceOf(EdgeError);
        return count;
      }
    }
  };
  expect(passed('one')).toBe(10);
  expect(passed('other')).toBe(10);
  now += 400;
  expect(passed('one')).toBe(2);
  now += 60_000;
  expect(passed('one')).toBe(10);
});
