import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from './service.ts';

const REQUESTS = '/v2/zones/tasks/transfer_requests';
const ACCEPTS = '/v2/zones/tasks/transfer_accepts';

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

let zonesMade = 0;
const ask = (method: string, path: string, token: string, body?: unknown, headers = {}) =>
  service.request(method, path, { token, body, headers });
async function makeZone(token = seller, name = `zone-${++zonesMade}.example.org.`) {
  const { json } = await ask('POST', '/v2/zones', token, { name, email: 'a@example.org' });
  return (await ask('GET', `/v2/zones/${json.id}`, token)).json;
}
const addRecordset = (zone: { id: string; name: string }, token = seller, records = ['192.0.2.1']) =>
  ask('POST', `/v2/zones/${zone.id}/recordsets`, token, { name: `www.${zone.name}`, type: 'A', records });
const offer = (zone: { id: string }, body?: object, token = seller) =>
  ask('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, token, body);
const accept = (request: { id: string; key: string }, token = buyer, key = request.key) =>
  ask('POST', ACCEPTS, token, { zone_transfer_request_id: request.id, key });
const usedZones = async (project: string) =>
  (await ask('GET', `/v2/quotas/${project}/usage`, service.admin)).json.usage.zones;
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

it('makes a request with a key of 128 random bits, whole for the owner of the zone', async () => {
  const zone = await makeZone();
  const { status, headers, json } = await offer(zone, {
    description: 'für dich',
    target_project_id: 'buyer',
  });
  expect(status).toBe(201);
  expect(json).toEqual({
    id: json.id,
    zone_id: zone.id,
    zone_name: zone.name,
    project_id: 'seller',
    target_project_id: 'buyer',
    description: 'für dich',
    key: expect.stringMatching(/^[A-Z2-7]{26}$/),
    status: 'ACTIVE',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
    updated_at: null,
    links: { self: `${service.url}${REQUESTS}/${json.id}` },
  });
  expect(headers.get('location')).toBe(json.links.self);
  expect((await ask('GET', `${REQUESTS}/${json.id}`, seller)).json).toEqual(json);
});

it('needs no body for a request, and answers one open request a zone', async () => {
  const zone = await makeZone();
  const first = await offer(zone);
  expect(first.json).toMatchObject({ description: null, target_project_id: null });
  expect((await offer(zone, {})).json).toMatchObject({ code: 409, type: 'duplicate_zone_transfer_request' });
  expect((await ask('DELETE', `${REQUESTS}/${first.json.id}`, seller)).status).toBe(204);
  expect((await ask('GET', `${REQUESTS}/${first.json.id}`, seller)).json.type).toBe(
    'zone_transfer_request_not_found',
  );
  const second = await offer(zone);
  expect(second.status).toBe(201);
  expect(second.json.key).not.toBe(first.json.key);
});

it('lets one of many parallel requests for a zone through', async () => {
  const zone = await makeZone();
  const answers = await Promise.all(Array.from({ length: 5 }, () => offer(zone)));
  expect(statuses(answers)).toEqual([201, 409, 409, 409, 409]);
});

it('names every fault of a body', async () => {
  const zone = await makeZone();
  const wrong = await offer(zone, { target_project_id: 'a/b', description: 7, key: 'MINE' });
  expect(wrong.json).toMatchObject({ code: 400, type: 'invalid_object' });
  expect(wrong.json.errors.errors.map(({ path }: { path: string[] }) => path[0]).sort()).toEqual([
    'description',
    'key',
    'target_project_id',
  ]);
  expect((await offer(zone, { target_project_id: 'seller' })).json.errors.errors).toMatchObject([
    { path: ['target_project_id'] },
  ]);
  expect(
    (await ask('POST', ACCEPTS, buyer, { zone_transfer_request_id: 'x' })).json.errors.errors,
  ).toHaveLength(2);
  expect((await ask('POST', ACCEPTS, buyer)).json.type).toBe('empty_request_body');
});

it('shows a request without key and target to the project that it names, and to no other', async () => {
  const request = (await offer(await makeZone(), { target_project_id: 'buyer' })).json;
  const { key: _key, target_project_id: _target, ...outline } = request;
  expect((await ask('GET', `${REQUESTS}/${request.id}`, buyer)).json).toEqual(outline);
  expect((await ask('GET', REQUESTS, buyer)).json.transfer_requests).toContainEqual(outline);
  expect((await ask('GET', `${REQUESTS}/${request.id}`, other)).status).toBe(404);
  expect((await ask('GET', REQUESTS, other)).json.transfer_requests).toEqual([]);
});

it('shows a request without target to whoever knows its id, and lists it for its owner alone', async () => {
  const request = (await offer(await makeZone())).json;
  const seen = await ask('GET', `${REQUESTS}/${request.id}`, other);
  expect(seen.status).toBe(200);
  expect(seen.json).not.toHaveProperty('key');
  expect(seen.json).not.toHaveProperty('target_project_id');
  expect((await ask('GET', REQUESTS, other)).json.transfer_requests).toEqual([]);
  expect((await ask('GET', `${REQUESTS}?limit=max`, seller)).json.transfer_requests).toContainEqual(request);
});

it('shows all requests to an administrator who asks for all projects, and none without', async () => {
  const request = (await offer(await makeZone(), { target_project_id: 'buyer' })).json;
  const path = `${REQUESTS}?limit=max`;
  const all = await ask('GET', path, service.admin, undefined, { 'x-auth-all-projects': 'True' });
  expect(all.json.transfer_requests).toContainEqual(request);
  expect((await ask('GET', path, service.admin)).json.transfer_requests).toEqual([]);
  expect((await ask('GET', path, seller, undefined, { 'x-auth-all-projects': 'True' })).status).toBe(401);
});

it('lets the owner alone change or delete a request, and only while it is open', async () => {
  const request = (await offer(await makeZone())).json;
  const path = `${REQUESTS}/${request.id}`;
  const changes = { description: 'new', target_project_id: 'buyer' };
  const changed = await ask('PATCH', path, seller, changes);
  expect(changed.status).toBe(200);
  expect(changed.json).toEqual({ ...request, ...changes, updated_at: expect.any(String) });
  expect((await ask('PATCH', path, seller, { target_project_id: 'seller' })).status).toBe(400);
  expect((await ask('PATCH', path, seller, { status: 'COMPLETE' })).status).toBe(400);
  for (const method of ['PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { description: 'mine' } : undefined;
    expect((await ask(method, path, buyer, body)).json).toMatchObject({ code: 403, type: 'forbidden' });
    expect((await ask(method, path, other, body)).json.code).toBe(404);
  }
  await accept(changed.json);
  expect((await ask('PATCH', path, seller, {})).json.type).toBe('invalid_zone_transfer_request');
  expect((await ask('DELETE', path, seller)).status).toBe(204);
});

it('wants a member for every write, and an administrator for the list of accepts', async () => {
  const zone = await makeZone();
  const request = (await offer(zone)).json;
  const reader = await service.token('seller', 'reader');
  expect((await offer(zone, {}, reader)).status).toBe(401);
  expect((await ask('PATCH', `${REQUESTS}/${request.id}`, reader, {})).status).toBe(401);
  expect((await ask('DELETE', `${REQUESTS}/${request.id}`, reader)).status).toBe(401);
  expect((await accept(request, await service.token('buyer', 'reader'))).status).toBe(401);
  expect((await ask('GET', `${REQUESTS}/${request.id}`, reader)).json.key).toBe(request.key);
  expect((await ask('GET', ACCEPTS, buyer)).status).toBe(401);
  expect((await offer(zone, {}, other)).json.type).toBe('zone_not_found');
});

it('hands over the zone with all it holds in one step of its serial', async () => {
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
  expect(now.serial).toBeGreaterThan(zone.serial);
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

it('refuses to hand a zone to the project that has it', async () => {
  const request = (await offer(await makeZone())).json;
  expect((await accept(request, seller)).json).toMatchObject({
    code: 400,
    type: 'invalid_zone_transfer_request',
  });
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

it('removes the requests and accepts of a deleted zone', async () => {
  const zone = await makeZone();
  const used = (await offer(zone)).json;
  const accepted = (await accept(used)).json;
  const open = (await offer(zone, { target_project_id: 'other' }, buyer)).json;
  await ask('DELETE', `/v2/zones/${zone.id}`, buyer);
  expect((await ask('GET', `${REQUESTS}/${used.id}`, seller)).status).toBe(404);
  expect((await ask('GET', `${REQUESTS}/${open.id}`, buyer)).status).toBe(404);
  expect((await ask('GET', `${ACCEPTS}/${accepted.id}`, buyer)).status).toBe(404);
  expect((await accept(open, other)).status).toBe(404);
});

it('pages, sorts and filters the lists', async () => {
  const token = await service.token('lister', 'member');
  const made: string[] = [];
  for (let n = 0; n < 3; n++) made.push((await offer(await makeZone(token), {}, token)).json.id);
  const list = async (query: string) => (await ask('GET', `${REQUESTS}?${query}`, token)).json;
  const ids = (page: { transfer_requests: { id: string }[] }) => page.transfer_requests.map(({ id }) => id);
  const first = await list('limit=2');
  expect(ids(first)).toEqual(made.slice(0, 2));
  expect(first.links.next).toContain(`marker=${made[1]}`);
  const last = await list(`limit=2&marker=${made[1]}`);
  expect(ids(last)).toEqual(made.slice(2));
  expect(last.links).not.toHaveProperty('next');
  expect(ids(await list('sort_dir=desc'))).toEqual(made.toReversed());
  expect(ids(await list('status=COMPLETE'))).toEqual([]);
  expect(ids(await list('status=ACT*'))).toEqual(made);
  expect((await list('key=x')).type).toBe('bad_request');
  expect((await list(`marker=${randomUUID()}`)).type).toBe('marker_not_found');
});
