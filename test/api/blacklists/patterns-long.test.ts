/** Checks that take longer than others should have to wait: they go on in a worker thread. */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RunnerRequest } from '../../../src/matcher/runner/messages.ts';
import { until } from '../../support/eventually.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const SLOW = '^(([a-z])+.)+\\2\\.slowly\\.$';
const slowName = (own: string): string => `${own}.${'abcd'.repeat(12)}.slowly.`;

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
  const body = { pattern: SLOW };
  const { status } = await service.request('POST', '/v2/blacklists', { token: service.admin, body });
  expect(status).toBe(201);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await service.remove();
});

const create = (token: string, name: string): Promise<Answer> =>
  service.request('POST', '/v2/zones', { token, body: { name, email: 'a@example.org' } });

interface Held {
  /** The names whose checks were sent to workers, in order. */
  readonly names: string[];
  /** The worker that got the first. */
  worker?: Worker;
  goOn(): void;
}

/** Keeps the checks that are sent to workers from them, until it is told to go on. */
function holdWorkers(): Held {
  const original = Worker.prototype.postMessage;
  const waiting: (() => void)[] = [];
  let isHeld = true;
  const held: Held = {
    names: [],
    goOn() {
      isHeld = false;
      for (const go of waiting) go();
    },
  };
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (
    this: Worker,
    request: RunnerRequest,
  ) {
    if (request.kind !== 'check') return original.call(this, request);
    held.names.push(request.rest.forms[0]!);
    held.worker ??= this;
    const post = () => original.call(this, request);
    if (isHeld) waiting.push(post);
    else post();
  });
  return held;
}

const arrived = (held: Held) => until(() => expect(held.names.length).toBeGreaterThan(0));

it('while one goes on, everybody else is answered', async () => {
  const held = holdWorkers();
  const slow = create(service.admin, slowName('a'));
  await arrived(held);
  expect((await service.request('GET', '/healthcheck')).status).toBe(200);
  const other = await service.token('other', 'member');
  expect((await create(other, 'quick.example.')).status).toBe(202);
  held.goOn();
  expect((await slow).json).toMatchObject({ code: 400, type: 'invalid_zone_name' });
});

it('projects take turns', async () => {
  const many = await service.token('many', 'member');
  const one = await service.token('one', 'member');
  const held = holdWorkers();
  const answers = [create(many, slowName('ma'))];
  await arrived(held);
  for (const own of ['mb', 'mc', 'md', 'me', 'mf']) answers.push(create(many, slowName(own)));
  // Asked on the same machine after those, and answered when all that came before it has been read.
  await service.request('GET', '/v2/zones', { token: many });
  answers.push(create(one, slowName('one')));
  await service.request('GET', '/v2/zones', { token: one });
  held.goOn();
  await Promise.all(answers);
  expect(held.names).toHaveLength(7);
  expect(held.names.indexOf(slowName('one'))).toBeLessThan(4);
});

it('a worker that breaks down fails the check that it had, and no other', async () => {
  const held = holdWorkers();
  const first = create(service.admin, slowName('a'));
  await arrived(held);
  const waiting = create(service.admin, slowName('b'));
  await service.request('GET', '/v2/zones', { token: service.admin });
  const broken = held.worker!.terminate();
  held.goOn();
  await broken;
  expect((await first).json).toMatchObject({ code: 500, type: 'unknown' });
  expect((await waiting).json).toMatchObject({ code: 400, type: 'invalid_zone_name' });
  expect((await create(service.admin, slowName('c'))).json).toMatchObject({ code: 400 });
  expect((await create(service.admin, 'quick.example.')).status).toBe(202);
});

it('a service that is stopped finishes the one that is going on', async () => {
  const held = holdWorkers();
  const slow = create(service.admin, slowName('a'));
  await arrived(held);
  const exited = once(held.worker!, 'exit');
  const restarted = service.restart();
  held.goOn();
  expect((await slow).json).toMatchObject({ code: 400, type: 'invalid_zone_name' });
  await restarted;
  await exited;
});

it('comes to the verdict that a restarted service comes to, and to the same one each time', async () => {
  const names = ['a', 'b', 'c'].map(slowName);
  const verdicts = async () => {
    const answers = await Promise.all(names.map((name) => create(service.admin, name)));
    return answers.map(({ json }) => [json.code, json.type, json.message]);
  };
  const before = await verdicts();
  expect(await verdicts()).toEqual(before);
  await service.restart();
  expect(await verdicts()).toEqual(before);
});
