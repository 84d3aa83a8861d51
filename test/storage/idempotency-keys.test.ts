import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventsTo } from '../../src/domain/events/events.ts';
import { refusalsTo } from '../../src/domain/events/refusals.ts';
import {
  type IdempotencyKeyUseCases,
  idempotencyKeyUseCases,
} from '../../src/domain/idempotency/idempotency-keys.ts';
import { type UnitOfWork, unitOfWorkOver } from '../../src/domain/unit-of-work/unit-of-work.ts';
import { systemClock } from '../../src/model/clock.ts';
import { type CreateOptions, optionsFor } from '../../src/model/context/options.ts';
import { DomainError } from '../../src/model/errors.ts';
import { bodyHash, type StoredResponse } from '../../src/model/idempotency/idempotency-key.ts';
import type { Store } from '../../src/model/store.ts';
import { openEventKeys } from '../../src/storage/events/event-keys.ts';
import { openStore } from '../../src/storage/open.ts';
import { memberContext } from '../support/contexts.ts';
import { temporaryFolder } from '../support/process.ts';
import { storeSettings } from '../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
/** What two processes know of what is running. */
let here: IdempotencyKeyUseCases;
let there: IdempotencyKeyUseCases;
let unitOfWork: UnitOfWork;
const context = memberContext('p');
beforeAll(async () => {
  folder = temporaryFolder();
  store = await openStore(storeSettings(folder.path));
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const deps = { store, clock: systemClock(), log, limits: { responses: 1000, bytes: 2 ** 20 } };
  const events = eventsTo([], deps.clock);
  unitOfWork = unitOfWorkOver({
    store,
    events,
    refusals: refusalsTo(events),
    keys: openEventKeys({ dataDir: folder.path, keyFile: '' }),
    contacts: { blacklist: '', quota: '' },
  });
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
  return { method: 'POST', path: '/', key, bodyHash: bodyHash(Buffer.from('body')), isRepeatable: false };
};

const toKeep = (zones: number): StoredResponse => ({
  status: 201,
  headers: {},
  body: `zone ${zones}`,
  resourceId: 'id',
});

/** Adds one to the zones that a project is said to have. */
async function create(projectId: string, options: CreateOptions<StoredResponse>): Promise<number> {
  return unitOfWork.commit(
    context,
    async (tx) => {
      const { zones } = await tx.projects.lock(projectId);
      tx.projects.grow(projectId, { zones: 1 });
      return zones + 1;
    },
    optionsFor(options, toKeep),
  );
}

const zonesOf = async (projectId: string) => (await store.projects.state(projectId)).zones;

it('a request whose key another process has used meanwhile is given the answer of that one', async () => {
  const request = newRequest();
  const outcome = await here.run(context, request, async (options) => {
    expect(await there.run(context, request, (other) => create('a', other))).toEqual({ done: 1 });
    return create('a', options);
  });
  expect(outcome).toEqual({ kept: { status: 201, headers: {}, body: 'zone 1', resourceId: '' } });
  expect(await zonesOf('a')).toBe(1);
});

it('a refusal that is due to what another process has created meanwhile gives way to its answer', async () => {
  const request = newRequest();
  const outcome = await here.run(context, request, async () => {
    await there.run(context, request, (other) => create('b', other));
    throw new DomainError('duplicate_zone');
  });
  expect(outcome).toMatchObject({ kept: { body: 'zone 1' } });
});

it('a request with another body is refused when another process has used the key meanwhile', async () => {
  const request = newRequest();
  const outcome = here.run(context, request, async (options) => {
    await there.run(context, { ...request, bodyHash: bodyHash(Buffer.from('other')) }, (other) =>
      create('c', other),
    );
    return create('c', options);
  });
  await expect(outcome).rejects.toMatchObject({ kind: 'idempotency_key_reused' });
  expect(await zonesOf('c')).toBe(1);
});

it('a storage that cannot be reached is not asked again', async () => {
  const request = newRequest();
  const outcome = here.run(context, request, async () => {
    await there.run(context, request, (other) => create('d', other));
    throw new DomainError('storage_unavailable');
  });
  await expect(outcome).rejects.toMatchObject({ kind: 'storage_unavailable' });
});

it('what fails after the key was taken leaves neither the key nor anything created', async () => {
  const request = newRequest();
  const failing = (options: CreateOptions<StoredResponse>) =>
    unitOfWork.commit(
      context,
      async (tx): Promise<number> => {
        tx.projects.grow('e', { zones: 1 });
        throw new Error('the work fails');
      },
      optionsFor(options, toKeep),
    );
  await expect(here.run(context, request, failing)).rejects.toThrow('the work fails');
  const end = () => {
    throw new Error('the end fails');
  };
  const failingLast = (options: CreateOptions<StoredResponse>) =>
    unitOfWork.commit(
      context,
      async (tx) => {
        tx.projects.grow('e', { zones: 1 });
        return 1;
      },
      { idempotency: { begin: options.idempotency!.begin, end } },
    );
  await expect(here.run(context, request, failingLast)).rejects.toThrow('the end fails');
  expect(await zonesOf('e')).toBe(0);
  expect(
    await here.run(context, { ...request, bodyHash: bodyHash(Buffer.of()) }, (options) =>
      create('e', options),
    ),
  ).toEqual({
    done: 1,
  });
});
