/** Zones that take no UPDATE, a store that cannot be written, and a primary that takes none at all. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import type { TsigSecret } from '../../../src/dns/wire/tsig.ts';
import { freePort } from '../../support/free-port.ts';
import { runHere } from '../../support/run-here.ts';
import { storeOptions } from '../../support/store.ts';
import { add, type SendOptions, sendUpdate, type UpdateWorld, updateWorld } from '../../support/updates.ts';
import { holdWriteLock } from '../../support/write-lock.ts';

let world: UpdateWorld;
const start = async (options = {}) => {
  world = await updateWorld(options);
};
afterEach(() => world.service.remove());

const www = add('www.shop.example.', 'A', 60, '192.0.2.1');
const bothWays = [{ isTcp: false }, { isTcp: true }] as const;

/** Gives the default pool a name server that is not there. */
async function publishToNobody(): Promise<void> {
  const file = join(world.service.dataDir, 'pools.yaml');
  const nameservers = [{ host: '127.0.0.1', port: await freePort() }];
  const ns_records = [{ hostname: 'ns1.example.net.', priority: 1 }];
  writeFileSync(file, JSON.stringify([{ name: 'default', ns_records, nameservers }]));
  const { status, err } = await runHere(
    ['pool', 'apply', file, '--yes'],
    storeOptions(world.service.dataDir),
  );
  expect([status, err]).toEqual([0, '']);
}

it('A zone that its name servers still have to drop is REFUSED; its keys have ended', async () => {
  await start();
  await publishToNobody();
  const zone = await world.tenant.makeZone('leaving.example.');
  const more = { resource_id: zone.id };
  const { key } = await world.makeKey({ update: {} }, more);
  const updates = [add('www.leaving.example.', 'A', 60, '192.0.2.1')];
  const send = (by: TsigSecret) => sendUpdate(world.address, { zone: zone.name, updates }, { key: by });
  expect((await send(key)).rcode).toBe(RCODE.NOERROR);
  const { json } = await world.tenant.ask('DELETE', `/v2/zones/${zone.id}`);
  expect(json).toMatchObject({ action: 'DELETE', status: 'PENDING' });
  expect((await send(key)).rcode).toBe(RCODE.NOTAUTH);
  expect(await send((await world.makeKey({ update: {} }, more)).key)).toMatchObject({
    rcode: RCODE.REFUSED,
    tsigError: 0,
    error: { code: 0, text: expect.stringContaining('being deleted') },
  });
});

it('A secondary zone is REFUSED', async () => {
  await start();
  const body = { name: 'secondary.example.', type: 'SECONDARY', masters: ['192.0.2.53'] };
  const { json: zone } = await world.tenant.ask('POST', '/v2/zones', body);
  const { key } = await world.makeKey({ update: {} }, { resource_id: zone.id });
  const updates = [add('www.secondary.example.', 'A', 60, '192.0.2.1')];
  expect(await sendUpdate(world.address, { zone: zone.name, updates }, { key })).toMatchObject({
    rcode: RCODE.REFUSED,
    tsigError: 0,
    error: { code: 0, text: expect.stringContaining('secondary') },
  });
});

it('A store that cannot be written is SERVFAIL, and the same client may send again', async () => {
  await start({ ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '1' });
  const send = (options: SendOptions = {}, hasOpt = true) => world.send({ updates: [www], hasOpt }, options);
  const lock = await holdWriteLock(world.service.dataDir);
  for (const options of bothWays) {
    expect(await send(options)).toMatchObject({
      rcode: RCODE.SERVFAIL,
      tsigError: 0,
      error: { code: 0, text: expect.stringContaining('retry later') },
    });
  }
  expect(await send({}, false)).toMatchObject({ rcode: RCODE.SERVFAIL, tsigError: 0, error: undefined });
  await lock.release();
  expect(await world.contents()).toEqual({});
  expect((await send()).rcode).toBe(RCODE.NOERROR);
});

it('With "update = false" every UPDATE is NOTIMP, signed or not, and its answer is a header', async () => {
  await start({ ZONEWARDEN_SERVICE_MDNS__UPDATE: 'false' });
  for (const key of [world.key, undefined]) {
    for (const { isTcp } of bothWays) {
      const { rcode, tsigError, length } = await sendUpdate(
        world.address,
        { zone: 'shop.example.', updates: [www] },
        { key, isTcp },
      );
      expect([rcode, tsigError, length]).toEqual([RCODE.NOTIMP, undefined, 12]);
    }
  }
  expect(await world.contents()).toEqual({});
});
