import { expect, it } from 'vitest';
import { KeyCache } from '../../../src/publisher/primary/key-cache.ts';
import { UpdateLimits } from '../../../src/publisher/primary/update-limits.ts';
import { keyWith } from '../../support/published-zones.ts';

const SECOND = 1000;

/** A cache over one key, whose time a test sets. */
function cacheOfOne() {
  const key = keyWith({ name: 'known', scope: 'ZONE', resourceId: 'zone' });
  const world = { now: 0, reads: 0, isDown: false };
  const keys = {
    async findByName(name: string) {
      world.reads += 1;
      if (world.isDown) throw new Error('down');
      return name === 'known' ? key : undefined;
    },
  };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  return { world, key, cache: new KeyCache(keys, log, () => world.now) };
}

const address = (number: number): string => `192.0.${number >> 8}.${number & 255}`;

it('A name is looked up once a second', async () => {
  const { world, key, cache } = cacheOfOne();
  for (const name of ['known.', 'none.']) {
    const found = { kind: 'found', key: name === 'known.' ? key : undefined };
    for (let asked = 0; asked < 5; asked += 1) expect(await cache.named(name, address(1))).toEqual(found);
  }
  expect(world.reads).toBe(2);
  world.now += SECOND;
  await cache.named('known.', address(1));
  expect(world.reads).toBe(3);
});

it('Unknown names cost a limited number of reads, of one client and in all; keys in use are found all the same', async () => {
  const { world, key, cache } = cacheOfOne();
  await cache.named('known.', address(1));
  for (let name = 0; name < 1000; name += 1) await cache.named(`of-one-${name}.`, address(2));
  expect(world.reads).toBe(1 + 100);
  for (let name = 0; name < 2000; name += 1) await cache.named(`of-all-${name}.`, address(name));
  expect(world.reads).toBe(1 + 400 - 1);
  expect(await cache.named('other.', address(9))).toEqual({ kind: 'too many' });
  expect(await cache.named('other.', address(9), 'project')).toEqual({ kind: 'found', key: undefined });
  world.now += SECOND;
  expect(await cache.named('known.', address(2))).toEqual({ kind: 'found', key });
});

it('A failure of the store is not remembered, and a key that was in use is read again whatever others send', async () => {
  const { world, key, cache } = cacheOfOne();
  await cache.named('known.', address(1));
  world.now += SECOND;
  world.isDown = true;
  for (const name of ['known.', 'none.']) await expect(cache.named(name, address(1))).rejects.toThrow('down');
  world.isDown = false;
  for (let name = 0; name < 2000; name += 1) await cache.named(`flood-${name}.`, address(name));
  expect(await cache.named('known.', address(1))).toEqual({ kind: 'found', key });
});

it('Wrong signatures over UDP keep an address out only while there are thousands of them', () => {
  const world = { now: 0 };
  const limits = new UpdateLimits(10, () => world.now);
  const [victim, other] = [address(1), address(2)].map((one) => ({ address: one, isDatagram: true }));
  const fail = (count: number) => {
    for (let sent = 0; sent < count; sent += 1) limits.fail(victim!);
  };
  fail(2000);
  expect(limits.mayVerify(victim!)).toBe(true);
  fail(10);
  expect(limits.mayVerify(victim!)).toBe(false);
  expect(limits.mayVerify(other!)).toBe(true);
  expect(limits.mayVerify({ ...victim!, isDatagram: false })).toBe(true);
  world.now += SECOND;
  expect(limits.mayVerify(victim!)).toBe(true);
});

it('Messages of one network wait to be verified in a limited number, which leaves room for others', () => {
  const limits = new UpdateLimits(10, () => 0);
  const [flooding, other] = ['198.51.100.7', '203.0.113.9'].map((one) => ({
    address: one,
    isDatagram: true,
  }));
  const waits = Array.from({ length: 1000 }, () => limits.waitToVerify(flooding!)).filter(Boolean);
  expect(waits).toHaveLength(64);
  expect(limits.waitToVerify(other!)).toBeDefined();
  for (const release of waits.slice(0, 2)) release?.();
  expect(limits.waitToVerify(flooding!)).toBeDefined();
});
