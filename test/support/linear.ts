import { expect } from 'vitest';

const TIMES_LARGER = 8;
const UNNOTICED_MS = 100;
const ROUNDS = 5;

/** What work takes of the processor, in milliseconds: unlike a clock it does not count the time that others had it. */
function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How many times as much the work costs at `size` as at an eighth of it, by the least of some rounds each. */
function growth(work: (size: number) => unknown, size: number): number {
  const least = (at: number): number =>
    Math.min(...Array.from({ length: ROUNDS }, () => processorMs(() => work(at))));
  return least(size) / least(size / TIMES_LARGER);
}

/**
 * Fails where work grows faster than its size: eight times the size may cost 24 times as much, while the square of it costs 64 times.
 * Work that nobody notices at the whole size has passed: `size` is such that its square would take seconds.
 */
export function expectLinear(work: (size: number) => unknown, size: number, of = 'the work'): void {
  if (processorMs(() => work(size)) < UNNOTICED_MS) return;
  expect(growth(work, size), `growth of ${of}`).toBeLessThan(3 * TIMES_LARGER);
}
