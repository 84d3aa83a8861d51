import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  Batcher,
  type BatcherSettings,
  type BatchOutcome,
  type BatchWork,
} from '../../src/runtime/batcher.ts';
import { cooperativeYield } from '../../src/runtime/cooperative-yield.ts';

const USUAL: BatcherSettings = { batches: 1, items: 64, bytes: 1000, patienceMs: 60_000, longestMs: 60_000 };
const DONE: BatchOutcome<string> = { kind: 'done', result: 'done' };

/** A gatherer whose batches end when they are told to, and how its items are worked on. */
function gathererOf(settings: Partial<BatcherSettings> = {}, work: Partial<BatchWork<string, string>> = {}) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const until = async (name: string): Promise<void> => {
    begun.push(name);
    await new Promise<void>((resolve) => void ends.set(name, resolve));
  };
  const batcher = new Batcher<string, string>(
    { ...USUAL, ...settings },
    {
      isForAll: () => false,
      overdue: () => new Error('overdue'),
      async alone(item) {
        await until(`${item} alone`);
        return 'alone';
      },
      async together(items, waits) {
        await until(`${waits ? 'waiting ' : ''}${items.join()}`);
        return items.map(() => DONE);
      },
      ...work,
    },
  );
  const add = (item: string, bytes = 1) => batcher.add(item[0]!, item, bytes);
  const end = async (name: string): Promise<void> => {
    await rounds();
    const finish = ends.get(name);
    if (finish === undefined) throw new Error(`${name} has not begun, only ${begun.join(' ')}.`);
    finish();
    await rounds();
  };
  return { begun, add, end };
}

/** Leaves out what is of the owner a, until it is free. */
function unless(isFree: () => boolean, tried: string[] = []): BatchWork<string, string>['together'] {
  return async (items, waits) => {
    tried.push(`${waits ? 'waiting ' : ''}${items.join()}`);
    await cooperativeYield();
    return items.map((item) => (item.startsWith('a') && !isFree() ? { kind: 'held' } : DONE));
  };
}

/** Batches begin in the next turn. */
async function rounds(): Promise<void> {
  for (let round = 0; round < 3; round++) await cooperativeYield();
}

describe('a batch', () => {
  it('is what has gathered while the one before was on its way; what comes alone goes at once', async () => {
    const { begun, add, end } = gathererOf();
    const first = add('a1');
    await rounds();
    expect(begun).toEqual(['a1']);
    const others = [add('a2'), add('b1'), add('a3')];
    await rounds();
    expect(begun).toEqual(['a1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2,b1,a3']);
    await end('a2,b1,a3');
    expect(await Promise.all([first, ...others])).toEqual(['done', 'done', 'done', 'done']);
  });

  it('holds what arrives in one turn', async () => {
    const { begun, add, end } = gathererOf();
    const all = [add('a1'), add('b1')];
    await end('a1,b1');
    expect(await Promise.all(all)).toEqual(['done', 'done']);
    expect(begun).toEqual(['a1,b1']);
  });

  it('takes owners in turns, and no more items than fit', async () => {
    const { begun, add, end } = gathererOf({ items: 4 });
    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1'].map((item) => add(item));
    for (const batch of ['a1,b1,c1,a2', 'a3,a4,a5']) await end(batch);
    await Promise.all(all);
    expect(begun).toEqual(['a1,b1,c1,a2', 'a3,a4,a5']);
  });

  it('takes no further item once it is large', async () => {
    const { begun, add, end } = gathererOf({ bytes: 10 });
    const all = [add('a1', 6), add('a2', 6), add('a3', 6), add('a4', 3), add('a5', 1)];
    for (const batch of ['a1,a2', 'a3,a4,a5']) await end(batch);
    await Promise.all(all);
    expect(begun).toEqual(['a1,a2', 'a3,a4,a5']);
  });

  it('goes beside another one if it may, without the owners of that one', async () => {
    const { begun, add, end } = gathererOf({ batches: 2 });
    const all = [add('a1')];
    await rounds();
    all.push(add('a2'), add('b1'));
    await rounds();
    expect(begun).toEqual(['a1', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'a2']);
    for (const item of ['b1', 'a2']) await end(item);
    expect(await Promise.all(all)).toEqual(['done', 'done', 'done']);
  });

  it('that takes long is not waited for', async () => {
    const { begun, add, end } = gathererOf({ patienceMs: 1 });
    const all = [add('a1'), add('b1')];
    await rounds();
    all.push(add('c1'));
    while (!begun.includes('c1')) await cooperativeYield();
    for (const batch of ['c1', 'a1,b1']) await end(batch);
    expect(await Promise.all(all)).toEqual(['done', 'done', 'done']);
  });
});

describe('an item of a batch', () => {
  it('is refused by itself', async () => {
    const { add } = gathererOf(
      {},
      {
        together: async (items) =>
          items.map((item) => (item === 'a2' ? { kind: 'refused', error: new Error('no') } : DONE)),
      },
    );
    const [first, second, third] = [add('a1'), add('a2'), add('b1')];
    await expect(second).rejects.toThrow('no');
    expect(await Promise.all([first, third])).toEqual(['done', 'done']);
  });

  it('that is held waits beside the batches: the first one by itself, then the others together', async () => {
    let isFree = false;
    const tried: string[] = [];
    const { begun, add, end } = gathererOf({}, { together: unless(() => isFree, tried) });
    const all = ['a1', 'a2', 'b1', 'a3'].map((item) => add(item));
    expect(await all[2]).toBe('done');
    await rounds();
    expect(begun).toEqual(['a1 alone']);
    isFree = true;
    await end('a1 alone');
    expect(await Promise.all(all)).toEqual(['alone', 'done', 'done', 'done']);
    expect(tried).toEqual(['a1,b1,a2,a3', 'waiting a2,a3']);
  });

  it('that is held does not wait twice with its owner, however many are held', async () => {
    let isFree = false;
    const { begun, add, end } = gathererOf({ items: 2 }, { together: unless(() => isFree) });
    const held = ['a1', 'a2', 'a3', 'a4', 'a5'].map((item) => add(item));
    expect(await add('b1')).toBe('done');
    await rounds();
    expect(begun).toEqual(['a1 alone']);
    await end('a1 alone');
    expect(begun).toEqual(['a1 alone', 'a2 alone']);
    isFree = true;
    for (const item of ['a2', 'a5']) await end(`${item} alone`);
    expect(await Promise.all(held)).toEqual(['alone', 'alone', 'done', 'done', 'alone']);
  });

  it('that has waited too long is refused, also while it is held', async () => {
    const { add } = gathererOf({ items: 1, longestMs: 0 }, { together: unless(() => false) });
    const [first, second] = await Promise.allSettled([add('a1'), add('b1')]);
    for (const ended of [first, second]) expect(ended).toMatchObject({ reason: { message: 'overdue' } });
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    const patient = gathererOf({ longestMs: 20 }, { together: unless(() => false) });
    const held = Promise.allSettled(['a1', 'a2'].map((item) => patient.add(item)));
    while (!patient.begun.includes('a1 alone')) await cooperativeYield();
    clock.mockReturnValue(21);
    await patient.end('a1 alone');
    expect(await held).toMatchObject([{ value: 'alone' }, { reason: { message: 'overdue' } }]);
  });
});

describe('a batch that fails', () => {
  const failing = async (): Promise<never> => {
    throw new Error('as a whole');
  };

  it('is taken apart, and each item is tried by itself', async () => {
    const { add, end } = gathererOf({}, { together: failing });
    const all = [add('a1'), add('b1')];
    for (const item of ['a1', 'b1']) await end(`${item} alone`);
    expect(await Promise.all(all)).toEqual(['alone', 'alone']);
  });

  it('is not tried again if it is of one item', async () => {
    const { begun, add } = gathererOf({}, { together: failing });
    await expect(add('a1')).rejects.toThrow('as a whole');
    expect(begun).toEqual([]);
  });

  it('for a reason that holds for each item refuses all of them, and the next goes on', async () => {
    const { begun, add } = gathererOf({}, { together: failing, isForAll: () => true });
    const all = await Promise.allSettled([add('a1'), add('b1'), add('c1')]);
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(add('d1')).rejects.toThrow('as a whole');
    expect(begun).toEqual([]);
  });
});
