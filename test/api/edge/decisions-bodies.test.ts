/** What may stand in a body, and how a refusal reads. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const REQUEST_ID = /^req-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const EMAIL = 'hostmaster@example.org';

let service: TestService;
let member: string;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas',
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
  });
  member = await service.token('tenant', 'member');
});
afterAll(() => service.remove());

const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.request(method, path, { token: path.includes('zones') ? member : service.admin, body });

let drawn = 0;
const fresh = (): string => `^bodies-${++drawn}\\.example\\.$`;
const freshName = (): string => `bodies-${++drawn}.org.`;

function faultPaths(answer: Answer): string[] {
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({ code: 400, type: 'invalid_object' });
  const faults: { path: string[]; message: string }[] = answer.json.errors.errors;
  for (const { message } of faults) expect(message).toMatch(/^\S.*\.$/s);
  return faults.map(({ path }) => path.join('.')).sort();
}

describe('a refusal', () => {
  it('has one shape: code, type, message and request id', async () => {
    const answer = await send('GET', '/v2/nothing-here');
    expect(answer.json).toEqual({
      code: 404,
      type: 'not_found',
      message: expect.any(String),
      request_id: expect.stringMatching(REQUEST_ID),
    });
    expect(answer.headers.get('x-openstack-request-id')).toBe(answer.json.request_id);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
  });

  it('carries its request id in the header and in the body, another one each time', async () => {
    const answers = await Promise.all([
      send('POST', '/v2/blacklists', {}),
      send('PUT', '/v2/blacklists', {}),
      send('GET', '/v2/blacklists/5'),
      service.request('GET', '/v2/zones'),
    ]);
    const ids = answers.map((answer) => answer.json.request_id);
    expect(answers.map((answer) => answer.headers.get('x-openstack-request-id'))).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await send('GET', '/v2/blacklists')).headers.get('x-openstack-request-id')).toMatch(REQUEST_ID);
  });

  it('names all faults of a body at once, each where it is', async () => {
    const body = { pattern: '(', description: 5, id: 'x', colour: 'red' };
    expect(faultPaths(await send('POST', '/v2/blacklists', body))).toEqual([
      'colour',
      'description',
      'id',
      'pattern',
    ]);
    const zone = {
      name: 'no-dot',
      email: 'nobody',
      ttl: -1,
      type: 'TERTIARY',
      masters: ['192.0.2.1'],
      serial: 1,
    };
    expect(faultPaths(await send('POST', '/v2/zones', zone))).toEqual([
      'email',
      'masters',
      'name',
      'serial',
      'ttl',
      'type',
    ]);
    expect(
      faultPaths(await send('PUT', '/v1/quotas/x', { domains: '5', zones: 1, domain_records: -2 })),
    ).toEqual(['domain_records', 'domains', 'zones']);
  });

  it('says where a pattern is wrong, and why', async () => {
    const { json } = await send('POST', '/v2/blacklists', { pattern: '^a(b' });
    expect(json.errors.errors).toEqual([{ path: ['pattern'], message: expect.stringMatching(/position 2/) }]);
    expect(json.message).toContain('position 2');
  });

  it('names a missing key that is required', async () => {
    expect(faultPaths(await send('POST', '/v2/blacklists', { description: 'x' }))).toEqual(['pattern']);
    expect(faultPaths(await send('POST', '/v2/zones', {}))).toEqual(['email', 'name']);
  });
});

describe('a body that is no object of the operation', () => {
  it.each(['{', '{"pattern": "x"', "{'pattern': 'x'}", '{"pattern": "x"} x', '\u{feff}{', 'NaN', ' '])(
    'is refused as no JSON: %j',
    async (body) => {
      expect((await send('POST', '/v2/blacklists', body)).json).toMatchObject({
        code: 400,
        type: 'invalid_json',
      });
    },
  );

  it('is refused as no JSON when it is not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"pattern": "'), Buffer.from([0xe9]), Buffer.from('"}')]);
    expect((await send('POST', '/v2/blacklists', body)).json).toMatchObject({
      code: 400,
      type: 'invalid_json',
    });
  });

  it('is refused as missing when there is none', async () => {
    for (const [method, path] of [
      ['POST', '/v2/blacklists'],
      ['POST', '/v2/zones'],
      ['PUT', '/v1/quotas/tenant'],
      ['PATCH', '/v2/quotas/tenant'],
    ] as const) {
      expect((await send(method, path)).json).toMatchObject({ code: 400, type: 'empty_request_body' });
      expect((await send(method, path, '')).json).toMatchObject({ code: 400, type: 'empty_request_body' });
    }
  });

  it.each(['[]', 'null', '"pattern"', '5', 'true', '[{"pattern":"x"}]'])(
    'is refused as no object: %s',
    async (body) => {
      for (const path of ['/v2/blacklists', '/v2/zones']) faultPaths(await send('POST', path, body));
      faultPaths(await send('PUT', '/v1/quotas/tenant', body));
    },
  );
});

describe('strict types', () => {
  it.each(['"5"', 'true', 'null', '1.5', '[5]', '{}', '-2', '2147483648', '1e400', '""'])(
    'take no quota from %s, and change nothing',
    async (value) => {
      const before = (await send('GET', '/v1/quotas/strict')).json;
      faultPaths(await send('PUT', '/v1/quotas/strict', `{"domain_records": 3, "domains": ${value}}`));
      faultPaths(await send('PATCH', '/v2/quotas/strict', `{"zone_records": 3, "zones": ${value}}`));
      expect((await send('GET', '/v1/quotas/strict')).json).toEqual(before);
    },
  );

  it.each(['5', 'true', '[]', '{}', '["x"]', '1.5'])('take no text from %s', async (value) => {
    expect(
      faultPaths(await send('POST', '/v2/blacklists', `{"pattern": ${value}, "description": ${value}}`)),
    ).toEqual(['description', 'pattern']);
    const zone = `{"name": ${value}, "email": ${value}, "description": ${value}, "type": ${value}}`;
    expect(faultPaths(await send('POST', '/v2/zones', zone))).toEqual([
      'description',
      'email',
      'name',
      'type',
    ]);
  });

  it.each(['"300"', 'true', 'null', '-1', '1.5', '2147483648'])('take no TTL from %s', async (value) => {
    const zone = `{"name": "${freshName()}", "email": "${EMAIL}", "ttl": ${value}}`;
    expect(faultPaths(await send('POST', '/v2/zones', zone))).toEqual(['ttl']);
  });

  it('take the ends of every range', async () => {
    const ends = { domains: -1, domain_records: 0, domain_recordsets: 2147483647 };
    expect((await send('PUT', '/v1/quotas/ends', ends)).json).toMatchObject(ends);
    for (const ttl of [0, 2147483647]) {
      const answer = await send('POST', '/v2/zones', { name: freshName(), email: EMAIL, ttl });
      expect(answer.json).toMatchObject({ ttl });
    }
  });
});

describe('unknown and read-only keys', () => {
  it.each(['id', 'created_at', 'updated_at', 'links', 'Pattern', '', 'constructor', 'toString', '__proto__'])(
    'are refused in a blacklist, and nothing is changed: %j',
    async (key) => {
      const pattern = fresh();
      const create = `{"pattern": ${JSON.stringify(pattern)}, ${JSON.stringify(key)}: "x"}`;
      expect(faultPaths(await send('POST', '/v2/blacklists', create))).toEqual([key]);
      const { json } = await send('POST', '/v2/blacklists', { pattern });
      const update = `{"description": "changed", ${JSON.stringify(key)}: "x"}`;
      expect(faultPaths(await send('PATCH', `/v2/blacklists/${json.id}`, update))).toEqual([key]);
      expect((await send('GET', `/v2/blacklists/${json.id}`)).json).toEqual(json);
    },
  );

  it.each([
    'id',
    'serial',
    'status',
    'action',
    'version',
    'project_id',
    'pool_id',
    'shared',
    'transferred_at',
    'links',
  ])('are refused in a zone: %s', async (key) => {
    const body = { name: freshName(), email: EMAIL, [key]: 'x' };
    expect(faultPaths(await send('POST', '/v2/zones', body))).toEqual([key]);
    expect((await send('GET', `/v2/zones?name=${body.name}`)).json.zones).toEqual([]);
  });

  it('are refused in a change of a zone: its name, type and attributes stay', async () => {
    const { json } = await send('POST', '/v2/zones', {
      name: freshName(),
      email: EMAIL,
      attributes: { tier: 'gold' },
    });
    const others = {
      name: freshName(),
      type: 'SECONDARY',
      attributes: { tier: 'silver' },
      masters: ['192.0.2.1'],
      serial: json.serial + 1,
      project_id: 'other',
    };
    for (const [key, other] of Object.entries(others)) {
      const change = { email: 'other@example.org', [key]: other };
      expect(faultPaths(await send('PATCH', `/v2/zones/${json.id}`, change))).toEqual([key]);
    }
    const { email, attributes, version } = (await send('GET', `/v2/zones/${json.id}`)).json;
    expect({ email, attributes, version }).toEqual({
      email: EMAIL,
      attributes: { tier: 'gold' },
      version: 1,
    });
  });

  it('of v2 are unknown to the quotas of v1, and the other way about', async () => {
    for (const key of ['zones', 'zone_records', 'zone_recordsets', 'api_export_size']) {
      expect(faultPaths(await send('PUT', '/v1/quotas/keys', { [key]: 1, domains: 1 }))).toEqual([key]);
    }
    for (const key of ['domains', 'domain_records', 'domain_recordsets']) {
      expect(faultPaths(await send('PATCH', '/v2/quotas/keys', { [key]: 1, zones: 1 }))).toEqual([key]);
    }
    expect((await send('GET', '/v1/quotas/keys')).json.domains).toBe(-1);
  });
});

describe('text', () => {
  const UNSTORABLE = [
    '\\u0000',
    'a\\u0000b',
    '\\ud800',
    '\\udc00x',
    '\\ud83d\\ud83d\\ude00',
    '\\ude00\\ud83d',
  ];

  it.each(UNSTORABLE)('holds neither U+0000 nor an unpaired surrogate: "%s"', async (text) => {
    const refused: [string, string, string][] = [
      ['/v2/blacklists', `{"pattern": "${text}"}`, 'pattern'],
      ['/v2/blacklists', `{"pattern": "x", "description": "${text}"}`, 'description'],
      ['/v2/zones', `{"name": "a${text}.org.", "email": "${EMAIL}"}`, 'name'],
      ['/v2/zones', `{"name": "${freshName()}", "email": "a${text}@example.org"}`, 'email'],
      ['/v2/zones', `{"name": "${freshName()}", "email": "a@b${text}.org"}`, 'email'],
      [
        '/v2/zones',
        `{"name": "${freshName()}", "email": "${EMAIL}", "description": "${text}"}`,
        'description',
      ],
      ['/v2/zones', `{"name": "${freshName()}", "email": "${EMAIL}", "type": "${text}"}`, 'type'],
      [
        '/v2/zones',
        `{"name": "${freshName()}", "email": "${EMAIL}", "attributes": {"a": "${text}"}}`,
        'attributes.a',
      ],
    ];
    for (const [path, body, fault] of refused) {
      expect(faultPaths(await send('POST', path, body))).toEqual([fault]);
    }
    const key = `{"name": "${freshName()}", "email": "${EMAIL}", "attributes": {"${text}": "x"}}`;
    expect((await send('POST', '/v2/zones', key)).json).toMatchObject({ code: 400, type: 'invalid_object' });
  });

  it('may name U+0000 by an escape of the pattern, and hold any character beside', async () => {
    expect((await send('POST', '/v2/blacklists', { pattern: '\\x00' })).status).toBe(201);
    const description = 'tab\t newline\n quote" emoji 😀 \u{10ffff} (see ticket';
    const answer = await send('POST', '/v2/blacklists', { pattern: fresh(), description });
    expect(answer.json.description).toBe(description);
  });

  it.each(['x', 'ä', '😀'])(
    'is measured in code points: 4,096 of %s are a pattern, one more is none',
    async (point) => {
      const exact = await send('POST', '/v2/blacklists', { pattern: point.repeat(4096) });
      expect(exact.status).toBe(201);
      expect(exact.json.pattern).toBe(point.repeat(4096));
      expect(faultPaths(await send('POST', '/v2/blacklists', { pattern: point.repeat(4097) }))).toEqual([
        'pattern',
      ]);
    },
  );

  it.each(['x', 'ä', '😀'])('is measured in code points: 1,024 of %s are a description', async (point) => {
    for (const [path, rest] of [
      ['/v2/blacklists', () => ({ pattern: fresh() })],
      ['/v2/zones', () => ({ name: freshName(), email: EMAIL })],
    ] as const) {
      const exact = await send('POST', path, { ...rest(), description: point.repeat(1024) });
      expect(exact.json.description).toBe(point.repeat(1024));
      const longer = { ...rest(), description: point.repeat(1025) };
      expect(faultPaths(await send('POST', path, longer))).toEqual(['description']);
    }
  });

  it('is kept as it was sent: an empty description is not null', async () => {
    const answer = await send('POST', '/v2/blacklists', { pattern: fresh(), description: '' });
    expect(answer.json.description).toBe('');
    expect((await send('GET', `/v2/blacklists/${answer.json.id}`)).json.description).toBe('');
  });
});

describe('a mail address', () => {
  it.each([
    '',
    'a',
    '@',
    'a@',
    '@b',
    'a@b@c',
    'a b@c',
    'a@b c',
    'a\n@b.c',
    'a@b.c\n',
    'a@b\u0085c',
    `${'a'.repeat(254)}@b`,
  ])('is refused: %j', async (email) => {
    expect(faultPaths(await send('POST', '/v2/zones', { name: freshName(), email }))).toEqual(['email']);
  });

  it.each(['a@b', 'a+b@x.org', 'first.last@example.org', `${'a'.repeat(253)}@b`])(
    'is taken: %s',
    async (email) => {
      expect((await send('POST', '/v2/zones', { name: freshName(), email })).json.email).toBe(email);
    },
  );
});

describe('a tenant id', () => {
  it.each(['a', 'A.b_c-9', 'x'.repeat(64), '...', 'admin'])(
    'is any of 1 to 64 plain characters: %s',
    async (id) => {
      expect((await send('GET', `/v1/quotas/${id}`)).status).toBe(201);
      expect((await send('PUT', `/v1/quotas/${id}`, { domain_records: 1 })).json.domain_records).toBe(1);
    },
  );

  it.each(['x'.repeat(65), 'a%20b', 'a%2Fb', '%00', 'a%0A', 'ä', '%ff', 'a:b', 'a*'])(
    'is refused: %s',
    async (id) => {
      for (const [method, path] of [
        ['GET', '/v1'],
        ['DELETE', '/v1'],
        ['GET', '/v2'],
      ] as const) {
        expect((await send(method, `${path}/quotas/${id}`)).json).toMatchObject({
          code: 400,
          type: 'invalid_object',
        });
      }
    },
  );
});

describe('an id in a path', () => {
  it('is found in either letter case', async () => {
    const { json } = await send('POST', '/v2/blacklists', { pattern: fresh() });
    expect((await send('GET', `/v2/blacklists/${json.id.toUpperCase()}`)).json).toEqual(json);
    const zone = (await send('POST', '/v2/zones', { name: freshName(), email: EMAIL })).json;
    expect((await send('GET', `/v2/zones/${zone.id.toUpperCase()}`)).json.id).toBe(zone.id);
    expect((await send('DELETE', `/v2/blacklists/${json.id.toUpperCase()}`)).status).toBe(204);
  });

  it('is 404 when it is well formed and unknown, of whatever version', async () => {
    for (const id of ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-ffff-1fff-ffff-ffffffffffff']) {
      expect((await send('GET', `/v2/blacklists/${id}`)).json.type).toBe('blacklist_not_found');
      expect((await send('GET', `/v2/zones/${id}`)).json.type).toBe('zone_not_found');
    }
  });

  it.each([
    '5',
    'g0000000-0000-0000-0000-000000000000',
    '00000000000000000000000000000000',
    '%00',
    '%zz',
    '%ff',
    'x'.repeat(3000),
  ])('is 400 when it is not well formed: %s', async (id) => {
    for (const path of ['/v2/blacklists', '/v2/zones']) {
      for (const method of ['GET', 'DELETE']) {
        expect((await send(method, `${path}/${id}`)).json).toMatchObject({ code: 400, type: 'invalid_uuid' });
      }
    }
  });
});
