import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withoutRepeatedErrors } from '../../src/domain/repeated-errors.ts';

type Line = readonly [fields: object, message: string];

let written: Line[];
const ignored = () => {};
const log = {
  debug: ignored,
  info: ignored,
  warn: ignored,
  error: (fields: object, message: string) => void written.push([fields, message]),
};
beforeEach(() => {
  written = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => void vi.useRealTimers());

it('an error that goes on for seconds is one line at once and one at the end of each second, with the number left out', () => {
  const held = withoutRepeatedErrors(log);
  for (let at = 0; at < 30; at++) {
    held.error({ at }, 'request failed');
    vi.advanceTimersByTime(100);
  }
  expect(written).toEqual([
    [{ at: 0 }, 'request failed'],
    [{ at: 9, left_out: 8 }, 'request failed'],
    [{ at: 19, left_out: 9 }, 'request failed'],
    [{ at: 29, left_out: 9 }, 'request failed'],
  ]);
});

it('an error that comes again after a quiet second is written at once', () => {
  const held = withoutRepeatedErrors(log);
  held.error({ at: 0 }, 'request failed');
  vi.advanceTimersByTime(1000);
  held.error({ at: 1 }, 'request failed');
  expect(written).toEqual([
    [{ at: 0 }, 'request failed'],
    [{ at: 1 }, 'request failed'],
  ]);
});
