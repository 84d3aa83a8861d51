/** The interface document, section by section: what a client that knows nothing else may rely on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { rawRequest, sendRaw } from '../../support/wire.ts';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UNKNOWN_ID = '7d4dbb1f-9f40-4c2a-8f52-9d9e6cf3a001';
const QUOTAS = { ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas' };

let service: TestService;
let member: string;
beforeAll(async () => {
  service = await startTestService(QUOTAS);
  member = await service.token('tenant', 'member');
});
afterAll(() => service.remove());

const asAdmin = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.request(method, path, { token: service.admin, body });
const createZone = (name: string): Promise<Answer> =>
  service.request('POST', '/v2/zones', { token: member, body: { name, email: 'hostmaster@example.org' } });

let drawn = 0;
const freshPattern = (): string => `^document-${++drawn}\\.example\\.$`;
const createBlacklist = async () =>
  (await asAdmin('POST', '/v2/blacklists', { pattern: freshPattern() })).json;

/** The request on the wire, with the headers that the document names and no body. */
const onTheWire = (method: string, path: string) =>
  sendRaw(
    service.url,
    rawRequest(method, path, {
      Host: new URL(service.url).host,
      'X-Auth-Token': service.admin,
      Accept: 'application/json',
      'Content-Type': 'application/json',
    }),
  );

describe('section 1, the blacklist check', () => {
  const BLACKLISTED = { code: 400, type: 'invalid_zone_name', message: 'Blacklisted domain name' };

  it('compares the name of a new zone with every stored pattern (rules 1 to 3)', async () => {
    await asAdmin('POST', '/v2/blacklists', { pattern: '^rule-one\\.com\\.$' });
    await asAdmin('POST', '/v2/blacklists', { pattern: '^rule-two\\.com\\.$' });
    for (const name of ['rule-one.com.', 'rule-two.com.']) {
      const refused = await createZone(name);
      expect(refused.status).toBe(400);
      expect(refused.json).toMatchObject(BLACKLISTED);
    }
    expect((await createZone('rule-three.com.')).status).toBe(202);
  });

  it('leaves zones that exist alone when a pattern is added (rule 4)', async () => {
    const before = await createZone('older.com.');
    await asAdmin('POST', '/v2/blacklists', { pattern: 'older\\.com\\.$' });
    const after = await service.request('GET', `/v2/zones/${before.json.id}`, { token: member });
    expect(after.status).toBe(200);
    expect(after.json).toMatchObject({ name: 'older.com.', updated_at: null, serial: before.json.serial });
    expect((await createZone('b.older.com.')).status).toBe(400);
  });

  it('accepts any valid regular expression (rule 5)', async () => {
    const valid = [
      'a',
      '(?i)ä+',
      '^(?!good\\.).*no-such\\.name\\.$',
      '(x)(?=y)\\1zz',
      '(?P<n>q)(?P=n)w',
      '\\Aq\\Z',
    ];
    for (const pattern of valid) {
      const answer = await asAdmin('POST', '/v2/blacklists', { pattern });
      expect([pattern, answer.status]).toEqual([pattern, 201]);
      await asAdmin('DELETE', `/v2/blacklists/${answer.json.id}`);
    }
  });

  it('blocks that exact name alone when the pattern anchors it with an escaped dot (rule 6)', async () => {
    await asAdmin('POST', '/v2/blacklists', { pattern: '^example\\.com\\.$' });
    expect((await createZone('example.com.')).json).toMatchObject(BLACKLISTED);
    for (const name of ['sub.example.com.', 'myexample.com.', 'example.com.au.', 'examplexcom.org.']) {
      expect([name, (await createZone(name)).status]).toEqual([name, 202]);
    }
  });

  it('blocks the name and all its sub-domains when a repeated label may come before it (rule 7)', async () => {
    await asAdmin('POST', '/v2/blacklists', { pattern: '^([A-Za-z0-9_\\-]+\\.)*foo\\.org\\.$' });
    for (const name of ['foo.org.', 'a.foo.org.', 'a_b.c-d.foo.org.']) {
      expect([name, (await createZone(name)).json.message]).toEqual([name, 'Blacklisted domain name']);
    }
    for (const name of ['myfoo.org.', 'my-foo.org.', 'foo.org.uk.']) {
      expect([name, (await createZone(name)).status]).toEqual([name, 202]);
    }
  });

  it('reads the backslashes of a pattern as a JSON string doubles them (rule 8)', async () => {
    const answer = await asAdmin('POST', '/v2/blacklists', '{"pattern": "^json\\\\.rule\\\\.eight\\\\.$"}');
    expect(answer.json.pattern).toBe('^json\\.rule\\.eight\\.$');
    expect(answer.text).toContain('"pattern":"^json\\\\.rule\\\\.eight\\\\.$"');
    expect((await createZone('jsonXrule.eight.')).status).toBe(202);
    expect((await createZone('json.rule.eight.')).status).toBe(400);
  });
});

describe('sections 2 and 4, blacklists', () => {
  it('creates: 201, Location, and the whole Blacklist', async () => {
    const pattern = freshPattern();
    const answer = await asAdmin('POST', '/v2/blacklists', { pattern, description: 'Träger der Marke' });
    expect(answer.status).toBe(201);
    const self = `${service.url}/v2/blacklists/${answer.json.id}`;
    expect(answer.headers.get('location')).toBe(self);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.json).toEqual({
      id: expect.stringMatching(UUID),
      pattern,
      description: 'Träger der Marke',
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
      links: { self },
    });
  });

  it('creates with a null description when none is given', async () => {
    expect((await createBlacklist()).description).toBeNull();
  });

  it('shows one: 200 and the Blacklist', async () => {
    const blacklist = await createBlacklist();
    const answer = await asAdmin('GET', `/v2/blacklists/${blacklist.id}`);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(blacklist);
  });

  it('lists: 200 and every entry, however many there are', async () => {
    const made = [];
    for (let count = 0; count < 30; count++) made.push(await createBlacklist());
    const answer = await asAdmin('GET', '/v2/blacklists');
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json)).toEqual(['blacklists', 'links']);
    expect(answer.json.links).toEqual({ self: `${service.url}/v2/blacklists` });
    expect(answer.json.blacklists).toEqual(expect.arrayContaining(made));
  });

  it('updates: 200 and the full Blacklist, with updated_at set', async () => {
    const blacklist = await createBlacklist();
    const changes = { pattern: freshPattern(), description: 'Neu' };
    const answer = await asAdmin('PATCH', `/v2/blacklists/${blacklist.id}`, changes);
    expect(answer.status).toBe(200);
    const updated = { ...blacklist, ...changes, updated_at: expect.stringMatching(TIMESTAMP) };
    expect(answer.json).toEqual(updated);
    expect(answer.json.updated_at > blacklist.created_at).toBe(true);
    expect((await asAdmin('GET', `/v2/blacklists/${blacklist.id}`)).json).toEqual(answer.json);
  });

  it('updates only what is sent', async () => {
    const { id, pattern } = await createBlacklist();
    const described = await asAdmin('PATCH', `/v2/blacklists/${id}`, { description: 'why' });
    expect(described.json).toMatchObject({ pattern, description: 'why' });
    const other = freshPattern();
    const changed = await asAdmin('PATCH', `/v2/blacklists/${id}`, { pattern: other });
    expect(changed.json).toMatchObject({ pattern: other, description: 'why' });
    const cleared = await asAdmin('PATCH', `/v2/blacklists/${id}`, { description: null });
    expect(cleared.json).toMatchObject({ pattern: other, description: null });
  });

  it('deletes: 204 with an empty body and Content-Length 0', async () => {
    const { id } = await createBlacklist();
    const answer = await onTheWire('DELETE', `/v2/blacklists/${id}`);
    expect(answer.status).toBe(204);
    expect(answer.headers['content-length']).toBe('0');
    expect(answer.body).toBe('');
    expect((await asAdmin('GET', `/v2/blacklists/${id}`)).status).toBe(404);
  });
});

describe('sections 2 to 4, quotas', () => {
  const DEFAULTS = { domains: 10, recordset_records: 20, domain_records: 500, domain_recordsets: 500 };

  it('shows the four limits of a tenant: 201 Created', async () => {
    const answer = await asAdmin('GET', '/v1/quotas/untouched');
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual(DEFAULTS);
  });

  it('changes only the keys sent: 200 and the full set', async () => {
    const first = await asAdmin('PUT', '/v1/quotas/changed', { domains: 1000, domain_records: 7 });
    expect(first.status).toBe(200);
    expect(first.json).toEqual({ ...DEFAULTS, domains: 1000, domain_records: 7 });
    const second = await asAdmin('PUT', '/v1/quotas/changed', { recordset_records: 3 });
    expect(second.json).toEqual({ ...DEFAULTS, domains: 1000, domain_records: 7, recordset_records: 3 });
    expect((await asAdmin('GET', '/v1/quotas/changed')).json).toEqual(second.json);
  });

  it('resets all four: 200 with no body, also when nothing was set', async () => {
    await asAdmin('PUT', '/v1/quotas/reset', { domains: 1, recordset_records: 1, domain_recordsets: 1 });
    for (const tenant of ['reset', 'never-set']) {
      const answer = await onTheWire('DELETE', `/v1/quotas/${tenant}`);
      expect(answer).toMatchObject({ status: 200, body: '' });
      expect(answer.headers['content-length']).toBe('0');
      expect((await asAdmin('GET', `/v1/quotas/${tenant}`)).json).toEqual(DEFAULTS);
    }
  });
});

describe('section 7, errors', () => {
  const DENIED = { code: 401, type: 'access_denied', message: 'Access Denied' };
  const body = { pattern: '^denied\\.$' };
  const operations = [
    ['Create blacklist', 'POST', '/v2/blacklists', body],
    ['Get blacklist', 'GET', `/v2/blacklists/${UNKNOWN_ID}`, undefined],
    ['List blacklists', 'GET', '/v2/blacklists', undefined],
    ['Update blacklist', 'PATCH', `/v2/blacklists/${UNKNOWN_ID}`, body],
    ['Delete blacklist', 'DELETE', `/v2/blacklists/${UNKNOWN_ID}`, undefined],
  ] as const;

  it.each(operations)(
    '%s: 401 Access Denied without a token, and for a member',
    async (_, method, path, sent) => {
      for (const token of [undefined, member]) {
        const answer = await service.request(method, path, {
          ...(token === undefined ? {} : { token }),
          ...(sent === undefined ? {} : { body: sent }),
        });
        expect(answer.status).toBe(401);
        expect(answer.json).toMatchObject(DENIED);
      }
    },
  );

  it('Create blacklist: 400 Invalid Object', async () => {
    for (const invalid of [{}, { pattern: '(' }, { pattern: 5 }, { pattern: '' }, { pattern: null }]) {
      const answer = await asAdmin('POST', '/v2/blacklists', invalid);
      expect(answer.status).toBe(400);
      expect(answer.json.type).toBe('invalid_object');
    }
  });

  const DUPLICATE = { code: 409, type: 'duplicate_blacklist', message: 'Duplicate Blacklist' };

  it('Create blacklist: 409 Duplicate Blacklist', async () => {
    const { pattern } = await createBlacklist();
    const answer = await asAdmin('POST', '/v2/blacklists', { pattern, description: 'another' });
    expect(answer.status).toBe(409);
    expect(answer.json).toMatchObject(DUPLICATE);
  });

  it('Update blacklist: 409 Duplicate Blacklist, and nothing changes', async () => {
    const first = await createBlacklist();
    const second = await createBlacklist();
    const answer = await asAdmin('PATCH', `/v2/blacklists/${second.id}`, {
      pattern: first.pattern,
      description: 'x',
    });
    expect(answer.status).toBe(409);
    expect(answer.json).toMatchObject(DUPLICATE);
    expect((await asAdmin('GET', `/v2/blacklists/${second.id}`)).json).toEqual(second);
  });

  it.each(operations.filter(([, , path]) => path.includes(UNKNOWN_ID)))(
    '%s: 404 Blacklist not found',
    async (_, method, path, sent) => {
      const answer = await asAdmin(method, path, sent);
      expect(answer.status).toBe(404);
      expect(answer.json).toMatchObject({
        code: 404,
        type: 'blacklist_not_found',
        message: 'Blacklist not found',
      });
    },
  );
});

describe('section 9, the quotas extension', () => {
  it('is off until it is enabled: every quota path answers 404, to anyone', async () => {
    const off = await startTestService();
    const callers = [
      {},
      { token: 'no-token' },
      { token: await off.token('tenant', 'member') },
      { token: off.admin },
    ];
    const requests = [{ method: 'GET' }, { method: 'PUT', body: { domains: 1 } }, { method: 'DELETE' }];
    const answers = callers.flatMap((caller) =>
      requests.map(({ method, body }) => off.request(method, '/v1/quotas/tenant', { ...caller, body })),
    );
    for (const { status, json } of await Promise.all(answers)) {
      expect(status).toBe(404);
      expect(json).toMatchObject({ code: 404, type: 'not_found' });
    }
    await off.remove();
  });

  it('keeps its limits over restarts that turn it off and on again', async () => {
    await asAdmin('PUT', '/v1/quotas/kept', { domains: 77 });
    await service.restart({});
    expect((await asAdmin('GET', '/v1/quotas/kept')).status).toBe(404);
    await service.restart();
    expect((await asAdmin('GET', '/v1/quotas/kept')).json.domains).toBe(77);
  });
});
