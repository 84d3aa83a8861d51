import { describe, expect, it } from 'vitest';
import { FairPlaces } from '../../src/runtime/fair-places.ts';

const LONG = 600_000;

/** Places, and who has one, in the order in which they got it. */
function placesOf({ places = 10, mostOfServer = 10, patienceMs = LONG }) {
  const fair = new FairPlaces({ places, mostOfServer, patienceMs });
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

describe('places', () => {
  it('are had by one owner up to half of them, however many servers it names', async () => {
    const { ask, owners, settled } = placesOf({});
    for (let at = 0; at < 20; at += 1) void ask('a', `server-${at}`);
    await settled();
    expect(owners()).toBe('aaaaa');
  });

  it('are left for each later owner, too', async () => {
    const { ask, owners, settled } = placesOf({});
    for (const owner of 'abcde') for (let at = 0; at < 20; at += 1) void ask(owner, `${owner}${at}`);
    await settled();
    expect(owners()).toBe('aaaaabbcde');
  });

  it('go to owners in turn when they become free', async () => {
    const { ask, held, owners, settled } = placesOf({ places: 1 });
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
    const { ask, owners, settled } = placesOf({ mostOfServer: 1 });
    void ask('a', 'busy');
    void ask('a', 'busy');
    void ask('a', 'idle');
    void ask('b', 'busy');
    void ask('b', 'idle-too');
    await settled();
    expect(owners()).toBe('aab');
  });

  it('are waited for no longer than it is said, and then not taken', async () => {
    const { ask, held, owners } = placesOf({ places: 1, patienceMs: 20 });
    expect(await ask('a', 'one')).toBe(true);
    expect(await ask('b', 'two')).toBe(false);
    held.pop()!.release();
    expect(await ask('c', 'three')).toBe(true);
    expect(owners()).toBe('c');
  });
});
