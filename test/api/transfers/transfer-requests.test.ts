import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACCEPTS, dealings, REQUESTS } from '../../support/dealings.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

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

const { ask, makeZone, offer, accept } = dealings(() => ({ service, seller, buyer }));
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

it('shows any request to an administrator who knows its id', async () => {
  const request = (await offer(await makeZone(), { target_project_id: 'buyer' })).json;
  expect((await ask('GET', `${REQUESTS}/${request.id}`, service.admin)).json).toEqual(request);
});

it('lets the owner alone change or delete a request, and only while it is open', async () => {
  const request = (await offer(await makeZone())).json;
  const path = `${REQUESTS}/${request.id}`;
  const changes = { description: 'new', target_project_id: 'buyer' };
  const changed = await ask('PATCH', path, seller, changes);
  expect(changed.status).toBe(200);
  expect(changed.json).toEqual({ ...request, ...changes, updated_at: expect.any(String) });
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
