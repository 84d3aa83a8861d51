import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SendingServices, sendingServices } from '../../support/sending-services.ts';
import { shareDatabase } from '../../support/store.ts';

let services: SendingServices;
beforeEach(async () => {
  services = await sendingServices();
});
afterEach(() => services.close());

it('of two services one sends, and the other one goes on when that one is killed', async () => {
  const first = await services.start();
  shareDatabase(services.folderOf('first'), services.folderOf('second'));
  const { admin } = first;
  await services.create(first, 4);
  await services.untilAllTaken();
  const second = await services.start('second');
  await services.create(second, 4, admin);
  await services.untilAllTaken();
  expect(services.receiver.heard.map(({ id }) => id)).toEqual(await services.ids());
  await first.end('SIGKILL');
  await services.create(second, 4, admin);
  const ids = await services.untilAllTaken();
  expect(services.firstTaken()).toEqual(ids);
});
