import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf } from '../../support/store.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.remove());

const PATH = '/v2/tokens';
const ask = (method: string, path: string, body?: object, headers = {}): Promise<Answer> =>
  service.request(method, path, { token: service.admin, headers, ...(body === undefined ? {} : { body }) });
const DRAFT = { project_id: 'shop', roles: ['member'] };
const statusOf = async (token: string) => (await service.request('GET', '/v2/zones', { token })).status;

describe('a token', () => {
  it('is shown once, in an answer that nobody may keep, and works at once', async () => {
    const { status, json, headers } = await ask('POST', PATH, { ...DRAFT, user_id: 'ann' });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(json).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      project_id: 'shop',
      user_id: 'ann',
      roles: ['member'],
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{6}$/),
      expires_at: null,
      links: { self: `${service.url}${PATH}/${json.id}` },
      token: expect.stringMatching(new RegExp(`^zw_${json.id}_`)),
    });
    expect(headers.get('location')).toBe(json.links.self);
    expect(await statusOf(json.token)).toBe(200);
    const { token: text, ...shown } = json;
    expect((await ask('GET', `${PATH}/${json.id}`)).json).toEqual(shown);
    const list = await ask('GET', `${PATH}?project_id=shop`);
    expect(list.json.tokens).toEqual([shown]);
    expect(list.text + JSON.stringify(service.logged)).not.toContain(text.split('_').slice(2).join('_'));
  });

  it('has a description where it is given one, in every answer and in its event', async () => {
    const description = 'Builds of the shop, by „Ann“ 😀\n';
    const { status, json } = await ask('POST', PATH, { ...DRAFT, description });
    expect([status, json.description]).toEqual([201, description]);
    const { token: _, ...shown } = json;
    expect((await ask('GET', `${PATH}/${json.id}`)).json).toEqual(shown);
    expect((await ask('GET', `${PATH}?project_id=shop`)).json.tokens).toEqual([shown]);
    const events = await eventually(async () => {
      const found = await ask('GET', '/v2/events?type=token.created');
      return found.json.events.length === 1 ? found.json.events : undefined;
    });
    expect(events[0].after).toEqual({
      project_id: 'shop',
      user_id: json.id,
      roles: ['member'],
      expires_at: null,
      description,
    });
  });

  it('shows no description where it has none', async () => {
    for (const body of [DRAFT, { ...DRAFT, description: null }]) {
      const { status, json } = await ask('POST', PATH, body);
      expect(status).toBe(201);
      expect(json).not.toHaveProperty('description');
      expect((await ask('GET', `${PATH}/${json.id}`)).json).not.toHaveProperty('description');
    }
    const { tokens } = (await ask('GET', `${PATH}?project_id=shop`)).json;
    expect(tokens.map((token: object) => 'description' in token)).toEqual([false, false]);
  });

  it.each([
    ['longer than 1,024 characters', 'é'.repeat(1025)],
    ['that is no text', 5],
    ['with U+0000', 'a\u0000b'],
    ['with half a surrogate pair', 'a\ud800b'],
  ])('is refused with a description %s, in the words of other descriptions', async (_, description) => {
    const { status, json } = await ask('POST', PATH, { ...DRAFT, description });
    expect([status, json.type]).toEqual([400, 'invalid_object']);
    const other = await ask('POST', '/v2/tlds', { name: 'net', description });
    expect(other.status).toBe(400);
    expect(json.errors).toEqual(other.json.errors);
    expect((await ask('GET', `${PATH}?project_id=shop`)).json.tokens).toEqual([]);
  });

  it('has a description of 1,024 characters, however many bytes they take', async () => {
    const description = '😀'.repeat(1024);
    const { json } = await ask('POST', PATH, { ...DRAFT, description });
    expect((await ask('GET', `${PATH}/${json.id}`)).json.description).toBe(description);
  });

  it('is given roles in lower case once, and an expiry as a time or from now', async () => {
    const expiring = async (expires_at: string) =>
      (await ask('POST', PATH, { ...DRAFT, expires_at })).json.expires_at;
    expect(await expiring('2100-02-28')).toBe('2100-02-28T00:00:00.000000');
    expect(await expiring('2100-02-28T12:00:00+02:00')).toBe('2100-02-28T10:00:00.000000');
    expect(await expiring('2100-02-28T12:00:00.123000')).toBe('2100-02-28T12:00:00.123000');
    expect((await expiring('90d')) > new Date(Date.now() + 89.9 * 86_400_000).toISOString()).toBe(true);
    expect((await ask('POST', PATH, { ...DRAFT, roles: ['READER', 'reader'] })).json.roles).toEqual([
      'reader',
    ]);
  });

  it('is refused with every fault at its key, and nothing is stored', async () => {
    const before = (await ask('GET', PATH)).text;
    const faults = async (body: object) => {
      const { status, json } = await ask('POST', PATH, body);
      expect([status, json.type]).toEqual([400, 'invalid_object']);
      return json.errors.errors.map(({ path }: { path: string[] }) => path[0]).sort();
    };
    expect(
      await faults({
        project_id: 'a/b',
        roles: ['memeber'],
        user_id: 'a b',
        expires_at: '2020-01-01',
        description: 'x'.repeat(1025),
      }),
    ).toEqual(['description', 'expires_at', 'project_id', 'roles', 'user_id']);
    expect(await faults({ project_id: 5, roles: [], colour: 'red' })).toEqual([
      'colour',
      'project_id',
      'roles',
    ]);
    expect(await faults({})).toEqual(['project_id', 'roles']);
    expect(await faults({ ...DRAFT, expires_at: '2100-02-30' })).toEqual(['expires_at']);
    expect((await ask('GET', PATH)).text).toBe(before);
  });

  it('is refused in the very next request once it is revoked, which is an event', async () => {
    const { id, token } = (await ask('POST', PATH, DRAFT)).json;
    expect(await statusOf(token)).toBe(200);
    expect((await ask('DELETE', `${PATH}/${id.toUpperCase()}`)).status).toBe(204);
    expect(await statusOf(token)).toBe(401);
    for (const method of ['GET', 'DELETE']) {
      const { status, json } = await ask(method, `${PATH}/${id}`);
      expect([method, status, json.type]).toEqual([method, 404, 'token_not_found']);
    }
    expect((await ask('GET', `${PATH}/nothing`)).json.type).toBe('invalid_uuid');
    const events = service.logged.filter(({ event }) => String(event).startsWith('token.'));
    expect(events.map(({ event, token }) => [event, token])).toEqual([
      ['token.created', id],
      ['token.revoked', id],
    ]);
  });
});

describe('a token that is created with an Idempotency-Key', () => {
  it('is created once, and a repeated answer has all but its text, which is kept nowhere', async () => {
    const headers = { 'idempotency-key': 'one' };
    const first = await ask('POST', PATH, DRAFT, headers);
    const { token, ...shown } = first.json;
    const again = await ask('POST', PATH, DRAFT, headers);
    expect([again.status, again.json]).toEqual([201, shown]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('cache-control')).toBe('no-store');
    expect((await ask('GET', `${PATH}?project_id=shop`)).json.tokens).toHaveLength(1);
    const kept = await inStoreOf(service.dataDir, 'select * from idempotency_keys');
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(token.split('_').slice(2).join('_'));
  });
});

it('are listed in pages, sorted and filtered', async () => {
  for (const project of ['b', 'a', 'c']) await ask('POST', PATH, { project_id: project, roles: ['reader'] });
  const projects = (json: { tokens: { project_id: string }[] }) => json.tokens.map((one) => one.project_id);
  const first = (await ask('GET', `${PATH}?sort_key=project_id&limit=2`)).json;
  expect(projects(first)).toEqual(['a', 'admin']);
  const next = new URL(first.links.next);
  expect(projects((await ask('GET', `${next.pathname}${next.search}`)).json)).toEqual(['b', 'c']);
  expect(
    projects((await ask('GET', `${PATH}?project_id=a*&sort_key=project_id&sort_dir=desc`)).json),
  ).toEqual(['admin', 'a']);
});

it('of other projects are for administrators alone', async () => {
  const member = await service.token('bakery', 'member');
  const reader = await service.token('shop', 'reader');
  const { id } = (await ask('POST', PATH, DRAFT)).json;
  const told = async (token: string, method: string, path: string, body?: object) => {
    const { status, json } = await service.request(method, path, { token, ...(body && { body }) });
    return [status, json.type ?? json.tokens?.length];
  };
  expect(await told(member, 'POST', PATH, DRAFT)).toEqual([401, 'access_denied']);
  for (const method of ['GET', 'DELETE'])
    expect(await told(member, method, `${PATH}/${id}`)).toEqual([404, 'token_not_found']);
  expect(await told(member, 'GET', PATH)).toEqual([200, 1]);
  expect(await told(member, 'GET', `${PATH}?project_id=shop`)).toEqual([200, 0]);
  for (const [method, path] of [
    ['POST', PATH],
    ['GET', PATH],
    ['GET', `${PATH}/${id}`],
    ['DELETE', `${PATH}/${id}`],
  ] as const)
    expect(await told(reader, method, path, method === 'POST' ? {} : undefined)).toEqual([
      401,
      'access_denied',
    ]);
});
