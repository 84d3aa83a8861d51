import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__NS_RECORDS: 'ns1.example.net., ns2.example.net.' });
});
afterEach(() => service.remove());

const PATH = '/v2/pools';
const DEFAULT = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
const NS_RECORDS = [
  { hostname: 'a.example.org.', priority: 10 },
  { hostname: 'b.example.org.', priority: 20 },
];
const pool = (name = 'gold', more: object = {}) => ({ name, ns_records: NS_RECORDS, ...more });
const ask = (method: string, path: string, body?: object, token = service.admin): Promise<Answer> =>
  service.request(method, path, { token, ...(body === undefined ? {} : { body }) });
const created = async (body: object): Promise<string> => {
  const { status, json } = await ask('POST', PATH, body);
  expect(status).toBe(201);
  return json.id;
};
const zoneIn = async (poolId: string, name = 'zone.example.', token = service.admin): Promise<Answer> =>
  ask('POST', '/v2/zones', { name, email: 'a@example.org', attributes: { pool_id: poolId } }, token);

describe('the default pool', () => {
  it('is there from the start, with the name servers of the option', async () => {
    const { json } = await ask('GET', PATH);
    expect(json.pools).toEqual([
      {
        id: DEFAULT,
        name: 'default',
        description: null,
        attributes: {},
        ns_records: [
          { hostname: 'ns1.example.net.', priority: 1 },
          { hostname: 'ns2.example.net.', priority: 2 },
        ],
        project_id: null,
        created_at: expect.any(String),
        updated_at: null,
        links: { self: `${service.url}${PATH}/${DEFAULT}` },
      },
    ]);
  });

  it('cannot be deleted', async () => {
    const { status, json } = await ask('DELETE', `${PATH}/${DEFAULT}`);
    expect([status, json.type]).toEqual([400, 'invalid_operation']);
    expect((await ask('GET', `${PATH}/${DEFAULT}`)).status).toBe(200);
  });
});

describe('a pool', () => {
  it('is answered with all its fields, its name servers by priority, and never its servers', async () => {
    const description = 'for good customers';
    const attributes = { tier: 'gold' };
    const more = { description, attributes, ns_records: NS_RECORDS.toReversed() };
    const { status, json, headers } = await ask('POST', PATH, pool('gold', more));
    expect(status).toBe(201);
    expect(json).toEqual({
      ...pool(),
      description,
      attributes,
      id: expect.any(String),
      project_id: null,
      created_at: expect.any(String),
      updated_at: null,
      links: { self: `${service.url}${PATH}/${json.id}` },
    });
    expect(headers.get('location')).toBe(json.links.self);
    expect((await ask('GET', `${PATH}/${json.id}`)).json).toEqual(json);
  });

  it('may name the project that it was made for, once', async () => {
    const { status, json } = await ask('POST', PATH, pool('gold', { project_id: 'shop' }));
    expect([status, json.project_id]).toEqual([201, 'shop']);
    const path = `${PATH}/${json.id}`;
    const renamed = await ask('PATCH', path, { name: 'silver', project_id: 'shop' });
    expect([renamed.status, renamed.json.project_id]).toEqual([202, 'shop']);
    for (const [method, where, body] of [
      ['PATCH', path, { project_id: 'blog' }],
      ['POST', PATH, pool('other', { project_id: 'no project' })],
    ] as const) {
      expect((await ask(method, where, body)).json).toMatchObject({ code: 400, type: 'invalid_object' });
    }
    expect((await ask('GET', path)).json).toEqual(renamed.json);
  });

  it('changes in what is named alone, and can be sent back as it was read', async () => {
    const id = await created(pool('gold', { description: 'old' }));
    const ns_records = [{ hostname: 'c.example.org.', priority: 0 }];
    const changed = await ask('PATCH', `${PATH}/${id}`, { ns_records });
    expect([changed.status, changed.json.ns_records, changed.json.description]).toEqual([
      202,
      ns_records,
      'old',
    ]);
    expect(changed.json.updated_at > changed.json.created_at).toBe(true);
    const again = await ask('PATCH', `${PATH}/${id}`, { ...changed.json, name: 'silver' });
    expect([again.status, again.json.name]).toEqual([202, 'silver']);
    expect((await ask('GET', `${PATH}/${id}`)).json).toEqual(again.json);
  });

  it('is gone once deleted, but cannot be deleted while it has zones', async () => {
    const id = await created(pool());
    const zone = (await zoneIn(id)).json.id;
    const refused = await ask('DELETE', `${PATH}/${id}`);
    expect([refused.status, refused.json.type]).toEqual([400, 'invalid_operation']);
    expect((await ask('DELETE', `/v2/zones/${zone}`)).status).toBe(202);
    expect((await ask('DELETE', `${PATH}/${id}`)).status).toBe(204);
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
      const { status, json } = await ask(method, `${PATH}/${id}`, body);
      expect([method, status, json.type]).toEqual([method, 404, 'pool_not_found']);
    }
  });

  it('shares its name with no other', async () => {
    const id = await created(pool());
    for (const [method, path, body] of [
      ['POST', PATH, pool()],
      ['PATCH', `${PATH}/${id}`, { name: 'default' }],
    ] as const) {
      const { status, json } = await ask(method, path, body);
      expect([method, status, json.type]).toEqual([method, 409, 'duplicate_pool']);
    }
    const answers = await Promise.all([1, 2, 3].map(() => ask('POST', PATH, pool('silver'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('is refused with all faults at once', async () => {
    const ns_records = [{ hostname: 'no dot', priority: -1 }, { hostname: 'x.example.' }];
    const { status, json } = await ask('POST', PATH, {
      name: '',
      ns_records,
      servers: [],
      attributes: { a: 1 },
    });
    expect([status, json.type]).toEqual([400, 'invalid_object']);
    const paths = json.errors.errors.map(({ path }: { path: string[] }) => path.join('.'));
    expect(paths.sort()).toEqual([
      'attributes.a',
      'name',
      'ns_records.0.hostname',
      'ns_records.0.priority',
      'ns_records.1.priority',
      'servers',
    ]);
    const twice = [NS_RECORDS[0], { ...NS_RECORDS[0], hostname: 'A.example.org.' }];
    for (const wrong of [[], twice]) {
      expect((await ask('POST', PATH, pool('x', { ns_records: wrong }))).status).toBe(400);
    }
    expect((await ask('POST', PATH, { name: 'x' })).status).toBe(400);
    expect((await ask('GET', PATH)).json.pools).toHaveLength(1);
  });

  it('is for administrators alone', async () => {
    const member = await service.token('mine', 'member');
    for (const [method, path, body] of [
      ['POST', PATH, pool()],
      ['GET', PATH],
      ['GET', `${PATH}/${DEFAULT}`],
      ['PATCH', `${PATH}/${DEFAULT}`, {}],
      ['DELETE', `${PATH}/${DEFAULT}`],
    ] as const) {
      const { status, json } = await ask(method, path, body, member);
      expect([method, path, status, json.type]).toEqual([method, path, 401, 'access_denied']);
    }
  });

  it('is found by its name', async () => {
    await created(pool('gold'));
    await created(pool('old silver'));
    const names = async (query: string) =>
      (await ask('GET', `${PATH}${query}`)).json.pools.map(({ name }: { name: string }) => name);
    expect(await names('?sort_key=name&sort_dir=desc')).toEqual(['old silver', 'gold', 'default']);
    expect(await names('?name=*old*')).toEqual(['gold', 'old silver']);
    expect(await names('?name=gold')).toEqual(['gold']);
  });
});

describe('a zone', () => {
  it('has the name servers of the pool that its creator names', async () => {
    const id = await created(pool());
    const zone = (await zoneIn(id)).json;
    expect(zone.pool_id).toBe(id);
    const { status, json } = await ask('GET', `/v2/zones/${zone.id}/nameservers`);
    expect([status, json]).toEqual([200, { nameservers: NS_RECORDS }]);
    const { recordsets } = (await ask('GET', `/v2/zones/${zone.id}/recordsets?type=NS`)).json;
    expect(recordsets[0].records).toEqual(NS_RECORDS.map(({ hostname }) => hostname));
  });

  it('shows its name servers to its project, and to no other', async () => {
    const member = await service.token('mine', 'member');
    const body = { name: 'zone.example.', email: 'a@example.org' };
    const zone = (await ask('POST', '/v2/zones', body, member)).json;
    const path = `/v2/zones/${zone.id}/nameservers`;
    expect(
      (await ask('GET', path, undefined, await service.token('mine', 'reader'))).json.nameservers,
    ).toHaveLength(2);
    const other = await ask('GET', path, undefined, await service.token('other', 'member'));
    expect([other.status, other.json.type]).toEqual([404, 'zone_not_found']);
  });

  it('is not created in a pool that does not exist, nor by those who may not name one', async () => {
    expect((await zoneIn(randomUUID())).status).toBe(400);
    const member = await service.token('mine', 'member');
    const { status, json } = await zoneIn(DEFAULT, 'mine.example.', member);
    expect([status, json.type]).toEqual([401, 'access_denied']);
    expect((await ask('GET', '/v2/zones')).json.zones).toEqual([]);
  });
});
