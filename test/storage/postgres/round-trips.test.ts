/** How often the store waits for the database: counted on the wire, where a server's answers come late. */

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { CountingProxy } from '../../support/postgres/counting-proxy.ts';
import { temporaryFolder } from '../../support/process.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { storeOptions } from '../../support/store.ts';

const folder = temporaryFolder();
const proxy = new CountingProxy();
let service: TestService;
beforeAll(async () => {
  const connection = storeOptions(folder.path).ZONEWARDEN_STORAGE__CONNECTION!;
  service = await startTestService({
    ZONEWARDEN_STORAGE__CONNECTION: await proxy.start(connection),
    // One after the other on one connection, which all is prepared on by then.
    ZONEWARDEN_STORAGE__POOL_SIZE: '2',
  });
  for (const name of ['first', 'second']) await create(name);
}, 60_000);
afterAll(async () => {
  await service.remove();
  proxy.stop();
  folder.remove();
});
beforeEach(() => {
  proxy.trips = 0;
});

const create = (name: string, token = service.admin) =>
  service.request('POST', '/v2/zones', { token, body: { name: `${name}.example.`, email: 'a@example.org' } });

it('creates a zone in three round trips, the lookup of the token included', async () => {
  expect((await create('third')).status).toBe(202);
  expect(proxy.trips).toBe(3);
});

it('creates one with an idempotency key in three more, and gives the answer again in two', async () => {
  const body = { name: 'once.example.', email: 'a@example.org' };
  const request = { token: service.admin, body, headers: { 'idempotency-key': 'k' } };
  for (const [trips, replayed] of [
    [6, null],
    [2, 'true'],
  ] as const) {
    proxy.trips = 0;
    const { status, headers } = await service.request('POST', '/v2/zones', request);
    expect([status, headers.get('idempotency-replayed')]).toEqual([202, replayed]);
    expect(proxy.trips).toBe(trips);
  }
});

it('refuses a zone that is there already in three', async () => {
  expect((await create('third')).status).toBe(409);
  expect(proxy.trips).toBe(3);
});

it('reads a zone in two', async () => {
  const { json } = await create('read');
  proxy.trips = 0;
  expect((await service.request('GET', `/v2/zones/${json.id}`, { token: service.admin })).status).toBe(200);
  expect(proxy.trips).toBe(2);
});

it('changes a zone in three', async () => {
  const { json } = await create('changed');
  await service.request('PATCH', `/v2/zones/${json.id}`, { token: service.admin, body: { ttl: 60 } });
  proxy.trips = 0;
  const answer = await service.request('PATCH', `/v2/zones/${json.id}`, {
    token: service.admin,
    body: { ttl: 61 },
  });
  expect(answer.status).toBe(202);
  expect(proxy.trips).toBe(3);
});
