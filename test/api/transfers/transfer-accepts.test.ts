import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACCEPTS, dealings, REQUESTS } from '../../support/dealings.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let seller: string;
let buyer: string;
let other: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  seller = await service.token('seller', 'member');
  buyer = await service.token('buyer', 'member');
  other = await service.token('other', 'member');
});
afterAll(() => service.remove());

const { ask, makeZone, addRecordset, offer, accept, usedZones } = dealings(() => ({
  service,
  seller,
  buyer,
}));

it('hands over the zone with all it holds, and its DNS data as it is', async () => {
  const before = await makeZone();
  const recordset = (await addRecordset(before)).json;
  const zone = (await ask('GET', `/v2/zones/${before.id}`, seller)).json;
  const [sold, bought] = [await usedZones('seller'), await usedZones('buyer')];
  const request = (await offer(zone, { target_project_id: 'buyer' })).json;
  const { status, headers, json } = await accept(request);
  expect(status).toBe(201);
  expect(json).toEqual({
    id: json.id,
    status: 'COMPLETE',
    zone_id: zone.id,
    project_id: 'buyer',
    key: request.key,
    zone_transfer_request_id: request.id,
    created_at: expect.any(String),
    updated_at: null,
    links: { self: `${service.url}${ACCEPTS}/${json.id}`, zone: `${service.url}/v2/zones/${zone.id}` },
  });
  expect(headers.get('location')).toBe(json.links.self);
  const now = (await ask('GET', `/v2/zones/${zone.id}`, buyer)).json;
  expect(now).toMatchObject({ project_id: 'buyer', version: zone.version + 1, status: 'ACTIVE' });
  expect(now.transferred_at).toBe(now.updated_at);
  expect(now.serial).toBe(zone.serial);
  const held = (await ask('GET', `/v2/zones/${zone.id}/recordsets`, buyer)).json.recordsets;
  expect(held.map((one: { project_id: string }) => one.project_id)).toEqual(['buyer', 'buyer', 'buyer']);
  const soa = held.find(({ type }: { type: string }) => type === 'SOA');
  expect(soa.records[0]).toContain(` ${now.serial} `);
  expect((await ask('GET', `/v2/recordsets/${recordset.id}`, buyer)).status).toBe(301);
  expect((await ask('GET', `/v2/zones/${zone.id}`, seller)).status).toBe(404);
  expect((await ask('GET', `/v2/recordsets/${recordset.id}`, seller)).status).toBe(404);
  expect([await usedZones('seller'), await usedZones('buyer')]).toEqual([sold - 1, bought + 1]);
  expect((await ask('GET', `${REQUESTS}/${request.id}`, seller)).json.status).toBe('COMPLETE');
});

it('counts the recordsets for the project that has them', async () => {
  const [from, to] = [
    await service.token('counted-from', 'member'),
    await service.token('counted-to', 'member'),
  ];
  const zone = await makeZone(from);
  await addRecordset(zone, from);
  await accept((await offer(zone, {}, from)).json, to);
  const total = async (token: string) =>
    (await ask('GET', '/v2/recordsets', token)).json.metadata.total_count;
  expect([await total(from), await total(to)]).toEqual([0, 3]);
  await ask('DELETE', `/v2/zones/${zone.id}`, to);
  expect([await total(from), await total(to)]).toEqual([0, 0]);
});

it('shows an accept to the project that made it, and all of them to an administrator', async () => {
  const accepted = (await accept((await offer(await makeZone())).json)).json;
  expect((await ask('GET', `${ACCEPTS}/${accepted.id}`, buyer)).json).toEqual(accepted);
  expect((await ask('GET', `${ACCEPTS}/${accepted.id}`, seller)).json.type).toBe(
    'zone_transfer_accept_not_found',
  );
  const everywhere = { 'x-auth-all-projects': 'true' };
  const all = await ask('GET', `${ACCEPTS}?limit=max`, service.admin, undefined, everywhere);
  expect(all.json.transfer_accepts).toContainEqual(accepted);
  expect((await ask('GET', ACCEPTS, service.admin)).json.transfer_accepts).toEqual([]);
});

it('refuses the request that was used, is unknown, or is for another project', async () => {
  const request = (await offer(await makeZone(), { target_project_id: 'buyer' })).json;
  expect((await accept(request, other)).json).toMatchObject({ code: 403, type: 'forbidden' });
  expect((await accept({ id: randomUUID(), key: 'K' })).json).toMatchObject({
    code: 404,
    type: 'zone_transfer_request_not_found',
  });
  expect((await accept(request)).status).toBe(201);
  expect((await accept(request)).json).toMatchObject({ code: 400, type: 'invalid_zone_transfer_request' });
});

it('hands a zone to the project that has it: nothing moves', async () => {
  const zone = await makeZone();
  const used = await usedZones('seller');
  const request = (await offer(zone)).json;
  expect((await accept(request, seller)).json).toMatchObject({ status: 'COMPLETE', project_id: 'seller' });
  const now = (await ask('GET', `/v2/zones/${zone.id}`, seller)).json;
  expect(now).toMatchObject({ project_id: 'seller', serial: zone.serial, version: zone.version + 1 });
  expect(now.transferred_at).toBe(now.updated_at);
  expect(await usedZones('seller')).toBe(used);
  expect((await ask('GET', `${REQUESTS}/${request.id}`, seller)).json.status).toBe('COMPLETE');
});

it('lets an administrator take what is offered to another project', async () => {
  const zone = await makeZone();
  const request = (await offer(zone, { target_project_id: 'buyer' })).json;
  expect((await accept(request, other)).json).toMatchObject({ code: 403, type: 'forbidden' });
  expect((await accept(request, service.admin)).json).toMatchObject({ project_id: 'admin' });
  expect((await ask('GET', `/v2/zones/${zone.id}`, service.admin)).json.project_id).toBe('admin');
});

it('can hand a zone back, by a request of its new owner', async () => {
  const zone = await makeZone();
  await accept((await offer(zone)).json);
  expect((await offer(zone)).status).toBe(404);
  const back = (await offer(zone, {}, buyer)).json;
  expect(back.project_id).toBe('buyer');
  expect((await accept(back, seller)).status).toBe(201);
});

it('asks no blacklist', async () => {
  const zone = await makeZone();
  await ask('POST', '/v2/blacklists', service.admin, { pattern: `^${zone.name.replaceAll('.', '\\.')}$` });
  expect((await accept((await offer(zone)).json)).status).toBe(201);
});

it('refuses a zone that would lie above or below a zone of another project', async () => {
  const parent = await makeZone(seller, 'family.example.net.');
  const child = await makeZone(seller, 'child.family.example.net.');
  const [parentOffer, childOffer] = [(await offer(parent)).json, (await offer(child)).json];
  const used = await usedZones('buyer');
  expect((await accept(childOffer)).json).toMatchObject({ code: 403, type: 'illegal_child' });
  expect((await accept(parentOffer)).json).toMatchObject({ code: 403, type: 'illegal_parent' });
  expect(await usedZones('buyer')).toBe(used);
  await ask('DELETE', `/v2/zones/${child.id}`, seller);
  expect((await accept(parentOffer)).status).toBe(201);
});

it('removes the open request of a deleted zone, and keeps what was used', async () => {
  const zone = await makeZone();
  const used = (await offer(zone)).json;
  const accepted = (await accept(used)).json;
  const open = (await offer(zone, { target_project_id: 'other' }, buyer)).json;
  await ask('DELETE', `/v2/zones/${zone.id}`, buyer);
  expect((await ask('GET', `${REQUESTS}/${open.id}`, buyer)).status).toBe(404);
  expect((await ask('GET', `${REQUESTS}/${used.id}`, seller)).json).toMatchObject({
    status: 'COMPLETE',
    zone_name: zone.name,
  });
  expect((await ask('GET', `${ACCEPTS}/${accepted.id}`, buyer)).json).toEqual(accepted);
  expect((await ask('DELETE', `${REQUESTS}/${used.id}`, seller)).status).toBe(204);
  expect((await accept(open, other)).status).toBe(404);
});
