/** How often the store waits for the database: counted on the wire, where a server's answers come late. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { CountingProxy, type Operation } from '../../support/postgres/counting-proxy.ts';
import { leaveWorkToOthers } from '../../support/postgres/left-work.ts';
import { temporaryFolder } from '../../support/process.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { makeStore, storeOptions } from '../../support/store.ts';

const folder = temporaryFolder();
const proxy = new CountingProxy();
let service: TestService;
beforeAll(async () => {
  await makeStore(folder.path);
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
const expectTrips = async (expected: number, ...operation: Operation) =>
  expect(await proxy.fewestTrips(expected, ...operation)).toBe(expected);
const create = (name: string, token = service.admin) =>
  service.request('POST', '/v2/zones', { token, body: { name: `${name}.example.`, email: 'a@example.org' } });

it('creates a zone in three round trips, the lookup of the token included', () =>
  expectTrips(3, async (round) => {
    expect((await create(`third-${round}`)).status).toBe(202);
  }));

it('creates one with an idempotency key in three more, and gives the answer again in two', async () => {
  const send = async (round: number) => {
    const body = { name: `once-${round}.example.`, email: 'a@example.org' };
    const headers = { 'idempotency-key': `k${round}` };
    const answer = await service.request('POST', '/v2/zones', { token: service.admin, body, headers });
    expect(answer.status).toBe(202);
    return answer.headers.get('idempotency-replayed');
  };
  await expectTrips(6, async (round) => expect(await send(round)).toBeNull());
  await expectTrips(2, async () => expect(await send(0)).toBe('true'));
});

it('refuses a zone that is there already in three', () =>
  expectTrips(3, async () => {
    expect((await create('first')).status).toBe(409);
  }));

it('reads a zone in two', async () => {
  const { json } = await create('read');
  await expectTrips(2, async () => {
    const answer = await service.request('GET', `/v2/zones/${json.id}`, { token: service.admin });
    expect(answer.status).toBe(200);
  });
});

it('changes a zone in three', async () => {
  const { json } = await create('changed');
  await expectTrips(3, async (round) => {
    const body = { ttl: 60 + round };
    const answer = await service.request('PATCH', `/v2/zones/${json.id}`, { token: service.admin, body });
    expect(answer.status).toBe(202);
  });
});

it('reads a zone and changes it if it is still the same in six, four of them for the change', async () => {
  const { json } = await create('changed-if');
  const path = `/v2/zones/${json.id}`;
  await expectTrips(6, async (round) => {
    const read = await service.request('GET', path, { token: service.admin });
    const headers = { 'if-match': read.headers.get('etag')! };
    const body = { ttl: 60 + round };
    const answer = await service.request('PATCH', path, { token: service.admin, body, headers });
    expect(answer.status).toBe(202);
  });
});

it('creates a zone that hides recordsets of the zone above it in three, too', async () => {
  const parent = await create('above');
  const path = `/v2/zones/${parent.json.id}/recordsets`;
  const addRecordset = async (round: number) => {
    const body = { name: `www.below-${round}.above.example.`, type: 'A', records: ['192.0.2.1'] };
    expect((await service.request('POST', path, { token: service.admin, body })).status).toBe(202);
  };
  const hideIt = async (round: number) => {
    const answer = await create(`below-${round}.above`);
    expect([answer.status, answer.headers.get('warning')]).toEqual([202, expect.stringContaining('hides 1')]);
  };
  await expectTrips(3, hideIt, addRecordset);
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
  // Only what guardrails have to look up takes a trip of its own, and it is the one that the lock of the zone saves.
  const expected = { A: { create: 6, update: 4, delete: 4 }, CNAME: { create: 6, update: 5, delete: 3 } };
  for (const type of ['A', 'CNAME'] as const) {
    await expectTrips(expected[type].create, async (round) => {
      await made(`${type}-new-${round}`, type, record[type]);
    });
    const updated = await made(`${type}-updated`, type, record[type]);
    await expectTrips(expected[type].update, async (round) => {
      const records = [type === 'A' ? `192.0.2.${2 + round}` : `gone-${round}.guarded.example.`];
      expect((await send('PUT', updated, { records })).status).toBe(202);
    });
    let deleted = '';
    await expectTrips(
      expected[type].delete,
      async () => {
        expect((await send('DELETE', deleted)).status).toBe(202);
      },
      async (round) => {
        deleted = await made(`${type}-deleted-${round}`, type, record[type]);
      },
    );
  }
});
