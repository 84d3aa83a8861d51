import { expect, it } from 'vitest';
import { FairTurns, NoTurn } from '../../src/runtime/fair-turns.ts';
import { yieldTurn } from '../../src/runtime/yield.ts';

/** Tasks that end when they are told to, and the order in which they begin. */
function tasksIn(turns: FairTurns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (owner: string, name: string): Promise<string> =>
    turns.run(owner, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => void ends.set(name, resolve));
      return name;
    });
  const end = async (name: string): Promise<void> => {
    // Tasks begin in microtasks.
    await yieldTurn();
    ends.get(name)!();
    await yieldTurn();
  };
  return { begun, run, end };
}

it('runs as many tasks at once as there are places, and lets owners take turns', async () => {
  const turns = new FairTurns({ places: 2, mostOfOwner: 10, patienceMs: 60_000 });
  const { begun, run, end } = tasksIn(turns);
  const all = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('a', 'a4'), run('b', 'b1')];
  await end('a1');
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
  await end('a3');
  for (const name of ['b1', 'a4']) await end(name);
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
  expect([turns.has('a'), turns.has('b')]).toEqual([false, false]);
});

it('refuses a task of an owner who has too many, and no other', async () => {
  const turns = new FairTurns({ places: 1, mostOfOwner: 2, patienceMs: 60_000 });
  const { run, end } = tasksIn(turns);
  const all = [run('a', 'a1'), run('a', 'a2'), run('b', 'b1')];
  await expect(run('a', 'a3')).rejects.toThrow(NoTurn);
  for (const name of ['a1', 'a2', 'b1']) await end(name);
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1']);
});

it('gives up a task that has waited too long, and its place goes to the next', async () => {
  const turns = new FairTurns({ places: 1, mostOfOwner: 10, patienceMs: 0 });
  const { begun, run, end } = tasksIn(turns);
  const first = run('a', 'a1');
  await expect(run('b', 'b1')).rejects.toThrow(NoTurn);
  await end('a1');
  const last = run('c', 'c1');
  await end('c1');
  expect([await first, await last]).toEqual(['a1', 'c1']);
  expect(begun).toEqual(['a1', 'c1']);
});

it('gives the place on when a task fails', async () => {
  const turns = new FairTurns({ places: 1, mostOfOwner: 10, patienceMs: 60_000 });
  const failing = turns.run('a', async () => {
    throw new Error('failed');
  });
  const next = turns.run('a', async () => 'next');
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('next');
});
