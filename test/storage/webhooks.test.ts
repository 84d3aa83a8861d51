import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandContext } from '../../src/model/context/request-context.ts';
import { type Deliveries, receiverAt, startDeliveries } from '../support/deliveries.ts';
import { eventually, until } from '../support/eventually.ts';
import { Random } from '../support/random.ts';
import {
  answering,
  type Heard,
  type Manner,
  startReceiver,
  type TestReceiver,
  taking,
} from '../support/receiver.ts';

let deliveries: Deliveries;
let receiver: TestReceiver;
const others: TestReceiver[] = [];
beforeEach(async () => {
  deliveries = await startDeliveries(['one', 'two', 'three', 'four']);
  receiver = await startReceiver();
});
afterEach(async () => {
  await deliveries.close();
  await receiver.kill();
  for (const other of others.splice(0)) await other.kill();
});

async function another(): Promise<TestReceiver> {
  const other = await startReceiver();
  others.push(other);
  return other;
}

/** The first time that each came, in the order of the times. */
const firstTaken = ({ taken }: Pick<TestReceiver, 'taken'>): readonly string[] => [
  ...new Set(taken.map(({ id }) => id)),
];

async function untilTaken(from: TestReceiver, ids: readonly string[]): Promise<void> {
  const all = new Set(ids);
  await eventually(() => {
    const left = new Set(all);
    for (const { id } of from.taken) left.delete(id);
    return left.size === 0 ? true : undefined;
  });
}

const stateOf = async (name = 'one') =>
  (await deliveries.useCases.webhooks.list()).find((webhook) => webhook.name === name)!;
const logged = (message: string) => deliveries.logged.filter((line) => line.message === message);
const untilStopped = () => until(async () => expect((await stateOf()).isStopped).toBeTruthy());

/** Whether an event came again after a later one had come: it must not while one process sends. */
function isInOrder(heard: readonly Heard[]): boolean {
  const positions = heard.map(({ event }) => Number(event.data.position));
  return positions.every((position, place) => place === 0 || position >= positions[place - 1]!);
}

const cutting: Manner = (_response, _heard, request) => void request.socket.destroy();
const hanging: Manner = () => {};
const cuttingShort: Manner = (response) =>
  void response.writeHead(200, { 'content-length': '10' }).write('cut');

/** A receiver that takes two events of three. */
function unreliable(random: Random): Manner {
  const manners = [answering(500), cutting, hanging, cuttingShort];
  return (response, heard, request) => {
    const manner = manners[random.below(12)] ?? taking;
    manner(response, heard, request);
  };
}

describe('a webhook', () => {
  it('is sent what happens from its beginning on, and keeps its place over a new start', async () => {
    await deliveries.happen(3);
    // Only its end keeps how far it has got.
    const first = await deliveries.start([receiverAt(receiver.url)], { keep: 3_600_000 });
    await deliveries.happen(45);
    const ids = await deliveries.ids('position > 3');
    await untilTaken(receiver, ids);
    await first.stop();
    expect(await stateOf()).toMatchObject({ position: 48, waiting: 0, isStopped: false, failingSince: '' });
    await deliveries.happen(2);
    await deliveries.start([receiverAt(receiver.url)]);
    await untilTaken(receiver, await deliveries.ids('position > 3'));
    expect(receiver.heard.map(({ id }) => id)).toEqual(await deliveries.ids('position > 3'));
  });

  it('begins with the oldest event where it is told to, and is sent CloudEvents that tell all', async () => {
    await deliveries.happen(2);
    await deliveries.start([receiverAt(receiver.url, { from: 'start' })]);
    await untilTaken(receiver, await deliveries.ids());
    const [{ event, body }] = receiver.heard as [Heard];
    expect(event).toEqual({
      specversion: '1.0',
      id: (await deliveries.ids())[0],
      source: 'https://dns.example.com',
      type: 'org.zonewarden.tld.created',
      subject: (event.data.target as { id: string }).id,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      sequence: '0000000000000001',
      datacontenttype: 'application/json',
      data: expect.objectContaining({
        id: event.id,
        position: 1,
        type: 'tld.created',
        outcome: 'done',
        actor: expect.objectContaining({ kind: 'command', user_id: 'test' }),
        after: { name: 'tld1', description: null },
      }),
    });
    for (const name of Object.keys(event)) expect(name).toMatch(/^[a-z0-9]{1,20}$/);
    expect(body).not.toContain('\n');
  });

  it('is sent only the types that it wants, and goes past the others', async () => {
    const context = commandContext('test');
    await deliveries.start([
      receiverAt(receiver.url, { types: ['pool.*', 'tld.deleted'] }),
      receiverAt((await another()).url, { name: 'two', types: ['tld.c*'] }),
    ]);
    await deliveries.happen(30);
    const { id } = await deliveries.useCases.tlds.create(context, { name: 'gone', description: null });
    await deliveries.useCases.tlds.remove(context, id);
    await deliveries.happen(1);
    await untilTaken(others[0]!, await deliveries.ids("type = 'tld.created'"));
    await untilTaken(receiver, await deliveries.ids("type = 'tld.deleted'"));
    expect(firstTaken(receiver)).toEqual(await deliveries.ids("type = 'tld.deleted'"));
    expect(firstTaken(others[0]!)).toEqual(await deliveries.ids("type = 'tld.created'"));
    await until(async () => expect((await stateOf()).waiting).toBe(0));
  });

  it('is sent everything at least once and in order, whatever happens to its receiver and its sender', async () => {
    receiver.manner = unreliable(new Random(20_311));
    const one = receiverAt(receiver.url, { timeoutMs: 200 });
    let sender = await deliveries.start([one]);
    for (let round = 0; round < 12; round++) {
      await deliveries.happen(10);
      const before = receiver.heard.length;
      await until(() => expect(receiver.heard.length).toBeGreaterThan(before + 2));
      if (round % 3 === 0) {
        await receiver.kill();
        await deliveries.happen(2);
        await receiver.revive();
      }
      if (round % 4 === 1) {
        await sender.stop();
        sender = await deliveries.start([one]);
      }
    }
    receiver.manner = taking;
    const ids = await deliveries.ids();
    await untilTaken(receiver, ids);
    expect(firstTaken(receiver)).toEqual(ids);
    expect(isInOrder(receiver.heard)).toBe(true);
  });

  it('that is dead or slow keeps no other one waiting', async () => {
    const [dead, slow, broken] = [await another(), await another(), await another()];
    await dead.kill();
    slow.manner = () => {};
    broken.manner = answering(503);
    await deliveries.start([
      receiverAt(dead.url, { name: 'two' }),
      receiverAt(slow.url, { name: 'three', timeoutMs: 300_000 }),
      receiverAt(broken.url, { name: 'four' }),
      receiverAt(receiver.url),
    ]);
    await deliveries.happen(60);
    await untilTaken(receiver, await deliveries.ids());
    expect(firstTaken(receiver)).toEqual(await deliveries.ids());
    expect(slow.heard).toHaveLength(1);
    await until(async () => expect((await stateOf('four')).failingSince).not.toBe(''));
    expect(await stateOf('four')).toMatchObject({
      position: 0,
      waiting: 60,
      lastError: 'the receiver answered 503',
    });
  });

  it('is asked again no sooner than it says', async () => {
    const times: number[] = [];
    receiver.manner = (response, heard, request) => {
      times.push(performance.now());
      (times.length === 1 ? answering(429, { 'retry-after': '1' }) : taking)(response, heard, request);
    };
    await deliveries.start([receiverAt(receiver.url)]);
    await deliveries.happen(1);
    await untilTaken(receiver, await deliveries.ids());
    expect(times[1]! - times[0]!).toBeGreaterThan(990);
  });

  it('is asked again within bounds, whatever it says', async () => {
    let asked = 0;
    receiver.manner = (response, heard, request) => {
      asked += 1;
      (asked === 1 ? answering(429, { 'retry-after': '999999999' }) : taking)(response, heard, request);
    };
    await deliveries.start([receiverAt(receiver.url)], { longestRetryAfter: 40 });
    await deliveries.happen(1);
    await untilTaken(receiver, await deliveries.ids());
  });
});

it('a webhook has no failure any more once an event was taken after it', async () => {
  receiver.manner = answering(500);
  await deliveries.start([receiverAt(receiver.url)]);
  await deliveries.happen(1);
  await eventually(async () => (await stateOf()).lastError || undefined);
  receiver.manner = answering(200);
  await eventually(async () => (await stateOf()).deliveredAt || undefined);
  expect(await stateOf()).toMatchObject({ lastError: '', lastErrorAt: '', failingSince: '' });
});

describe('a webhook that is given up', () => {
  const resume = (name = 'one') => deliveries.useCases.webhooks.resume(commandContext('operator'), name);

  it('is stopped after its time, which is an event and a line of the log, and goes on where it was', async () => {
    const witness = await another();
    receiver.manner = answering(500);
    await deliveries.start([
      receiverAt(receiver.url, { giveUpAfterMs: 100 }),
      receiverAt(witness.url, { name: 'two', types: ['webhook.*'] }),
    ]);
    await deliveries.happen(3);
    await untilStopped();
    while (await deliveries.useCases.sealing.seal());
    expect(await stateOf()).toMatchObject({ position: 0, lastError: 'the receiver answered 500' });
    const attempts = receiver.heard.length;
    expect(attempts).toBeGreaterThan(1);
    expect(new Set(receiver.heard.map(({ id }) => id)).size).toBe(1);
    await eventually(() => witness.taken[0]);
    expect(witness.taken[0]!.event).toMatchObject({
      type: 'org.zonewarden.webhook.stopped',
      subject: 'one',
      data: {
        target: { kind: 'webhook', name: 'one' },
        details: { position: 0, reason: 'the receiver answered 500' },
      },
    });
    // Its own end is an event as any other: it waits, and there is no second one.
    await deliveries.happen(2);
    await until(async () => expect((await stateOf('two')).waiting).toBe(0));
    expect(await deliveries.ids("type = 'webhook.stopped'")).toHaveLength(1);
    expect(receiver.heard).toHaveLength(attempts);
    receiver.manner = taking;
    expect([await resume(), await resume(), await resume('nobody')]).toEqual([true, false, false]);
    while (await deliveries.useCases.sealing.seal());
    const ids = await deliveries.ids();
    expect(ids).toHaveLength(7);
    await untilTaken(receiver, ids);
    expect(firstTaken(receiver)).toEqual(ids);
  });

  it('is stopped at once by 410', async () => {
    receiver.manner = answering(410);
    await deliveries.start([receiverAt(receiver.url)]);
    await deliveries.happen(3);
    await untilStopped();
    expect(receiver.heard).toHaveLength(1);
    while (await deliveries.useCases.sealing.seal());
    expect(await stateOf()).toMatchObject({ waiting: 4, lastError: 'the receiver answered 410' });
  });

  it('stays stopped over a new start, and counts the time of failures over it', async () => {
    receiver.manner = answering(500);
    const first = await deliveries.start([receiverAt(receiver.url)]);
    await deliveries.happen(1);
    const { failingSince } = await eventually(async () => {
      const state = await stateOf();
      return state.failingSince === '' ? undefined : state;
    });
    await first.stop();
    const second = await deliveries.start([receiverAt(receiver.url, { giveUpAfterMs: 1 })]);
    await untilStopped();
    expect((await stateOf()).failingSince).toBe(failingSince);
    await second.stop();
    const before = receiver.heard.length;
    const witness = await another();
    await deliveries.start([
      receiverAt(receiver.url),
      receiverAt(witness.url, { name: 'two', from: 'start' }),
    ]);
    await deliveries.happen(1);
    await untilTaken(witness, await deliveries.ids());
    expect(receiver.heard).toHaveLength(before);
  });

  it('is told of the events that were removed meanwhile, once and with one id', async () => {
    receiver.manner = answering(410);
    await deliveries.start([receiverAt(receiver.url, { types: ['tld.created'] })]);
    await deliveries.happen(5);
    await untilStopped();
    while (await deliveries.useCases.sealing.seal());
    await deliveries.forget(4);
    let refused = 3;
    receiver.manner = (response, heard, request) =>
      (refused-- > 0 ? answering(500) : taking)(response, heard, request);
    await resume();
    await untilTaken(receiver, await deliveries.ids("type = 'tld.created'"));
    const gaps = receiver.heard.filter(({ event }) => event.type === 'org.zonewarden.events.gap');
    expect(gaps).toHaveLength(4);
    expect(gaps[0]).toMatchObject({ id: 'gap-1-4', event: { id: 'gap-1-4', data: { from: 1, to: 4 } } });
    expect(new Set(gaps.map(({ body }) => body)).size).toBe(1);
    expect(receiver.taken.map(({ event }) => event.type)).toEqual([
      'org.zonewarden.events.gap',
      'org.zonewarden.tld.created',
    ]);
    expect(logged('sending a gap notice to a webhook: events were removed or skipped')).toHaveLength(1);
  });
});

describe('of several processes', () => {
  it('one sends at a time, and another one goes on when it stops', async () => {
    const first = await deliveries.start([receiverAt(receiver.url)]);
    await deliveries.happen(5);
    await untilTaken(receiver, await deliveries.ids());
    for (let number = 0; number < 3; number++) await deliveries.start([receiverAt(receiver.url)]);
    await deliveries.happen(20);
    await untilTaken(receiver, await deliveries.ids());
    await first.stop();
    await deliveries.happen(20);
    await untilTaken(receiver, await deliveries.ids());
    expect(receiver.heard.map(({ id }) => id)).toEqual(await deliveries.ids());
  });
});
