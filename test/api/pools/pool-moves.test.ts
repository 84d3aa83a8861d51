/** What POST /v2/zones/{zone_id}/tasks/pool_move takes, answers and refuses. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_POOL_ID } from '../../../src/model/pools/pool.ts';
import { runHere } from '../../support/run-here.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf, storeOptions } from '../../support/store.ts';

const OTHER = '11111111-1111-4111-8111-111111111111';
const THIRD = '22222222-2222-4222-8222-222222222222';
const NOBODY = '33333333-3333-4333-8333-333333333333';
/** Nobody answers there. */
const HERE = { host: '127.0.0.1', port: 9 };
const THERE = { host: '127.0.0.1', port: 19 };

let service: TestService;
let admin: string;
let zone: { id: string; serial: number; pool_id: string };
beforeEach(async () => {
  service = await startTestService();
  admin = await service.token('mine', 'admin');
});
afterEach(() => service.remove());

const ask = (method: string, path: string, body?: object | null, token = admin): Promise<Answer> =>
  service.request(method, path, { token, ...(body === undefined ? {} : { body }) });
const move = (body?: object | null, token = admin) =>
  ask('POST', `/v2/zones/${zone.id}/tasks/pool_move`, body, token);
const look = async () => (await ask('GET', `/v2/zones/${zone.id}`)).json;
const told = ({ status, json }: Answer) => [status, json.type, json.message];

async function apply(here: readonly object[], there: readonly object[]): Promise<void> {
  const file = join(service.dataDir, 'pools.yaml');
  const attributes = { tier: 'gold' };
  const ns = (hostname: string) => [{ hostname, priority: 1 }];
  const pools = [
    {
      name: 'default',
      ...(here.length > 0 ? { ns_records: ns('ns1.example.net.') } : {}),
      nameservers: here,
    },
    { id: OTHER, name: 'other', attributes, ns_records: ns('ns.other.example.'), nameservers: there },
    { id: THIRD, name: 'third', ns_records: ns('ns.third.example.') },
  ];
  writeFileSync(file, JSON.stringify(pools));
  const args = ['pool', 'apply', file, '--yes'];
  const { status, err } = await runHere(args, storeOptions(service.dataDir));
  expect([status, err]).toEqual([0, '']);
}

async function makeZone(attributes = {}): Promise<void> {
  const body = { name: 'zone.example.', email: 'a@example.org', attributes };
  zone = (await ask('POST', '/v2/zones', body)).json;
}

describe('moving a zone to another pool', () => {
  it('is done at once between pools without name servers: the apex and the serial change', async () => {
    await apply([], []);
    await makeZone();
    const { status, text } = await move({ pool_id: OTHER });
    expect([status, text]).toEqual([202, '']);
    const moved = await look();
    expect(moved).toMatchObject({ pool_id: OTHER, status: 'ACTIVE', action: 'NONE' });
    expect(moved.serial).toBeGreaterThan(zone.serial);
    const { recordsets } = (await ask('GET', `/v2/zones/${zone.id}/recordsets?type=NS`)).json;
    expect(recordsets[0].records).toEqual(['ns.other.example.']);
    const soa = (await ask('GET', `/v2/zones/${zone.id}/recordsets?type=SOA`)).json.recordsets[0].records[0];
    expect(soa).toMatch(new RegExp(`^ns\\.other\\.example\\. .* ${moved.serial} `));
    const line = service.logged.find(({ event }) => event === 'zone.pool_move_started');
    expect(line).toMatchObject({ audit: true, zone: 'zone.example.', zone_id: zone.id });
  });

  it('shows the servers of both, and PENDING, until it is over', async () => {
    await apply([HERE], [THERE]);
    await makeZone();
    await inStoreOf(service.dataDir, 'update publications set published_serial = serial');
    expect((await move({ pool_id: OTHER })).status).toBe(202);
    expect(await look()).toMatchObject({ status: 'PENDING', action: 'UPDATE', pool_id: DEFAULT_POOL_ID });
    const { servers, status, action } = (await ask('GET', `/v2/zones/${zone.id}/publication`)).json;
    expect([status, action]).toEqual(['PENDING', 'UPDATE']);
    expect(servers).toEqual([expect.objectContaining(THERE), expect.objectContaining(HERE)]);
    const { zones } = (await ask('GET', '/v2/zones?status=PENDING')).json;
    expect(zones.map(({ id }: { id: string }) => id)).toEqual([zone.id]);
    expect(told(await move({ pool_id: THIRD }))[1]).toBe('bad_request');
    expect(told(await ask('DELETE', `/v2/pools/${OTHER}`))).toEqual([
      400,
      'invalid_operation',
      expect.stringContaining('has zones'),
    ]);
    expect((await move({ pool_id: DEFAULT_POOL_ID })).status).toBe(202);
  });

  it('takes the pool that the attributes of the zone choose, if none is named', async () => {
    await apply([], []);
    await makeZone({ tier: 'gold' });
    expect(zone.pool_id).toBe(OTHER);
    expect(told(await move())).toEqual([400, 'bad_request', expect.stringContaining('pool_id')]);
    expect((await move({ pool_id: THIRD })).status).toBe(202);
    expect((await move(null)).status).toBe(202);
    expect((await look()).pool_id).toBe(OTHER);
  });
});

describe('moving a secondary zone', () => {
  it("changes its pool, and neither its apex nor its serial, which are its masters'", async () => {
    await apply([], [THERE]);
    const body = { name: 'zone.example.', type: 'SECONDARY', masters: ['192.0.2.1'] };
    zone = (await ask('POST', '/v2/zones', body)).json;
    const apex = async () =>
      (await ask('GET', `/v2/zones/${zone.id}/recordsets`)).json.recordsets.map(
        ({ records }: { records: string[] }) => records,
      );
    const before = await apex();
    expect((await move({ pool_id: OTHER })).status).toBe(202);
    expect(await look()).toMatchObject({ pool_id: OTHER, serial: zone.serial, action: 'CREATE' });
    expect(await apex()).toEqual(before);
    // Nothing of it has come yet, so nothing of it is published.
    expect((await ask('GET', `/v2/zones/${zone.id}/publication`)).json.servers).toEqual([]);
  });
});

describe('a move that is refused', () => {
  beforeEach(async () => {
    await apply([HERE], []);
    await makeZone();
  });

  it.each([
    ['the pool of the zone', { pool_id: DEFAULT_POOL_ID }, 'bad_request'],
    ['a pool that is not there', { pool_id: NOBODY }, 'invalid_object'],
    ['an id that is none', { pool_id: 'gold' }, 'invalid_object'],
    ['a key that is not known', { pool: OTHER }, 'invalid_object'],
  ])('names %s', async (_, body, type) => {
    const { status, json } = await move(body);
    expect([status, json.type]).toEqual([400, type]);
    expect(await look()).toMatchObject({ pool_id: DEFAULT_POOL_ID, serial: zone.serial });
  });

  it('is asked for by somebody who is no administrator, or for a zone that is not seen', async () => {
    const refused = await move({ pool_id: OTHER }, await service.token('mine', 'member'));
    expect([refused.status, refused.json.type]).toEqual([401, 'access_denied']);
    const unseen = await move({ pool_id: OTHER }, await service.token('other', 'admin'));
    expect([unseen.status, unseen.json.type]).toEqual([404, 'zone_not_found']);
  });

  it('is that of a zone that is being deleted', async () => {
    expect((await ask('DELETE', `/v2/zones/${zone.id}`)).status).toBe(202);
    const { status, json } = await move({ pool_id: OTHER });
    expect([status, json.type]).toEqual([400, 'bad_request']);
  });

  it('leaves a zone that is being deleted its name, and only its owner is told why', async () => {
    const again = (token?: string) =>
      ask('POST', '/v2/zones', { name: 'zone.example.', email: 'a@example.org' }, token);
    expect((await ask('DELETE', `/v2/zones/${zone.id}`)).status).toBe(202);
    const own = await again();
    expect([own.status, own.json.type]).toEqual([409, 'duplicate_zone']);
    expect(own.json.message).toMatch('is being deleted');
    const others = await again(await service.token('other', 'member'));
    expect([others.status, others.json.message]).toEqual([409, 'A zone with this name already exists.']);
  });
});
