import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import { DomainError } from '../../src/domain/errors.ts';
import type { KeptAnswer } from '../../src/domain/idempotency-key.ts';
import { type IdempotencyKeyUseCases, idempotencyKeyUseCases } from '../../src/domain/idempotency-keys.ts';
import { createIn, type Once, onceFor } from '../../src/domain/once.ts';
import type { Store } from '../../src/domain/ports.ts';
import { openStore } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/process.ts';
import { storeSettings } from '../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
/** What two processes know of what is running. */
let here: IdempotencyKeyUseCases;
let there: IdempotencyKeyUseCases;
beforeAll(async () => {
  folder = temporaryFolder();
  store = await openStore(storeSettings(folder.path));
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const deps = { store, clock: systemClock(), log };
  here = idempotencyKeyUseCases(deps);
  there = idempotencyKeyUseCases(deps);
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

let asked = 0;
const newRequest = () => {
  const key = `key ${++asked}`;
  return { projectId: 'p', userId: 'u', method: 'POST', path: '/', key, body: Buffer.from('body') };
};

const toKeep = (zones: number): KeptAnswer => ({ status: 201, headers: {}, body: `zone ${zones}` });

/** Adds one to the zones that a project is said to have. */
async function create(projectId: string, once: Once<KeptAnswer>): Promise<number> {
  return createIn(store, onceFor(once, toKeep), async (tx) => {
    const { zones } = await tx.projects.lock(projectId);
    await tx.projects.grow(projectId, { zones: 1 });
    return zones + 1;
  });
}

const zonesOf = async (projectId: string) => (await store.projects.state(projectId)).zones;

it('a request whose key another process has used meanwhile is given the answer of that one', async () => {
  const request = newRequest();
  const outcome = await here.run(request, async (once) => {
    expect(await there.run(request, (other) => create('a', other))).toEqual({ done: 1 });
    return create('a', once);
  });
  expect(outcome).toEqual({ kept: { status: 201, headers: {}, body: 'zone 1' } });
  expect(await zonesOf('a')).toBe(1);
});

it('a refusal that is due to what another process has created meanwhile gives way to its answer', async () => {
  const request = newRequest();
  const outcome = await here.run(request, async () => {
    await there.run(request, (other) => create('b', other));
    throw new DomainError('duplicate_zone');
  });
  expect(outcome).toMatchObject({ kept: { body: 'zone 1' } });
});

it('a request with another body is refused when another process has used the key meanwhile', async () => {
  const request = newRequest();
  const outcome = here.run(request, async (once) => {
    await there.run({ ...request, body: Buffer.from('other') }, (other) => create('c', other));
    return create('c', once);
  });
  await expect(outcome).rejects.toMatchObject({ kind: 'idempotency_key_reused' });
  expect(await zonesOf('c')).toBe(1);
});

it('a storage that cannot be reached is not asked again', async () => {
  const request = newRequest();
  const outcome = here.run(request, async () => {
    await there.run(request, (other) => create('d', other));
    throw new DomainError('storage_unavailable');
  });
  await expect(outcome).rejects.toMatchObject({ kind: 'storage_unavailable' });
});

it('what fails after the key was taken leaves neither the key nor anything created', async () => {
  const request = newRequest();
  const failing = (once: Once<KeptAnswer>) =>
    createIn(store, onceFor(once, toKeep), async (tx): Promise<number> => {
      await tx.projects.grow('e', { zones: 1 });
      throw new Error('the work fails');
    });
  await expect(here.run(request, failing)).rejects.toThrow('the work fails');
  const failingLast = (once: Once<KeptAnswer>) =>
    createIn(store, { ...once, end: () => Promise.reject(new Error('the end fails')) }, async (tx) => {
      await tx.projects.grow('e', { zones: 1 });
      return 1;
    });
  await expect(here.run(request, failingLast)).rejects.toThrow('the end fails');
  expect(await zonesOf('e')).toBe(0);
  expect(await here.run({ ...request, body: Buffer.of() }, (once) => create('e', once))).toEqual({ done: 1 });
});
