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
  it('is answered with all its fields, as they were sent', async () => {
    const { status, json, headers } = await ask('POST', PATH, key());
    expect(status).toBe(201);
    expect(json).toEqual({
      ...key(),
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
      name: 'a..b',
      algorithm: 'hmac-md4',
      secret: 'has a\nline',
      scope: 'SERVER',
      resource_id: 'x',
    };
    const { status, json, text } = await ask('POST', PATH, { ...wrong, colour: 'red' });
    expect([status, json.type]).toEqual([400, 'invalid_object']);
    const paths = json.errors.errors.map(({ path }: { path: string[] }) => path[0]);
    expect(paths.sort()).toEqual(['algorithm', 'colour', 'name', 'resource_id', 'scope', 'secret']);
    expect(text).not.toContain('has a');
    for (const secret of ['', 'AA==\n', '\u0000', '\ud800', 'A'.repeat(256), 5, null]) {
      expect([secret, (await ask('POST', PATH, key('k', { secret }))).status]).toEqual([secret, 400]);
    }
    expect((await ask('GET', PATH)).json.tsigkeys).toEqual([]);
  });

  it('is for a pool or a zone, or warns that it opens nothing, since its scope says otherwise', async () => {
    const body = { name: 'zone.example.', email: 'a@example.org' };
    const zone = (await ask('POST', '/v2/zones', body)).json.id;
    const nothing = randomUUID();
    let made = 0;
    for (const [scope, resource_id, what] of [
      ['POOL', POOL, undefined],
      ['ZONE', zone, undefined],
      ['POOL', nothing, undefined],
      ['ZONE', nothing, undefined],
      ['ZONE', POOL, 'pool'],
      ['POOL', zone, 'zone'],
    ] as const) {
      const warning =
        what &&
        `299 - "The key opens nothing: its scope is ${scope}, but resource_id is the ID of a ${what}."`;
      const posted = await ask('POST', PATH, key(`new-${++made}`, { scope, resource_id }));
      expect([posted.status, posted.headers.get('warning') ?? undefined]).toEqual([201, warning]);
      const { id } = (await ask('POST', PATH, key(`old-${made}`, { resource_id: nothing }))).json;
      await ask('PATCH', `${PATH}/${id}`, { resource_id });
      const patched = await ask('PATCH', `${PATH}/${id}`, { scope });
      expect([patched.status, patched.headers.get('warning') ?? undefined]).toEqual([200, warning]);
      expect(patched.json).toMatchObject({ scope, resource_id });
    }
  });

  it.each(['Some.Key.', 'Patch tsigkey', 'BÜCHER.example'])(
    'keeps the spelling of its name: %s',
    async (name) => {
      const { id } = (await ask('POST', PATH, key(name))).json;
      expect((await ask('GET', `${PATH}/${id}`)).json.name).toBe(name);
      for (const spelling of [name, name.toLowerCase(), name.replace(/\.?$/, '.')]) {
        const filter = `${PATH}?name=${encodeURIComponent(spelling)}`;
        expect((await ask('GET', filter)).json.tsigkeys.map((one: Answer['json']) => one.id)).toEqual([id]);
        expect((await ask('POST', PATH, key(spelling))).json.type).toBe('duplicate_tsigkey');
      }
      const renamed = await ask('PATCH', `${PATH}/${id}`, { name: 'other' });
      expect([renamed.status, renamed.json.name]).toEqual([200, 'other']);
    },
  );

  it.each(['SomeSecretKey', 'A', 'AB==', 'AA-_', ' AA==', 'größer als 8 Bit'])(
    'keeps a secret that is text, and warns of it: %j',
    async (secret) => {
      const { json, headers } = await ask('POST', PATH, key('text', { secret }));
      expect(json.secret).toBe(secret);
      expect(headers.get('warning')).toMatch(/^299 - "The secret is not base64, .* base64 form\."$/);
      expect((await ask('GET', `${PATH}/${json.id}`)).json.secret).toBe(secret);
      const again = await ask('PATCH', `${PATH}/${json.id}`, { algorithm: 'hmac-sha1' });
      expect([again.json.secret, again.headers.get('warning')]).toEqual([secret, headers.get('warning')]);
      const mended = await ask('PATCH', `${PATH}/${json.id}`, { secret: SECRET });
      expect([mended.json.secret, mended.headers.get('warning')]).toEqual([SECRET, null]);
    },
  );

  it('may be for HMAC-MD5, with a warning', async () => {
    const { status, headers } = await ask('POST', PATH, key('old', { algorithm: 'hmac-md5' }));
    expect([status, headers.get('warning')]).toEqual([
      201,
      '299 - "HMAC-MD5 must not be used (RFC 8945). Use hmac-sha256."',
    ]);
  });

  it('shows its secret once, where the service is told so', async () => {
    await service.restart({ ZONEWARDEN_SERVICE_API__SHOW_TSIG_SECRETS: 'false' });
    const headers = { 'idempotency-key': 'once' };
    const send = () => service.request('POST', PATH, { token: service.admin, body: key('once'), headers });
    const { json } = await send();
    expect(json.secret).toBe(SECRET);
    expect((await send()).json).toEqual(json);
    const { secret: _, ...rest } = json;
    expect((await ask('GET', `${PATH}/${json.id}`)).json).toEqual(rest);
    expect((await ask('GET', PATH)).json.tsigkeys).toEqual([rest]);
    expect((await ask('PATCH', `${PATH}/${json.id}`, { secret: 'AAAA' })).json).not.toHaveProperty('secret');
    await service.restart({});
    expect((await ask('GET', `${PATH}/${json.id}`)).json.secret).toBe('AAAA');
  });

  it('is for administrators alone', async () => {
    const { id } = (await ask('POST', PATH, key())).json;
    const member = await service.token('mine', 'member');
    for (const [method, path, status, type, body] of [
      ['POST', PATH, 401, 'access_denied', key('k')],
      ['GET', `${PATH}/${id}`, 404, 'tsigkey_not_found'],
      ['PATCH', `${PATH}/${id}`, 401, 'access_denied', {}],
      ['DELETE', `${PATH}/${id}`, 401, 'access_denied'],
    ] as const) {
      const answer = await ask(method, path, body, member);
      expect([method, path, answer.status, answer.json.type]).toEqual([method, path, status, type]);
    }
    expect((await ask('GET', PATH, undefined, member)).json.tsigkeys).toEqual([]);
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
