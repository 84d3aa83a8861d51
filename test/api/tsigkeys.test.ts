import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.remove());

const PATH = '/v2/tsigkeys';
const SECRET = 'c2VjcmV0IG9mIHRoZSB0ZXN0IGtleQ==';
const POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
const key = (name = 'Key.Example.', more: object = {}) => ({
  name,
  algorithm: 'hmac-sha256',
  secret: SECRET,
  scope: 'POOL',
  resource_id: POOL,
  ...more,
});
const ask = (method: string, path: string, body?: object, token = service.admin): Promise<Answer> =>
  service.request(method, path, { token, ...(body === undefined ? {} : { body }) });

describe('a TSIG key', () => {
  it('is answered with all its fields, its name in lower case without final dot', async () => {
    const { status, json, headers } = await ask('POST', PATH, key());
    expect(status).toBe(201);
    expect(json).toEqual({
      ...key('key.example'),
      id: expect.any(String),
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{6}$/),
      updated_at: null,
      links: { self: `${service.url}${PATH}/${json.id}` },
    });
    expect(headers.get('location')).toBe(json.links.self);
    expect((await ask('GET', `${PATH}/${json.id}`)).json).toEqual(json);
  });

  it('changes in each of its fields, and is gone once deleted', async () => {
    const { id } = (await ask('POST', PATH, key())).json;
    const changes = {
      name: 'other',
      algorithm: 'hmac-sha512',
      secret: 'AA==',
      scope: 'ZONE',
      resource_id: randomUUID(),
    };
    const { status, json } = await ask('PATCH', `${PATH}/${id}`, changes);
    expect([status, json]).toEqual([200, expect.objectContaining({ ...changes, id })]);
    expect(json.updated_at > json.created_at).toBe(true);
    expect((await ask('GET', `${PATH}/${id}`)).json).toEqual(json);
    expect((await ask('DELETE', `${PATH}/${id}`)).status).toBe(204);
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
      const { status, json } = await ask(method, `${PATH}/${id}`, body);
      expect([method, status, json.type]).toEqual([method, 404, 'tsigkey_not_found']);
    }
  });

  it('shares its name with no other, whatever the letter case', async () => {
    const { id } = (await ask('POST', PATH, key())).json;
    const other = (await ask('POST', PATH, key('other'))).json;
    for (const [method, path, body] of [
      ['POST', PATH, key('KEY.example')],
      ['PATCH', `${PATH}/${other.id}`, { name: 'key.EXAMPLE.' }],
    ] as const) {
      const { status, json } = await ask(method, path, body);
      expect([method, status, json.type]).toEqual([method, 409, 'duplicate_tsigkey']);
    }
    expect((await ask('PATCH', `${PATH}/${id}`, { name: 'KEY.EXAMPLE' })).status).toBe(200);
    expect((await ask('GET', `${PATH}/${other.id}`)).json.name).toBe('other');
  });

  it('is made once by parallel requests with one name', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask('POST', PATH, key())));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('is refused with all faults at once, which never repeat the secret', async () => {
    const wrong = {
      name: 'a b',
      algorithm: 'hmac-md5',
      secret: 'tooshort=',
      scope: 'SERVER',
      resource_id: 'x',
    };
    const { status, json, text } = await ask('POST', PATH, { ...wrong, colour: 'red' });
    expect([status, json.type]).toEqual([400, 'invalid_object']);
    const paths = json.errors.errors.map(({ path }: { path: string[] }) => path[0]);
    expect(paths.sort()).toEqual(['algorithm', 'colour', 'name', 'resource_id', 'scope', 'secret']);
    expect(text).not.toContain('tooshort');
    for (const secret of ['', 'A', 'AA', 'AA==\n', 'AB==', 'AA-_', ' AA==', 'A'.repeat(256), 5, null]) {
      expect([secret, (await ask('POST', PATH, key('k', { secret }))).status]).toEqual([secret, 400]);
    }
    expect((await ask('GET', PATH)).json.tsigkeys).toEqual([]);
  });

  it('has the id of a pool or a zone, as its scope says, or of nothing', async () => {
    const body = { name: 'zone.example.', email: 'a@example.org' };
    const zone = (await ask('POST', '/v2/zones', body)).json.id;
    const nothing = randomUUID();
    const ofPool = (await ask('POST', PATH, key('of-pool'))).json.id;
    const ofZone = (await ask('POST', PATH, key('of-zone', { scope: 'ZONE', resource_id: zone }))).json.id;
    const ofNothing = (await ask('POST', PATH, key('of-nothing', { resource_id: nothing }))).json.id;
    for (const [method, path, wrong] of [
      ['POST', PATH, key('k', { scope: 'ZONE' })],
      ['POST', PATH, key('k', { resource_id: zone })],
      ['PATCH', `${PATH}/${ofPool}`, { scope: 'ZONE' }],
      ['PATCH', `${PATH}/${ofPool}`, { resource_id: zone }],
      ['PATCH', `${PATH}/${ofZone}`, { scope: 'POOL' }],
      ['PATCH', `${PATH}/${ofZone}`, { resource_id: POOL }],
      ['PATCH', `${PATH}/${ofNothing}`, { resource_id: zone }],
      ['PATCH', `${PATH}/${ofNothing}`, { scope: 'ZONE', resource_id: POOL }],
    ] as const) {
      const { status, json } = await ask(method, path, wrong);
      const [fault] = json.errors?.errors ?? [];
      expect([method, wrong, status, json.type, fault?.path]).toEqual([
        method,
        wrong,
        400,
        'invalid_object',
        ['resource_id'],
      ]);
    }
    for (const [id, right] of [
      [ofPool, { scope: 'ZONE', resource_id: zone }],
      [ofZone, { scope: 'POOL', resource_id: POOL }],
      [ofNothing, { scope: 'ZONE' }],
      [ofNothing, { resource_id: zone }],
    ] as const) {
      const { status, json } = await ask('PATCH', `${PATH}/${id}`, right);
      expect([status, json]).toEqual([200, expect.objectContaining(right)]);
    }
  });

  it('is for administrators alone', async () => {
    const { id } = (await ask('POST', PATH, key())).json;
    const member = await service.token('mine', 'member');
    for (const [method, path, body] of [
      ['POST', PATH, key('k')],
      ['GET', PATH],
      ['GET', `${PATH}/${id}`],
      ['PATCH', `${PATH}/${id}`, {}],
      ['DELETE', `${PATH}/${id}`],
    ] as const) {
      const { status, json } = await ask(method, path, body, member);
      expect([method, path, status, json.type]).toEqual([method, path, 401, 'access_denied']);
    }
  });

  it('is an event with its name, and its secret stands in no line of the log', async () => {
    const { id } = (await ask('POST', PATH, key())).json;
    await ask('PATCH', `${PATH}/${id}`, { algorithm: 'hmac-sha1' });
    await ask('POST', PATH, key());
    await ask('DELETE', `${PATH}/${id}`);
    const events = service.logged.filter(({ event }) => String(event).startsWith('tsigkey.'));
    expect(events.map(({ event, tsigkey }) => [event, tsigkey])).toEqual([
      ['tsigkey.created', 'key.example'],
      ['tsigkey.changed', 'key.example'],
      ['tsigkey.deleted', 'key.example'],
    ]);
    expect(JSON.stringify(service.logged)).not.toContain(SECRET);
  });
});

describe('the list of TSIG keys', () => {
  const names = async (query: string): Promise<string[]> =>
    (await ask('GET', `${PATH}${query}`)).json.tsigkeys.map(({ name }: { name: string }) => name);

  it('is sorted, filtered and paged', async () => {
    const zone = randomUUID();
    await ask('POST', PATH, key('b'));
    await ask('POST', PATH, key('a.example', { algorithm: 'hmac-sha1', scope: 'ZONE', resource_id: zone }));
    await ask('POST', PATH, key('c.example'));
    expect(await names('')).toEqual(['b', 'a.example', 'c.example']);
    expect(await names('?sort_key=name&sort_dir=desc')).toEqual(['c.example', 'b', 'a.example']);
    expect(await names('?name=A.Example.')).toEqual(['a.example']);
    expect(await names('?name=*.EXAMPLE')).toEqual(['a.example', 'c.example']);
    expect(await names('?scope=ZONE')).toEqual(['a.example']);
    expect(await names('?algorithm=hmac-sha256')).toEqual(['b', 'c.example']);
    expect(await names(`?resource_id=${zone.toUpperCase()}`)).toEqual(['a.example']);
    const { json } = await ask('GET', `${PATH}?limit=2&sort_key=name`);
    expect(json.tsigkeys).toHaveLength(2);
    const next = new URL(json.links.next);
    expect(await names(next.search)).toEqual(['c.example']);
  });
});
