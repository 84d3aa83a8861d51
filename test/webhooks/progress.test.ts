import { beforeEach, expect, it } from 'vitest';
import type { WebhookProgress } from '../../src/model/webhooks/webhook.ts';
import { ReceiverPositions } from '../../src/webhooks/progress.ts';

let written: (readonly WebhookProgress[])[];
let positions: ReceiverPositions;
let isDown = false;
beforeEach(() => {
  written = [];
  isDown = false;
  positions = new ReceiverPositions(async (progress) => {
    if (isDown) throw new Error('down');
    written.push(progress);
  });
});

const taken = (name: string, position: number) => positions.note({ name, position, deliveredAt: 'then' });
const passed = (name: string, position: number) => positions.note({ name, position, deliveredAt: '' });

it('nothing is written where nothing has moved', async () => {
  await positions.flush();
  await positions.flushTaken();
  expect(written).toEqual([]);
});

it('what was only gone past waits for something that was taken, or for its own turn', async () => {
  passed('one', 5);
  await positions.flushTaken();
  expect(written).toEqual([]);
  taken('two', 3);
  await positions.flushTaken();
  expect(written).toEqual([
    [
      { name: 'one', position: 5, deliveredAt: '' },
      { name: 'two', position: 3, deliveredAt: 'then' },
    ],
  ]);
  passed('one', 6);
  await positions.flush();
  await positions.flush();
  expect(written.slice(1)).toEqual([[{ name: 'one', position: 6, deliveredAt: '' }]]);
});

it('that something was taken is not forgotten while others are gone past', async () => {
  taken('one', 5);
  passed('one', 8);
  await positions.flushTaken();
  expect(written).toEqual([[{ name: 'one', position: 8, deliveredAt: 'then' }]]);
});

it('what could not be written is written the next time, with what has moved since', async () => {
  taken('one', 5);
  isDown = true;
  await expect(positions.flush()).rejects.toThrow('down');
  isDown = false;
  passed('one', 6);
  await positions.flushTaken();
  expect(written).toEqual([[{ name: 'one', position: 6, deliveredAt: 'then' }]]);
});
