import pino from 'pino';
import { expect, it } from 'vitest';
import { startService } from '../../../src/assembly/service.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/process.ts';
import { shareDatabase, storeOptions } from '../../support/store.ts';
import { add, removeName, repeatable, updateWorld } from '../../support/updates.ts';

const NAME = 'www.shop.example.';

it('An UPDATE that one process has taken is not applied by another one', async () => {
  const world = await updateWorld();
  const folder = temporaryFolder();
  shareDatabase(world.service.dataDir, folder.path);
  const port = await freePort();
  const environment = {
    ...storeOptions(folder.path),
    ZONEWARDEN_SERVICE_API__LISTEN: '127.0.0.1:0',
    ZONEWARDEN_SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
  };
  const other = await startService(loadConfig(undefined, environment), pino({ level: 'silent' }));
  try {
    const addresses = [world.address, { host: '127.0.0.1', port }];
    const send = repeatable(world, { updates: [add(NAME, 'A', 60, '192.0.2.1')] });
    expect(await Promise.all(addresses.map((address) => send(address)))).toEqual([0, 0]);
    const { json } = await world.tenant.ask('GET', `/v2/zones/${world.zone.id}/changes`);
    expect(json.changes.filter(({ door }: { door: string }) => door === 'update')).toHaveLength(1);
    await world.send({ updates: [removeName(NAME)] });
    for (const address of addresses) expect(await send(address)).toBe(RCODE.NOERROR);
    expect(await world.contents()).toEqual({});
  } finally {
    await other.stop();
    folder.remove();
    await world.service.remove();
  }
});
