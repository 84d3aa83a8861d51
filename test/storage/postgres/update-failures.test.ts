/** DNS UPDATE while PostgreSQL is down. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import type { TsigSecret } from '../../../src/dns/wire/tsig.ts';
import { eventually, until } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { type Served, serveOn } from '../../support/postgres/served.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts';
import { add, sendUpdate } from '../../support/updates.ts';

let server: PostgresServer;
let served: Served;
const address = { host: '127.0.0.1', port: 0 };
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off' } });
  address.port = await freePort();
  const env = { ZONEWARDEN_SERVICE_MDNS__LISTEN: `${address.host}:${address.port}` };
  served = await serveOn(server, { env });
});
afterAll(async () => {
  await served.remove();
  await server.remove();
});

const NAME = 'shop.example.';
const secret = randomBytes(32);

async function keyOf(zoneId: string, name: string): Promise<TsigSecret> {
  const body = { name, algorithm: 'hmac-sha256', secret: secret.toString('base64'), scope: 'ZONE' };
  const { service } = served;
  const { status } = await service.request('POST', '/v2/tsigkeys', {
    token: service.admin,
    body: { ...body, resource_id: zoneId, permissions: { update: {} } },
  });
  expect(status).toBe(201);
  return { name: `${name}.`, algorithm: 'hmac-sha256', secret };
}

it('It is SERVFAIL over UDP and TCP, for keys that were used and others, and done once the server is back', async () => {
  const zone = await eventually(async () => {
    const { status, json } = await served.create(NAME);
    return status === 202 ? json : undefined;
  });
  const [used, fresh] = [await keyOf(zone.id, 'used'), await keyOf(zone.id, 'fresh')];
  const send = (key: TsigSecret, isTcp = false) =>
    sendUpdate(address, { zone: NAME, updates: [add(`www.${NAME}`, 'A', 60, '192.0.2.1')] }, { key, isTcp });
  expect((await send(used)).rcode).toBe(RCODE.NOERROR);
  await server.stop();
  for (const key of [used, fresh]) {
    for (const isTcp of [false, true]) expect((await send(key, isTcp)).rcode).toBe(RCODE.SERVFAIL);
  }
  await server.start();
  await until(async () => expect((await send(fresh)).rcode).toBe(RCODE.NOERROR));
});
