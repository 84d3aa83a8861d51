import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandContext } from '../../src/model/context/request-context.ts';
import { type Deliveries, receiverAt, startDeliveries } from '../support/deliveries.ts';
import { eventually, until } from '../support/eventually.ts';
import { answering, type Manner, startReceiver, type TestReceiver, taking } from '../support/receiver.ts';
import { inStoreOf } from '../support/store.ts';

const OPERATOR = commandContext('operator');

let deliveries: Deliveries;
let receiver: TestReceiver;
beforeEach(async () => {
  deliveries = await startDeliveries(['one']);
  receiver = await startReceiver();
});
afterEach(async () => {
  await deliveries.close();
  await receiver.kill();
});

const skip = (name = 'one') => deliveries.useCases.webhooks.skip(OPERATOR, name);
const stateOf = async () =>
  (await deliveries.useCases.webhooks.list()).find((webhook) => webhook.name === 'one')!;
/** What the sealed events tell of webhooks. */
async function toldOfWebhooks() {
  const rows = await inStoreOf(
    deliveries.dataDir,
    `select type, data from events where type like 'webhook.%' order by position`,
  );
  return rows.map(({ type, data }) => [type, JSON.parse(String(data)).details]);
}
const positions = () => receiver.taken.map(({ event }) => Number(event.sequence));
const taken = (position: number) => until(() => expect(positions().includes(position)).toBeTruthy());

/** Takes everything but what is at one position. */
const poisonedAt =
  (position: number): Manner =>
  (response, heard, request) =>
    (Number(heard.event.sequence) === position && !heard.id.startsWith('gap-') ? answering(400) : taking)(
      response,
      heard,
      request,
    );

describe('an event that a receiver never takes', () => {
  it('is passed over by an operator once the webhook has stopped: a gap is told instead, and an event', async () => {
    receiver.manner = poisonedAt(3);
    await deliveries.start([receiverAt(receiver.url, { giveUpAfterMs: 50 })]);
    await deliveries.happen(5);
    await until(async () => expect((await stateOf()).isStopped).toBeTruthy());
    expect(await skip()).toEqual({ from: 3, to: 3, hasGapNotice: true });
    while (await deliveries.useCases.sealing.seal());
    await taken(7);
    expect(positions()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const gap = receiver.taken.find(({ id }) => id === 'gap-3-3')!;
    expect(gap.event).toMatchObject({ type: 'org.zonewarden.events.gap', data: { from: 3, to: 3 } });
    expect(await toldOfWebhooks()).toEqual([
      ['webhook.stopped', { position: 2, reason: 'the receiver answered 400' }],
      ['webhook.skipped', { from: 3, to: 3, told: true }],
    ]);
    expect(await stateOf()).toMatchObject({ isStopped: false, failingSince: '' });
  });

  it('is passed over while it is still tried, too', async () => {
    receiver.manner = poisonedAt(2);
    await deliveries.start([receiverAt(receiver.url)]);
    await deliveries.happen(4);
    await until(async () => expect((await stateOf()).failingSince).not.toBe(''));
    expect(await skip()).toEqual({ from: 2, to: 2, hasGapNotice: true });
    await taken(4);
    expect(positions()).toEqual([1, 2, 3, 4]);
  });

  it('is the next one of the types that the receiver wants: the gap goes to it', async () => {
    await deliveries.close();
    deliveries = await startDeliveries(['one'], ['tld.deleted']);
    receiver.manner = answering(400);
    await deliveries.start([receiverAt(receiver.url, { types: ['tld.deleted'], giveUpAfterMs: 50 })]);
    const { id } = await deliveries.useCases.tlds.create(OPERATOR, { name: 'gone', description: null });
    await deliveries.happen(3);
    await deliveries.useCases.tlds.remove(OPERATOR, id);
    await deliveries.happen(2);
    await until(async () => expect((await stateOf()).isStopped).toBeTruthy());
    receiver.manner = taking;
    const { position } = await stateOf();
    expect(await skip()).toEqual({ from: position + 1, to: 5, hasGapNotice: true });
    await taken(5);
    expect(receiver.taken.map((one) => one.id)).toEqual([`gap-${position + 1}-5`]);
  });

  it('may be followed by a gap that is not taken, either: that is passed over without a word', async () => {
    receiver.manner = answering(400);
    await deliveries.start([receiverAt(receiver.url, { giveUpAfterMs: 50 })]);
    await deliveries.happen(2);
    const untilStopped = () =>
      eventually(async () => {
        const { isStopped, lastErrorAt } = await stateOf();
        return isStopped ? lastErrorAt : undefined;
      });
    await untilStopped();
    expect(await skip()).toEqual({ from: 1, to: 1, hasGapNotice: true });
    await eventually(() => receiver.heard.find(({ id }) => id === 'gap-1-1'));
    await untilStopped();
    receiver.manner = taking;
    expect(await skip()).toEqual({ from: 1, to: 1, hasGapNotice: false });
    await taken(2);
    expect(positions()[0]).toBe(2);
    expect(receiver.taken.some(({ id }) => id.startsWith('gap-'))).toBe(false);
  });

  it('is there only while the webhook fails: nothing that would be taken is passed over', async () => {
    await deliveries.start([receiverAt(receiver.url)]);
    await deliveries.happen(2);
    await taken(2);
    expect([await skip(), await skip('nobody')]).toEqual([undefined, undefined]);
    expect(await stateOf()).toMatchObject({ skipTo: 0 });
    expect(await toldOfWebhooks()).toEqual([]);
  });
});
