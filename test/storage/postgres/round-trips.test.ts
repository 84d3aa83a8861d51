/** How often the store waits for the database: counted on the wire, where a server's answers come late. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { CountingProxy } from '../../support/postgres/counting-proxy.ts';
import { leaveWorkToOthers } from '../../support/postgres/left-work.ts';
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
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
  });
  for (const name of ['first', 'second']) await create(name);
  await leaveWorkToOthers(folder.path);
}, 60_000);
afterAll(async () => {
  await service.remove();
  proxy.stop();
  folder.remove();
});
const tripsOf = (operation: (round: number) => Promise<void>) => proxy.tripsOf(operation);
const create = (name: string, token = service.admin) =>
  service.request('POST', '/v2/zones', { token, body: { name: `${name}.example.`, email: 'a@example.org' } });

it('creates a zone in three round trips, the lookup of the token included', async () => {
  const trips = await tripsOf(async (round) => {
    expect((await create(`third-${round}`)).status).toBe(202);
  });
  expect(trips).toBe(3);
});

it('creates one with an idempotency key in three more, and gives the answer again in two', async () => {
  const send = async (round: number) => {
    const body = { name: `once-${round}.example.`, email: 'a@example.org' };
    const headers = { 'idempotency-key': `k${round}` };
    const answer = await service.request('POST', '/v2/zones', { token: service.admin, body, headers });
    expect(answer.status).toBe(202);
    return answer.headers.get('idempotency-replayed');
  };
  expect(await tripsOf(async (round) => expect(await send(round)).toBeNull())).toBe(6);
  expect(await tripsOf(async (round) => expect(await send(round)).toBe('true'))).toBe(2);
});

it('refuses a zone that is there already in three', async () => {
  const trips = await tripsOf(async () => {
    expect((await create('first')).status).toBe(409);
  });
  expect(trips).toBe(3);
});

it('reads a zone in two', async () => {
  const { json } = await create('read');
  const trips = await tripsOf(async () => {
    const answer = await service.request('GET', `/v2/zones/${json.id}`, { token: service.admin });
    expect(answer.status).toBe(200);
  });
  expect(trips).toBe(2);
});

it('changes a zone in three', async () => {
  const { json } = await create('changed');
  const trips = await tripsOf(async (round) => {
    const body = { ttl: 60 + round };
    const answer = await service.request('PATCH', `/v2/zones/${json.id}`, { token: service.admin, body });
    expect(answer.status).toBe(202);
  });
  expect(trips).toBe(3);
});

it('changes one whose ETag is asked for in four', async () => {
  const { json } = await create('changed-if');
  const path = `/v2/zones/${json.id}`;
  let etag = (await service.request('GET', path, { token: service.admin })).headers.get('etag')!;
  const change = async (round: number) => {
    const headers = { 'if-match': etag };
    const answer = await service.request('PATCH', path, {
      token: service.admin,
      body: { ttl: 60 + round },
      headers,
    });
    expect(answer.status).toBe(202);
  };
  const read = await proxy.tripsOf(async () => {
    etag = (await service.request('GET', path, { token: service.admin })).headers.get('etag')!;
  });
  const both = await proxy.tripsOf(async (round) => {
    etag = (await service.request('GET', path, { token: service.admin })).headers.get('etag')!;
    await change(round);
  });
  expect(both - read).toBe(4);
});

it('creates a zone that hides recordsets of the zone above it in three, too', async () => {
  const parent = await create('above');
  const path = `/v2/zones/${parent.json.id}/recordsets`;
  for (let round = 0; round < 20; round++) {
    const body = { name: `www.below-${round}.above.example.`, type: 'A', records: ['192.0.2.1'] };
    expect((await service.request('POST', path, { token: service.admin, body })).status).toBe(202);
  }
  const trips = await tripsOf(async (round) => {
    const answer = await create(`below-${round}.above`);
    expect([answer.status, answer.headers.get('warning')]).toEqual([202, expect.stringContaining('hides 1')]);
  });
  expect(trips).toBe(3);
});

it('writes recordsets in few, the checks of guardrails included', async () => {
  const { json: zone } = await create('guarded');
  const path = `/v2/zones/${zone.id}/recordsets`;
  const send = (method: string, at: string, body?: unknown) =>
    service.request(method, at, { token: service.admin, body });
  const made = async (label: string, type: string, record: string): Promise<string> => {
    const answer = await send('POST', path, { name: `${label}.guarded.example.`, type, records: [record] });
    expect(answer.status).toBe(202);
    return `${path}/${answer.json.id}`;
  };
  const record = { A: '192.0.2.1', CNAME: 'gone.guarded.example.' };
  const trips: Record<string, number> = {};
  for (const type of ['A', 'CNAME'] as const) {
    const ids: string[] = [];
    for (let round = 0; round < 40; round++) ids.push(await made(`${type}-${round}`, type, record[type]));
    let last = 0;
    const next = () => ids[last++ % ids.length]!;
    trips[`create ${type}`] = await tripsOf(async (round) => {
      await made(`${type}-new-${round}`, type, record[type]);
    });
    trips[`update ${type}`] = await tripsOf(async (round) => {
      const records = [type === 'A' ? `192.0.2.${round % 200}` : `gone-${round}.guarded.example.`];
      expect((await send('PUT', next(), { records })).status).toBe(202);
    });
    trips[`delete ${type}`] = await tripsOf(async () => {
      expect((await send('DELETE', next())).status).toBe(202);
    });
  }
  // Only what guardrails have to look up takes a trip of its own, and it is the one that the lock of the zone saves.
  expect(trips).toEqual({
    'create A': 6,
    'create CNAME': 6,
    'update A': 4,
    'update CNAME': 5,
    'delete A': 4,
    'delete CNAME': 3,
  });
});
