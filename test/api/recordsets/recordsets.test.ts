import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  tenant = await tenantOf(service, 'tenant');
});
afterAll(() => service.remove());

const pathOf = ({ zone_id, id }: { zone_id: string; id: string }) => `/v2/zones/${zone_id}/recordsets/${id}`;
const faultsOf = ({ json }: { json: { errors?: { errors: { path: unknown[] }[] } } }) =>
  json.errors?.errors.map(({ path }) => path.join('.')).sort();

it('creates a recordset with all its fields, 202 and a Location', async () => {
  const zone = await tenant.makeZone();
  const name = `www.${zone.name}`;
  const records = ['192.0.2.3', '192.0.2.1', '192.0.2.2'];
  const { status, headers, json } = await tenant.create(zone, {
    name,
    type: 'A',
    records,
    ttl: 60,
    description: 'ü',
  });
  expect(status).toBe(202);
  expect(json).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    zone_id: zone.id,
    zone_name: zone.name,
    project_id: 'tenant',
    name,
    type: 'A',
    records,
    ttl: 60,
    description: 'ü',
    status: 'PENDING',
    action: 'CREATE',
    version: 1,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
    updated_at: null,
    links: { self: `${service.url}/v2/zones/${zone.id}/recordsets/${json.id}` },
  });
  expect(headers.get('location')).toBe(json.links.self);
  const stored = await tenant.ask('GET', pathOf(json));
  expect(stored.status).toBe(200);
  expect(stored.json).toEqual({ ...json, status: 'ACTIVE', action: 'NONE' });
});

it('leaves TTL and description null where they are not given', async () => {
  const zone = await tenant.makeZone();
  const { json } = await tenant.create(zone, {
    name: zone.name,
    type: 'MX',
    records: ['10 mx.example.net.'],
  });
  expect(json).toMatchObject({ ttl: null, description: null });
});

it('merges a PUT: what is not sent stays, null takes TTL and description back', async () => {
  const zone = await tenant.makeZone();
  const draft = { name: `a.${zone.name}`, type: 'A', records: ['192.0.2.1'], ttl: 60, description: 'old' };
  const path = pathOf((await tenant.create(zone, draft)).json);
  const put = async (body: object) => (await tenant.ask('PUT', path, body)).json;
  expect(await put({ ttl: 300 })).toMatchObject({
    ...draft,
    ttl: 300,
    action: 'UPDATE',
    status: 'PENDING',
    version: 2,
  });
  expect(await put({ records: ['192.0.2.9', '192.0.2.8'] })).toMatchObject({
    ttl: 300,
    description: 'old',
    records: ['192.0.2.9', '192.0.2.8'],
  });
  const last = await put({ ttl: null, description: null });
  expect(last).toMatchObject({
    ttl: null,
    description: null,
    records: ['192.0.2.9', '192.0.2.8'],
    version: 4,
  });
  expect(last.updated_at > last.created_at).toBe(true);
  expect((await tenant.ask('GET', path)).json).toEqual({ ...last, status: 'ACTIVE', action: 'NONE' });
});

it('changes neither name nor type nor what is read-only', async () => {
  const zone = await tenant.makeZone();
  const path = pathOf(
    (await tenant.create(zone, { name: zone.name, type: 'A', records: ['192.0.2.1'] })).json,
  );
  const answer = await tenant.ask('PUT', path, { name: `b.${zone.name}`, type: 'AAAA', id: 'x', version: 9 });
  expect(answer.json.type).toBe('invalid_object');
  expect(faultsOf(answer)).toEqual(['id', 'name', 'type', 'version']);
});

it('deletes with 202 and the body, and is 404 at once', async () => {
  const zone = await tenant.makeZone();
  const made = (await tenant.create(zone, { name: zone.name, type: 'A', records: ['192.0.2.1'] })).json;
  const gone = await tenant.ask('DELETE', pathOf(made));
  expect([gone.status, gone.json]).toEqual([202, { ...made, action: 'DELETE' }]);
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const body = method === 'PUT' ? {} : undefined;
    expect((await tenant.ask(method, pathOf(made), body)).json).toMatchObject({
      code: 404,
      type: 'recordset_not_found',
    });
  }
});

it('answers records as they were sent and in their order, and names in canonical form', async () => {
  const zone = await tenant.makeZone();
  const name = `BÜRO.${zone.name.toUpperCase()}`;
  const records = ['2001:DB8:0:0::2', '2001:db8::1'];
  const { json } = await tenant.create(zone, { name, type: 'AAAA', records });
  expect(json).toMatchObject({ name: `xn--bro-hoa.${zone.name}`, records });
});

it('keeps the SOA and the NS at the apex to itself', async () => {
  const zone = await tenant.makeZone();
  const soa = 'ns.example. a.example. 1 2 3 4 5';
  for (const [name, type, record] of [
    [zone.name, 'SOA', soa],
    [`a.${zone.name}`, 'SOA', soa],
    [zone.name, 'NS', 'ns.example.'],
  ] as const) {
    expect((await tenant.create(zone, { name, type, records: [record] })).json.type).toBe('bad_request');
  }
  const { recordsets } = (await tenant.ask('GET', `/v2/zones/${zone.id}/recordsets`)).json;
  expect(recordsets.map(({ type }: { type: string }) => type).sort()).toEqual(['NS', 'SOA']);
  for (const managed of recordsets) {
    expect((await tenant.ask('PUT', pathOf(managed), { ttl: 60 })).json).toMatchObject({
      code: 400,
      type: 'bad_request',
    });
    expect((await tenant.ask('DELETE', pathOf(managed))).json).toMatchObject({
      code: 400,
      type: 'bad_request',
    });
  }
});

it('is one step of the serial and version for each committed change, and none for a refused one', async () => {
  const zone = await tenant.makeZone();
  const name = `a.${zone.name}`;
  let last = zone;
  const expectStep = async (steps: 0 | 1) => {
    const now = await tenant.look(zone);
    expect(now.version - last.version).toBe(steps);
    if (steps === 1) expect(now.serial).toBeGreaterThan(last.serial);
    else expect(now.serial).toBe(last.serial);
    const soas = (await tenant.ask('GET', `/v2/zones/${zone.id}/recordsets?type=SOA`)).json.recordsets;
    expect(soas[0].records[0].split(' ')[2]).toBe(String(now.serial));
    last = now;
  };
  const { json } = await tenant.create(zone, { name, type: 'A', records: ['192.0.2.1'] });
  await expectStep(1);
  await tenant.create(zone, { name, type: 'A', records: ['192.0.2.1'] });
  await tenant.create(zone, { name, type: 'CNAME', records: ['x.example.'] });
  await tenant.create(zone, { name, type: 'A', records: ['x'] });
  await tenant.ask('PUT', pathOf(json), { records: ['x'] });
  await expectStep(0);
  await tenant.ask('PUT', pathOf(json), { ttl: 60 });
  await expectStep(1);
  await tenant.ask('DELETE', pathOf(json));
  await expectStep(1);
  await tenant.ask('DELETE', pathOf(json));
  await expectStep(0);
});

it('is not there for another project, whatever it asks', async () => {
  const zone = await tenant.makeZone();
  const draft = { name: zone.name, type: 'A', records: ['192.0.2.1'] };
  const made = (await tenant.create(zone, draft)).json;
  const stranger = await tenantOf(service, 'stranger');
  const asked = [
    await stranger.create(zone, { ...draft, type: 'TXT', records: ['x'] }),
    await stranger.ask('GET', `/v2/zones/${zone.id}/recordsets`),
    await stranger.ask('GET', pathOf(made)),
    await stranger.ask('PUT', pathOf(made), { ttl: 60 }),
    await stranger.ask('DELETE', pathOf(made)),
  ];
  for (const { json } of asked) expect(json).toMatchObject({ code: 404, type: 'zone_not_found' });
  expect((await stranger.ask('GET', `/v2/recordsets/${made.id}`)).json.type).toBe('recordset_not_found');
  const mine = await stranger.makeZone();
  expect((await stranger.ask('GET', pathOf({ ...made, zone_id: mine.id }))).json.type).toBe(
    'recordset_not_found',
  );
});

it('lets a reader read and not write', async () => {
  const zone = await tenant.makeZone();
  const draft = { name: zone.name, type: 'A', records: ['192.0.2.1'] };
  const made = (await tenant.create(zone, draft)).json;
  const reader = await tenantOf(service, 'tenant', 'reader');
  expect((await reader.ask('GET', pathOf(made))).status).toBe(200);
  expect((await reader.ask('GET', `/v2/zones/${zone.id}/recordsets`)).status).toBe(200);
  expect((await reader.create(zone, draft)).status).toBe(401);
  expect((await reader.ask('PUT', pathOf(made), { ttl: 60 })).status).toBe(401);
  expect((await reader.ask('DELETE', pathOf(made))).status).toBe(401);
});

it('answers an unknown zone, an id that is none, and a method it does not know', async () => {
  const zone = await tenant.makeZone();
  expect((await tenant.ask('GET', `/v2/zones/${randomUUID()}/recordsets`)).json.type).toBe('zone_not_found');
  expect((await tenant.ask('GET', `/v2/zones/${zone.id}/recordsets/7`)).json.type).toBe('invalid_uuid');
  expect((await tenant.ask('GET', '/v2/zones/7/recordsets')).json.type).toBe('invalid_uuid');
  const patch = await tenant.ask('PATCH', `/v2/zones/${zone.id}/recordsets/${randomUUID()}`, {});
  expect([patch.status, patch.headers.get('allow')]).toEqual([405, 'GET, PUT, DELETE, HEAD']);
});
