import { expect, it, vi } from 'vitest';
import { FairBudget } from '../../src/runtime/fair-budget.ts';
import type { Release } from '../../src/runtime/semaphore.ts';

const budgetOf = (amount: number, patienceMs = 60_000) =>
  new FairBudget({ amount, patienceMs, maxWaiting: { inAll: 4, ofOwner: 2 } });

function atOnce(budget: FairBudget, owner: string, amount: number): Release {
  const taken = budget.take(owner, amount);
  expect(taken).toBeTypeOf('function');
  return taken as Release;
}

function waits(budget: FairBudget, owner: string, amount: number) {
  const taken = budget.take(owner, amount);
  expect(taken).toBeInstanceOf(Promise);
  const got = { release: undefined as Release | undefined, isSettled: false };
  void (taken as Promise<Release | undefined>).then((release) => {
    got.release = release;
    got.isSettled = true;
  });
  return got;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('gives each owner half of what the others leave, and one thing at least while it fits', () => {
  const budget = budgetOf(100);
  atOnce(budget, 'a', 50);
  waits(budget, 'a', 1);
  atOnce(budget, 'b', 25);
  waits(budget, 'b', 1);
  atOnce(budget, 'c', 25);
  waits(budget, 'd', 1);
});

it('lets owners who wait take turns, and lets pass what fits', async () => {
  const budget = budgetOf(100);
  const [a, b] = [atOnce(budget, 'a', 50), atOnce(budget, 'b', 50)];
  const [first, second] = [waits(budget, 'a', 40), waits(budget, 'a', 40)];
  const other = waits(budget, 'c', 30);
  a();
  a();
  await settle();
  expect([first.isSettled, second.isSettled, other.isSettled]).toEqual([true, false, false]);
  b();
  await settle();
  expect([second.isSettled, other.isSettled]).toEqual([false, true]);
  first.release!();
  await settle();
  expect(second.isSettled).toBe(true);
});

it('keeps only so many waiting, and none for longer than its patience', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const budget = budgetOf(10, 1000);
    const held = atOnce(budget, 'a', 10);
    const waiting = [
      waits(budget, 'a', 1),
      waits(budget, 'a', 1),
      waits(budget, 'b', 1),
      waits(budget, 'c', 1),
    ];
    expect([budget.take('a', 1), budget.take('d', 1)]).toEqual([undefined, undefined]);
    vi.advanceTimersByTime(1000);
    await settle();
    expect(waiting.map(({ isSettled, release }) => [isSettled, release])).toEqual(
      waiting.map(() => [true, undefined]),
    );
    const next = waits(budget, 'd', 1);
    held();
    await settle();
    expect(next.release).toBeTypeOf('function');
    atOnce(budget, 'a', 5);
  } finally {
    vi.useRealTimers();
  }
});
