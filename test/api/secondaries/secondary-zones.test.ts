/** Zones of the type SECONDARY as their owners see them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf } from '../../support/store.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let shop: Tenant;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  shop = await tenantOf(service, 'shop');
});
afterAll(() => service.remove());

let drawn = 0;
const newName = (): string => `secondary-${++drawn}.example.`;
const post = (body: object): Promise<Answer> => shop.ask('POST', '/v2/zones', body);
const create = (masters: readonly unknown[], more: object = {}): Promise<Answer> =>
  post({ name: newName(), type: 'SECONDARY', masters, ...more });
const make = async (): Promise<{ id: string; name: string }> => (await create(['192.0.2.1'])).json;
const pathsOf = ({ json }: Answer): string[] =>
  json.errors.errors.map(({ path }: { path: string[] }) => path.join('.'));

describe('POST /v2/zones of type SECONDARY', () => {
  it('answers a zone that waits for its first transfer', async () => {
    const name = newName();
    const { status, json } = await post({ name, type: 'SECONDARY', masters: ['192.0.2.1'] });
    expect([status, json]).toMatchObject([
      202,
      { name, type: 'SECONDARY', masters: ['192.0.2.1'], status: 'PENDING', action: 'CREATE' },
    ]);
    const shown = await shop.ask('GET', `/v2/zones/${json.id}`);
    expect(shown.json).toMatchObject({ status: 'PENDING', action: 'CREATE', transferred_at: null });
    const { recordsets } = (await shop.ask('GET', `/v2/zones/${json.id}/recordsets`)).json;
    expect(recordsets.map(({ status }: { status: string }) => status)).toEqual(['PENDING', 'PENDING']);
  });

  it('takes addresses with a port or without, and answers each as Designate does', async () => {
    const given = [
      '192.0.2.1:53',
      '192.0.2.1:5353',
      '9.9.9.9',
      '2001:DB8::1',
      '[2001:db8::2]',
      '[2001:db8:0::1]:53530',
    ];
    const { status, json } = await create(given);
    const answered = [
      '192.0.2.1',
      '192.0.2.1:5353',
      '9.9.9.9',
      '2001:db8::1',
      '2001:db8::2',
      '[2001:db8::1]:53530',
    ];
    expect([status, json.masters]).toEqual([202, answered]);
    expect((await shop.ask('GET', `/v2/zones/${json.id}`)).json.masters).toEqual(answered);
  });

  it.each([
    'ns.example.org',
    'ns.example.org:53',
    '192.0.2.1:0',
    '192.0.2.1:65536',
    '192.0.2.1:',
    '192.0.2',
    '[192.0.2.1]:53',
    '2001:db8::1%eth0',
    '::ffff:192.0.2.1',
    '127.0.0.1',
    '127.1.2.3:53',
    '[::1]:53',
    '0.0.0.0',
    '::',
    '169.254.169.254',
    'fe80::1',
    '224.0.0.1',
    '255.255.255.255',
    'ff02::1',
    '',
    53,
  ])('refuses the master %j', async (master) => {
    const answer = await create(['192.0.2.1', master]);
    expect([answer.status, answer.json.type, pathsOf(answer)]).toEqual([
      400,
      'invalid_object',
      ['masters.1'],
    ]);
  });

  it('refuses what belongs to zones of the other type, with every fault at once', async () => {
    const cases: readonly (readonly [object, readonly string[]])[] = [
      [{ type: 'SECONDARY', masters: ['192.0.2.1'], email: 'a@b.example', ttl: 60 }, ['email', 'ttl']],
      [{ type: 'SECONDARY' }, ['masters']],
      [{ type: 'SECONDARY', masters: [] }, ['masters']],
      [{ type: 'SECONDARY', masters: ['192.0.2.1', '192.0.2.1:53'] }, ['masters.1']],
      [{ type: 'SECONDARY', masters: Array.from({ length: 11 }, (_, at) => `192.0.2.${at}`) }, ['masters']],
      [{ email: 'a@b.example', masters: ['192.0.2.1'] }, ['masters']],
      [{ type: 'PRIMARY' }, ['email']],
      [{ type: 'CATALOG', email: 'a@b.example' }, ['type']],
    ];
    for (const [body, paths] of cases) {
      const answer = await post({ name: newName(), ...body });
      expect([body, answer.status, pathsOf(answer)]).toEqual([body, 400, paths]);
    }
  });

  it('follows the rules of every create: blacklists, quota, duplicates', async () => {
    await service.request('POST', '/v2/blacklists', { token: service.admin, body: { pattern: '^evil\\.' } });
    const body = { type: 'SECONDARY', masters: ['192.0.2.1'] };
    expect((await post({ ...body, name: 'evil.example.' })).json.type).toBe('invalid_zone_name');
    const { name } = await make();
    expect((await post({ ...body, name })).status).toBe(409);
    const other = await tenantOf(service, 'other');
    const below = await other.ask('POST', '/v2/zones', { ...body, name: `below.${name}` });
    expect([below.status, below.json.type]).toEqual([403, 'illegal_child']);
  });

  it('happens once for an Idempotency-Key', async () => {
    const body = { name: newName(), type: 'SECONDARY', masters: ['192.0.2.1'] };
    const headers = { 'idempotency-key': 'one-secondary' };
    const [first, second] = [
      await shop.ask('POST', '/v2/zones', body, headers),
      await shop.ask('POST', '/v2/zones', body, headers),
    ];
    expect([first.status, second.status, second.json]).toEqual([202, 202, first.json]);
  });
});

describe('a secondary zone', () => {
  it('is found by its type', async () => {
    const zone = await make();
    await shop.makeZone();
    const named = async (type: string): Promise<string[]> =>
      (await shop.ask('GET', `/v2/zones?type=${type}&limit=1000`)).json.zones.map(
        ({ id }: { id: string }) => id,
      );
    expect(await named('SECONDARY')).toContain(zone.id);
    expect(await named('PRIMARY')).not.toContain(zone.id);
  });

  it('can be given other masters and a description, and nothing that its master decides', async () => {
    const zone = await make();
    const path = `/v2/zones/${zone.id}`;
    const changed = await shop.ask('PATCH', path, { masters: ['192.0.2.7:54'], description: 'a mirror' });
    expect([changed.status, changed.json.masters]).toEqual([202, ['192.0.2.7:54']]);
    const before = (await shop.ask('GET', path)).json;
    expect(before).toMatchObject({ masters: ['192.0.2.7:54'], description: 'a mirror' });
    for (const body of [
      { email: 'a@b.example' },
      { ttl: 1 },
      { masters: [] },
      { masters: ['127.0.0.1'] },
      { type: 'PRIMARY' },
    ]) {
      const answer = await shop.ask('PATCH', path, body);
      expect([body, answer.status, answer.json.type]).toEqual([body, 400, 'invalid_object']);
    }
    expect((await shop.ask('GET', path)).json).toEqual(before);
    expect((await shop.ask('PATCH', path, before)).status).toBe(202);
  });

  it('has masters that a primary zone cannot have', async () => {
    const { id } = await shop.makeZone();
    const refused = await shop.ask('PATCH', `/v2/zones/${id}`, { masters: ['192.0.2.1'] });
    expect([refused.status, pathsOf(refused)]).toEqual([400, ['masters']]);
    expect((await shop.ask('PATCH', `/v2/zones/${id}`, { masters: [] })).status).toBe(202);
  });

  it('is read-only: its recordsets are those of its masters, for administrators too', async () => {
    const zone = await make();
    const path = `/v2/zones/${zone.id}/recordsets`;
    const body = { name: `www.${zone.name}`, type: 'A', records: ['192.0.2.1'] };
    const admin = { 'X-Auth-All-Projects': 'true', 'X-Designate-Edit-Managed-Records': 'true' };
    const [soa] = (await shop.ask('GET', path)).json.recordsets;
    const answers = [
      await shop.ask('POST', path, body),
      await shop.ask('PUT', `${path}/${soa.id}`, { ttl: 5 }),
      await shop.ask('PUT', `${path}/${soa.id}`, { records: ['x'] }),
      await shop.ask('DELETE', `${path}/${soa.id}`),
      await service.request('POST', path, { token: service.admin, headers: admin, body }),
    ];
    for (const { status, json } of answers) expect([status, json.type]).toEqual([403, 'forbidden']);
  });

  it('tells its owner what was heard from its masters', async () => {
    const zone = await make();
    await inStoreOf(
      service.dataDir,
      `update secondaries set fault = 'It refused.' where zone_id = '${zone.id}'`,
    );
    const { status, json } = await shop.ask('GET', `/v2/zones/${zone.id}/publication`);
    expect([status, json.transfer]).toMatchObject([
      200,
      { masters: ['192.0.2.1'], contacted_at: null, expires_at: null, expired: false, fault: 'It refused.' },
    ]);
    const primary = await shop.makeZone();
    expect((await shop.ask('GET', `/v2/zones/${primary.id}/publication`)).json).not.toHaveProperty(
      'transfer',
    );
  });

  it('can be deleted, and leaves nothing behind', async () => {
    const zone = await make();
    expect((await shop.ask('DELETE', `/v2/zones/${zone.id}`)).status).toBe(202);
    expect((await shop.ask('GET', `/v2/zones/${zone.id}`)).status).toBe(404);
    const rows = await inStoreOf(service.dataDir, `select * from secondaries where zone_id = '${zone.id}'`);
    expect(rows).toEqual([]);
  });

  it('goes to another project as any zone does', async () => {
    const zone = await make();
    const taker = await tenantOf(service, 'taker');
    const offered = await shop.ask('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, {});
    const accept = { zone_transfer_request_id: offered.json.id, key: offered.json.key };
    expect((await taker.ask('POST', '/v2/zones/tasks/transfer_accepts', accept)).status).toBe(201);
    const shown = await taker.ask('GET', `/v2/zones/${zone.id}`);
    expect(shown.json).toMatchObject({ type: 'SECONDARY', masters: ['192.0.2.1'], status: 'PENDING' });
  });
});

describe('POST /v2/zones/<id>/tasks/xfr', () => {
  const dueAt = async (id: string): Promise<string> =>
    (await shop.ask('GET', `/v2/zones/${id}/publication`)).json.transfer.due_at;

  it('makes a secondary zone due at once', async () => {
    const zone = await make();
    const far = '2999-01-01T00:00:00.000000';
    await inStoreOf(service.dataDir, `update secondaries set due_at = '${far}' where zone_id = '${zone.id}'`);
    const answer = await shop.ask('POST', `/v2/zones/${zone.id}/tasks/xfr`);
    expect([answer.status, answer.text]).toEqual([202, '']);
    // By now it may have been asked for in vain, and be due again; never more than an hour later.
    expect(Date.parse(`${(await dueAt(zone.id)).slice(0, 23)}Z`)).toBeLessThan(Date.now() + 2 * 3600_000);
  });

  it('is 400 for a primary zone, 404 for none, and not for readers', async () => {
    const primary = await shop.makeZone();
    const refused = await shop.ask('POST', `/v2/zones/${primary.id}/tasks/xfr`);
    expect([refused.status, refused.json.type]).toEqual([400, 'bad_request']);
    const missing = await shop.ask('POST', '/v2/zones/00000000-0000-4000-8000-000000000000/tasks/xfr');
    expect([missing.status, missing.json.type]).toEqual([404, 'zone_not_found']);
    const reader = await tenantOf(service, 'shop', 'reader');
    const zone = await make();
    expect((await reader.ask('POST', `/v2/zones/${zone.id}/tasks/xfr`)).json.type).toBe('access_denied');
  });
});

describe('[secondary] allowed_masters', () => {
  it('says where masters may be, this machine included', async () => {
    await service.restart({
      ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
      ZONEWARDEN_SECONDARY__ALLOWED_MASTERS: '127.0.0.0/8, 2001:db8::/32',
    });
    expect((await create(['127.0.0.1:5353', '2001:db8::1'])).status).toBe(202);
    expect((await create(['192.0.2.1'])).status).toBe(400);
    expect((await create(['::1'])).status).toBe(400);
  });
});
