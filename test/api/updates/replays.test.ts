import { afterEach, beforeEach, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import { inStoreOf } from '../../support/store.ts';
import {
  add,
  inUse,
  removeName,
  repeatable,
  type SentUpdate,
  type UpdateWorld,
  updateWorld,
} from '../../support/updates.ts';

let world: UpdateWorld;
beforeEach(async () => {
  world = await updateWorld();
});
afterEach(() => world.service.remove());

const NAME = 'www.shop.example.';

const signed = (update: Partial<SentUpdate>) => repeatable(world, update);

it('A message that is sent again is applied once, and gets the same RCODE', async () => {
  const send = signed({ updates: [add(NAME, 'A', 60, '192.0.2.1')] });
  expect(await send()).toBe(RCODE.NOERROR);
  await world.send({ updates: [removeName(NAME)] });
  const serial = await world.serial();
  expect(await send()).toBe(RCODE.NOERROR);
  expect(await send(world.address, true)).toBe(RCODE.NOERROR);
  expect(await world.contents()).toEqual({});
  expect(await world.serial()).toBe(serial);
});

it('A prerequisite that did not hold does not hold later either for the same message', async () => {
  const send = signed({
    prerequisites: [inUse(NAME)],
    updates: [add('x.shop.example.', 'A', 60, '192.0.2.1')],
  });
  expect(await send()).toBe(RCODE.NXDOMAIN);
  await world.send({ updates: [add(NAME, 'A', 60, '192.0.2.1')] });
  expect(await send()).toBe(RCODE.NXDOMAIN);
  expect(Object.keys(await world.contents())).toEqual([`${NAME} A`]);
});

it('A message that was refused is refused when it is sent again', async () => {
  const { admin: token } = world.service;
  const quota = (zone_recordsets: number) =>
    world.service.request('PATCH', '/v2/quotas/shop', { token, body: { zone_recordsets } });
  await quota(0);
  const send = signed({ updates: [add(NAME, 'A', 60, '192.0.2.1')] });
  expect(await send()).toBe(RCODE.REFUSED);
  await quota(100);
  expect(await send()).toBe(RCODE.REFUSED);
  expect(await world.contents()).toEqual({});
});

it('Copies of one message that arrive at once change the zone once', async () => {
  const before = await world.serial();
  const send = signed({ updates: [add(NAME, 'A', 60, '192.0.2.1')] });
  const rcodes = await Promise.all([1, 2, 3, 4, 5].map((copy) => send(world.address, copy % 2 === 0)));
  expect(rcodes).toEqual([0, 0, 0, 0, 0]);
  const { json } = await world.tenant.ask('GET', `/v2/zones/${world.zone.id}/changes`);
  const updates = json.changes.filter(({ door }: { door: string }) => door === 'update');
  expect(updates).toHaveLength(1);
  expect(await world.serial()).toBeGreaterThan(before);
});

it('What was taken is forgotten once its signature has expired', async () => {
  const { dataDir } = world.service;
  for (let sent = 0; sent < 3; sent += 1) await world.send({ updates: [removeName(NAME)] });
  expect(await inStoreOf(dataDir, 'select id from taken_updates')).toHaveLength(3);
  await inStoreOf(dataDir, "update taken_updates set expires_at = '2020-01-01T00:00:00.000000'");
  for (let sent = 0; sent < 64; sent += 1) await world.send({ updates: [removeName(NAME)] });
  const rows = await inStoreOf(dataDir, "select id from taken_updates where expires_at < '2021'");
  expect(rows).toEqual([]);
});
