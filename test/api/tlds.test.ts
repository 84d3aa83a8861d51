import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.remove());

const PATH = '/v2/tlds';
const ask = (method: string, path: string, body?: object, token = service.admin): Promise<Answer> =>
  service.request(method, path, { token, ...(body === undefined ? {} : { body }) });
const store = (name: string): Promise<Answer> => ask('POST', PATH, { name });
const create = (name: string, token = service.admin): Promise<Answer> =>
  ask('POST', '/v2/zones', { name, email: 'a@example.org' }, token);
const load = (name: string, token = service.admin): Promise<Answer> =>
  service.request('POST', '/v2/zones/tasks/imports', {
    token,
    body: `$ORIGIN ${name}\n@ 3600 IN SOA ns1.${name} a.${name} 1 3600 600 86400 300\n@ 3600 IN NS ns1.example.org.\n`,
    headers: { 'content-type': 'text/dns' },
  });
const outcome = ({ status, json }: Answer): unknown =>
  status === 400 ? [status, json.type, json.message] : status;
const INVALID = [400, 'invalid_zone_name', 'Invalid TLD'];

describe('a TLD', () => {
  it('is answered with all its fields, its name in lower case as A-labels', async () => {
    const { status, json, headers } = await ask('POST', PATH, { name: 'Xn--P1AI', description: 'Russia' });
    expect([status, json]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'xn--p1ai',
        description: 'Russia',
        created_at: expect.stringMatching(/^\d{4}-.*\.\d{6}$/),
        updated_at: null,
        links: { self: `${service.url}${PATH}/${json.id}` },
      },
    ]);
    expect(headers.get('location')).toBe(json.links.self);
    expect((await ask('GET', `${PATH}/${json.id}`)).json).toEqual(json);
    expect((await store('рф')).json.type).toBe('duplicate_tld');
    expect((await store('CO.UK')).json).toMatchObject({ name: 'co.uk', description: null });
  });

  it('changes in name and description, and is gone once deleted', async () => {
    const { id } = (await store('com')).json;
    const { status, json } = await ask('PATCH', `${PATH}/${id}`, { name: 'NET', description: 'network' });
    expect([status, json]).toMatchObject([200, { id, name: 'net', description: 'network' }]);
    expect(json.updated_at > json.created_at).toBe(true);
    expect((await ask('PATCH', `${PATH}/${id}`, {})).json.name).toBe('net');
    expect((await ask('DELETE', `${PATH}/${id}`)).status).toBe(204);
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
      const { status, json } = await ask(method, `${PATH}/${id}`, body);
      expect([method, status, json.type]).toEqual([method, 404, 'tld_not_found']);
    }
  });

  it('shares its name with no other, also when parallel requests bring one', async () => {
    const { id } = (await store('com')).json;
    for (const [method, path] of [
      ['POST', PATH],
      ['PATCH', `${PATH}/${(await store('net')).json.id}`],
    ] as const) {
      const { status, json } = await ask(method, path, { name: 'COM' });
      expect([method, status, json.type]).toEqual([method, 409, 'duplicate_tld']);
    }
    expect((await ask('PATCH', `${PATH}/${id}`, { name: 'Com' })).status).toBe(200);
    const answers = await Promise.all([
      store('org'),
      store('org'),
      ask('PATCH', `${PATH}/${id}`, { name: 'org' }),
    ]);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
  });

  it('is refused if its name is none', async () => {
    for (const name of ['', '.', 'com.', 'a b', '*.ck', '-a', 'co..uk', `${'a'.repeat(64)}`, 5, null]) {
      const { status, json } = await ask('POST', PATH, { name });
      expect([name, status, json.type]).toEqual([name, 400, 'invalid_object']);
    }
    const { json } = await ask('POST', PATH, { description: 5, colour: 'red' });
    const paths = json.errors.errors.map(({ path }: { path: string[] }) => path[0]);
    expect(paths.sort()).toEqual(['colour', 'description', 'name']);
    expect((await ask('GET', PATH)).json.tlds).toEqual([]);
  });

  it('is for administrators alone, and each change of one is an event', async () => {
    const { id } = (await store('com')).json;
    const member = await service.token('mine', 'member');
    for (const [method, path, body] of [
      ['POST', PATH, { name: 'net' }],
      ['GET', PATH],
      ['GET', `${PATH}/${id}`],
      ['PATCH', `${PATH}/${id}`, {}],
      ['DELETE', `${PATH}/${id}`],
    ] as const) {
      const { status, json } = await ask(method, path, body, member);
      expect([method, path, status, json.type]).toEqual([method, path, 401, 'access_denied']);
    }
    await ask('PATCH', `${PATH}/${id}`, { name: 'net' });
    await ask('DELETE', `${PATH}/${id}`);
    const events = service.logged.filter(({ event }) => String(event).startsWith('tld.'));
    expect(events.map(({ event, tld }) => [event, tld])).toEqual([
      ['tld.created', 'com'],
      ['tld.changed', 'net'],
      ['tld.deleted', 'net'],
    ]);
  });

  it('is found by its name, in any spelling, and by a part of it', async () => {
    for (const name of ['com', 'рф', 'co.uk', 'uk']) await store(name);
    const names = async (query: string): Promise<string[]> =>
      (await ask('GET', `${PATH}?sort_key=name&${query}`)).json.tlds.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names('')).toEqual(['co.uk', 'com', 'uk', 'xn--p1ai']);
    expect(await names(`name=${encodeURIComponent('РФ')}`)).toEqual(['xn--p1ai']);
    expect(await names('name=*UK')).toEqual(['co.uk', 'uk']);
    expect(await names('name=COM')).toEqual(['com']);
  });
});

describe.each([
  ['a create', create],
  ['an import', load],
])('%s of a zone', (_, make) => {
  it('needs a name below a TLD, which is none itself, once one is stored', async () => {
    expect(outcome(await make('anything.example.'))).toBe(202);
    for (const name of ['com', 'co.uk', 'рф', 'a.b.c.d.e.f.g']) await store(name);
    for (const name of [
      'one.com.',
      'two.one.com.',
      'Shop.CO.UK.',
      'пример.рф.',
      'z.a.b.c.d.e.f.g.',
      'q.w.e.r.t.y.u.com.',
    ]) {
      expect([name, outcome(await make(name))]).toEqual([name, 202]);
    }
    for (const name of [
      'more.example.',
      'shop.uk.',
      'co.uk.',
      'A.b.c.d.e.f.g.',
      'f.g.',
      'com.example.',
      'xcom.org.',
    ]) {
      expect([name, outcome(await make(name))]).toEqual([name, INVALID]);
    }
  });

  it('needs none once the last is deleted', async () => {
    const { id } = (await store('com')).json;
    expect(outcome(await make('one.example.'))).toEqual(INVALID);
    await ask('DELETE', `${PATH}/${id}`);
    expect(outcome(await make('one.example.'))).toBe(202);
  });

  it('is refused for its blacklist first, and for its TLD before its quota and other zones', async () => {
    const member = await service.token('tenant', 'member');
    await create('taken.example.');
    await ask('POST', '/v2/blacklists', { pattern: '^black\\.' });
    await ask('PATCH', '/v2/quotas/tenant', { zones: 0 });
    await store('com');
    expect((await make('black.example.', member)).json.message).toBe('Blacklisted domain name');
    expect(outcome(await make('below.taken.example.', member))).toEqual(INVALID);
    expect((await make('one.com.', member)).status).toBe(413);
    const refused = service.logged.filter(({ event }) => event === 'refused.tld');
    expect(refused).toMatchObject([{ zone: 'below.taken.example.', name_is: 'below no TLD' }]);
  });
});

it('leaves zones that exist, and their transfers, as they are', async () => {
  const { id } = (await create('old.example.')).json;
  await store('com');
  const email = { email: 'b@example.org' };
  expect((await ask('PATCH', `/v2/zones/${id}`, email)).status).toBe(202);
  const request = (await ask('POST', `/v2/zones/${id}/tasks/transfer_requests`, {})).json;
  const other = await service.token('other', 'member');
  const accept = { zone_transfer_request_id: request.id, key: request.key };
  expect((await ask('POST', '/v2/zones/tasks/transfer_accepts', accept, other)).status).toBe(201);
});
