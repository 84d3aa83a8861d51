import { describe, expect, it } from 'vitest';
import { cooperativeYield } from '../../src/runtime/cooperative-yield.ts';
import { NoPermit, Semaphore } from '../../src/runtime/semaphore.ts';

const LONG = 600_000;

/** Permits, and who has one, in the order in which they got it. */
function permitsOf({ permits = 10, perResource = 10, waitMs = LONG }) {
  const fair = new Semaphore({ permits, perOwner: 'half of the rest', perResource, waitMs });
  const held: { owner: string; release: () => void }[] = [];
  const ask = async (owner: string, server = `${owner}-${held.length}`): Promise<boolean> => {
    const release = await fair.take(owner, server);
    if (release !== undefined) held.push({ owner, release });
    return release !== undefined;
  };
  const owners = () => held.map(({ owner }) => owner).join('');
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { ask, held, owners, settled };
}

describe('permits', () => {
  it('are had by one owner up to half of them, however many servers it names', async () => {
    const { ask, owners, settled } = permitsOf({});
    for (let at = 0; at < 20; at += 1) void ask('a', `server-${at}`);
    await settled();
    expect(owners()).toBe('aaaaa');
  });

  it('are left for each later owner, too', async () => {
    const { ask, owners, settled } = permitsOf({});
    for (const owner of 'abcde') for (let at = 0; at < 20; at += 1) void ask(owner, `${owner}${at}`);
    await settled();
    expect(owners()).toBe('aaaaabbcde');
  });

  it('go to owners in turn when they become free', async () => {
    const { ask, held, owners, settled } = permitsOf({ permits: 1 });
    void ask('a', 'first');
    for (const owner of ['a', 'a', 'a', 'b', 'c']) void ask(owner, 'other');
    const order: string[] = [];
    for (let at = 0; at < 6; at += 1) {
      await settled();
      order.push(owners());
      held.pop()!.release();
    }
    expect(order.join('')).toBe('aabcaa');
  });

  it('are not kept from others by one who waits for a busy server', async () => {
    const { ask, owners, settled } = permitsOf({ perResource: 1 });
    void ask('a', 'busy');
    void ask('a', 'busy');
    void ask('a', 'idle');
    void ask('b', 'busy');
    void ask('b', 'idle-too');
    await settled();
    expect(owners()).toBe('aab');
  });

  it('are waited for no longer than it is said, and then not taken', async () => {
    const { ask, held, owners } = permitsOf({ permits: 1, waitMs: 20 });
    expect(await ask('a', 'one')).toBe(true);
    expect(await ask('b', 'two')).toBe(false);
    held.pop()!.release();
    expect(await ask('c', 'three')).toBe(true);
    expect(owners()).toBe('c');
  });
});

/** Tasks that end when they are told to, and the order in which they begin. */
function tasksIn(semaphore: Semaphore) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (owner: string, name: string): Promise<string> =>
    semaphore.run(owner, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => void ends.set(name, resolve));
      return name;
    });
  const end = async (name: string): Promise<void> => {
    // Tasks begin in microtasks.
    await cooperativeYield();
    ends.get(name)!();
    await cooperativeYield();
  };
  return { begun, run, end };
}

it('runs as many tasks at once as there are permits, and lets owners take turns', async () => {
  const semaphore = new Semaphore({ permits: 2, pendingPerOwner: 10, waitMs: 60_000 });
  const { begun, run, end } = tasksIn(semaphore);
  const all = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('a', 'a4'), run('b', 'b1')];
  await end('a1');
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
  await end('a3');
  for (const name of ['b1', 'a4']) await end(name);
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
  expect([semaphore.has('a'), semaphore.has('b')]).toEqual([false, false]);
});

it('refuses a task of an owner who has too many, and no other', async () => {
  const semaphore = new Semaphore({ permits: 1, pendingPerOwner: 2, waitMs: 60_000 });
  const { run, end } = tasksIn(semaphore);
  const all = [run('a', 'a1'), run('a', 'a2'), run('b', 'b1')];
  await expect(run('a', 'a3')).rejects.toThrow(NoPermit);
  for (const name of ['a1', 'a2', 'b1']) await end(name);
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1']);
});

it('gives up a task that has waited too long, and its permit goes to the next', async () => {
  const semaphore = new Semaphore({ permits: 1, pendingPerOwner: 10, waitMs: 0 });
  const { begun, run, end } = tasksIn(semaphore);
  const first = run('a', 'a1');
  await expect(run('b', 'b1')).rejects.toThrow(NoPermit);
  await end('a1');
  const last = run('c', 'c1');
  await end('c1');
  expect([await first, await last]).toEqual(['a1', 'c1']);
  expect(begun).toEqual(['a1', 'c1']);
});

it('passes the permit on when a task fails', async () => {
  const semaphore = new Semaphore({ permits: 1, pendingPerOwner: 10, waitMs: 60_000 });
  const failing = semaphore.run('a', async () => {
    throw new Error('failed');
  });
  const next = semaphore.run('a', async () => 'next');
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('next');
});

it('refuses at once what finds no permit, where nobody waits', async () => {
  const semaphore = new Semaphore({ permits: 3, perOwner: 2 });
  const one = semaphore.tryTake('a')!;
  const two = semaphore.tryTake('a')!;
  expect(semaphore.tryTake('a')).toBeUndefined();
  semaphore.tryTake('b');
  expect(semaphore.tryTake('c')).toBeUndefined();
  one();
  // A permit is given back once.
  one();
  expect(semaphore.tryTake('c')).toBeDefined();
  expect(semaphore.tryTake('d')).toBeUndefined();
  two();
  expect(semaphore.tryTake('a')).toBeDefined();
});

it('lets only so many wait, and forgets those that have given up', async () => {
  const semaphore = new Semaphore({ permits: 1, waiting: 2, waitMs: 20 });
  const first = (await semaphore.take('a'))!;
  const waiting = ['b', 'c', 'd'].map((owner) => semaphore.take(owner));
  expect(await waiting[2]).toBeUndefined();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined]);
  expect(['b', 'c', 'd'].map((owner) => semaphore.has(owner))).toEqual([false, false, false]);
  const last = semaphore.take('e');
  first();
  expect(await last).toBeDefined();
});
