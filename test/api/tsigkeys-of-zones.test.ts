import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../support/tenant.ts';

let service: TestService;
let shop: Tenant;
let bank: Tenant;
let admin: Tenant;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '100' });
  shop = await tenantOf(service, 'shop');
  bank = await tenantOf(service, 'bank');
  admin = await tenantOf(service, 'admin', 'admin');
});
afterAll(() => service.remove());

const PATH = '/v2/tsigkeys';
const SECRET = 'c2VjcmV0IG9mIHRoZSB0ZXN0IGtleQ==';
const POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';

const make = (tenant: Tenant, zone: TestZone, name: string, more: object = {}): Promise<Answer> =>
  tenant.ask('POST', PATH, { name, scope: 'ZONE', resource_id: zone.id, ...more });

const refusalOf = ({ status, json }: Answer) => [status, json.type];

const bare = ({ name }: TestZone): string => name.slice(0, -1);

async function names(tenant: Tenant, query = ''): Promise<readonly string[]> {
  const { json } = await tenant.ask('GET', `${PATH}?${query}`);
  return json.tsigkeys.map(({ name }: { name: string }) => name);
}

const statusOf = async (tenant: Tenant, id: string): Promise<number> =>
  (await tenant.ask('GET', `${PATH}/${id}`)).status;

/** Hands a zone over to another project. */
async function handOver(zone: TestZone, from: Tenant, to: Tenant): Promise<void> {
  const offer = await from.ask('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, {});
  const { id, key } = offer.json;
  const body = { zone_transfer_request_id: id, key };
  expect((await to.ask('POST', '/v2/zones/tasks/transfer_accepts', body)).status).toBe(201);
}

describe('a key that a project makes for its zone', () => {
  it('is named by a label below the zone, and gets a secret of 256 bits, shown once', async () => {
    const zone = await shop.makeZone();
    const { status, json, headers } = await make(shop, zone, 'Acme');
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.any(String),
      name: `acme.${bare(zone)}`,
      algorithm: 'hmac-sha256',
      secret: expect.any(String),
      scope: 'ZONE',
      resource_id: zone.id,
      project_id: 'shop',
      created_at: expect.any(String),
      updated_at: null,
      links: { self: `${service.url}${PATH}/${json.id}` },
    });
    expect(Buffer.from(json.secret, 'base64')).toHaveLength(32);
    expect([headers.get('location'), headers.get('warning')]).toEqual([json.links.self, null]);
    const { secret, ...rest } = json;
    for (const tenant of [shop, admin]) {
      expect((await tenant.ask('GET', `${PATH}/${json.id}`)).json).toEqual(rest);
      const listed = await tenant.ask('GET', `${PATH}?resource_id=${zone.id}`);
      expect(listed.json.tsigkeys).toEqual([rest]);
      expect(listed.text).not.toContain(secret);
    }
  });

  it('has the secret, the algorithm and the permissions that were sent', async () => {
    const zone = await shop.makeZone();
    const permissions = { transfer: false, update: { names: ['_acme-challenge.**'], types: ['TXT'] } };
    const sent = { algorithm: 'hmac-sha512', secret: SECRET, permissions };
    const { json } = await make(shop, zone, 'acme', sent);
    expect(json).toMatchObject(sent);
    expect((await shop.ask('GET', `${PATH}/${json.id}`)).json).toMatchObject({ permissions });
  });

  it('may be given with its whole name, in any spelling', async () => {
    const zone = await shop.makeZone();
    for (const name of [`a.${bare(zone)}`, `B.${zone.name.toUpperCase()}`])
      expect((await make(shop, zone, name)).json.name).toBe(name);
    expect((await make(shop, zone, 'bücher')).json.name).toBe(`xn--bcher-kva.${bare(zone)}`);
    for (const taken of ['a', 'b', `A.${zone.name}`, 'BÜCHER'])
      expect(refusalOf(await make(shop, zone, taken))).toEqual([409, 'duplicate_tsigkey']);
  });

  it.each([
    '',
    '.',
    'a.b',
    'a.',
    'other.example',
    'other.example.',
    '*',
    String.raw`a\.b`,
    String.raw`a\046b`,
    'a b',
    'a..b',
    'ä ö',
    '@',
    'x'.repeat(64),
    'x'.repeat(300),
  ])('is refused with the name %j', async (name) => {
    const zone = await shop.makeZone();
    for (const sent of name === '' ? [name] : [name, `${name}.${zone.name}`]) {
      // A final dot in the middle is an empty label, and a name of two labels below the zone is none of its keys.
      const { status, json } = await make(shop, zone, sent);
      expect([sent, status, json.errors?.errors[0]?.path]).toEqual([sent, 400, ['name']]);
    }
    for (const whole of [zone.name, `a.b.${zone.name}`, `a${zone.name}`])
      expect(refusalOf(await make(shop, zone, whole))).toEqual([400, 'invalid_object']);
    expect(await names(shop, `resource_id=${zone.id}`)).toEqual([]);
  });

  it('fits where its name has at most 255 octets', async () => {
    const label = 'y'.repeat(62);
    const zone = await shop.makeZone(`${label}.${label}.${label}.example.org.`);
    // 3 labels of 62, 2 of 7 and 3, each with its length, and the root: 202 octets.
    expect((await make(shop, zone, 'x'.repeat(52))).status).toBe(201);
    const { status, json } = await make(shop, zone, 'x'.repeat(53));
    expect([status, json.errors.errors[0].path]).toEqual([400, ['name']]);
    const short = await shop.makeZone();
    expect((await make(shop, short, 'x'.repeat(63))).status).toBe(201);
  });

  it('is refused with a wrong secret, algorithm or permission, all faults at once', async () => {
    const zone = await shop.makeZone();
    for (const [key, value] of [
      ['secret', ''],
      ['secret', 'not base64'],
      ['secret', null],
      ['secret', 'A'.repeat(256)],
      ['algorithm', 'hmac-md4'],
      ['algorithm', null],
      ['permissions', {}],
      ['permissions', { transfer: false }],
      ['permissions', { update: { actions: ['create_token'] } }],
      ['permissions', { update: { zones: ['**'] } }],
      ['scope', 'HOST'],
      ['resource_id', 'x'],
    ] as const) {
      const { status, json, text } = await make(shop, zone, 'k', { [key]: value });
      const paths: readonly string[][] = json.errors.errors.map(({ path }: { path: string[] }) => path);
      expect([key, value, status, paths.some(([first]) => first === key)]).toEqual([key, value, 400, true]);
      expect(text).not.toContain('not base64');
    }
    const { json } = await make(shop, zone, 'a.b', { secret: 'no_base64' });
    expect(json.errors.errors.map(({ path }: { path: string[] }) => path)).toEqual([['name'], ['secret']]);
  });

  it('warns of HMAC-MD5', async () => {
    const { status, headers } = await make(shop, await shop.makeZone(), 'old', { algorithm: 'hmac-md5' });
    expect([status, headers.get('warning')]).toEqual([201, expect.stringContaining('HMAC-MD5')]);
  });

  it('is made once by a request that is repeated, with the same secret', async () => {
    const zone = await shop.makeZone();
    const body = { name: 'once', scope: 'ZONE', resource_id: zone.id };
    const send = () => shop.ask('POST', PATH, body, { 'idempotency-key': `once-${zone.id}` });
    const first = await send();
    expect((await send()).json).toEqual(first.json);
    expect(await names(shop, `resource_id=${zone.id}`)).toEqual([`once.${bare(zone)}`]);
  });

  it('is one of at most ten of its zone, whatever is sent at once; those of administrators do not count', async () => {
    const zone = await shop.makeZone();
    const secret = { algorithm: 'hmac-sha256', secret: SECRET };
    for (const name of [`free-of-${zone.id}`, `free.${zone.name}`])
      expect((await make(admin, zone, name, secret)).status).toBe(201);
    const answers = await Promise.all([...Array(20).keys()].map((n) => make(shop, zone, `k${n}`)));
    const counted = (status: number) => answers.filter((one) => one.status === status).length;
    expect([counted(201), counted(413)]).toEqual([10, 10]);
    expect(answers.find(({ status }) => status === 413)!.json.type).toBe('over_quota');
    const { json } = await shop.ask('GET', `${PATH}?resource_id=${zone.id}`);
    expect([json.tsigkeys.length, json.metadata.total_count]).toEqual([10, 10]);
    expect((await make(shop, await shop.makeZone(), 'k')).status).toBe(201);
    expect((await shop.ask('DELETE', `${PATH}/${json.tsigkeys[0].id}`)).status).toBe(204);
    expect((await make(shop, zone, 'again')).status).toBe(201);
  });

  it('is for a zone of the project: all others are not found', async () => {
    const zone = await shop.makeZone();
    await shop.ask('POST', `/v2/zones/${zone.id}/shares`, { target_project_id: 'bank' });
    for (const resource_id of [zone.id, (await bank.makeZone()).id, POOL]) {
      const asker = resource_id === zone.id ? bank : shop;
      expect(refusalOf(await make(asker, zone, 'k', { resource_id }))).toEqual([404, 'zone_not_found']);
    }
    const reader = await tenantOf(service, 'shop', 'reader');
    expect(refusalOf(await make(reader, zone, 'k'))).toEqual([401, 'access_denied']);
    expect(refusalOf(await make(shop, zone, 'k', { scope: 'POOL', resource_id: POOL }))).toEqual([
      400,
      'invalid_object',
    ]);
    const ofPool = { scope: 'POOL', resource_id: POOL, algorithm: 'hmac-sha256', secret: SECRET };
    expect(refusalOf(await make(shop, zone, 'k', ofPool))).toEqual([401, 'access_denied']);
  });

  it('is seen and deleted by its project alone, and by administrators', async () => {
    const zone = await shop.makeZone();
    const { id, name } = (await make(shop, zone, 'mine')).json;
    const ofAdmin = await make(admin, zone, `theirs-${zone.id}`, {
      algorithm: 'hmac-sha256',
      secret: SECRET,
    });
    const reader = await tenantOf(service, 'shop', 'reader');
    const query = `resource_id=${zone.id}`;
    expect([await names(shop, query), await names(reader, query), await names(bank, query)]).toEqual([
      [name],
      [name],
      [],
    ]);
    expect(await names(admin, query)).toEqual([name, `theirs-${zone.id}`]);
    expect((await bank.ask('GET', `${PATH}?${query}`)).json.metadata).toEqual({ total_count: 0 });
    const missing = [404, 'tsigkey_not_found'];
    for (const method of ['GET', 'DELETE'])
      expect(refusalOf(await bank.ask(method, `${PATH}/${id}`))).toEqual(missing);
    const ofAdministrators = `${PATH}/${ofAdmin.json.id}`;
    expect(refusalOf(await shop.ask('GET', ofAdministrators))).toEqual(missing);
    expect(refusalOf(await shop.ask('DELETE', ofAdministrators))).toEqual([401, 'access_denied']);
    expect(refusalOf(await reader.ask('DELETE', `${PATH}/${id}`))).toEqual([401, 'access_denied']);
    expect((await shop.ask('DELETE', `${PATH}/${id}`)).status).toBe(204);
    expect((await admin.ask('DELETE', `${PATH}/${(await make(shop, zone, 'mine')).json.id}`)).status).toBe(
      204,
    );
    expect(await names(shop, query)).toEqual([]);
  });

  it('is listed in every order, page by page', async () => {
    const peer = await tenantOf(service, 'pages');
    const zone = await peer.makeZone();
    const made = [];
    for (const label of ['b', 'c', 'a']) made.push((await make(peer, zone, label)).json.name);
    expect(await names(peer)).toEqual(made);
    expect(await names(peer, 'sort_key=name')).toEqual(made.toSorted());
    expect(await names(peer, `name=a.*`)).toEqual([made[2]]);
    const first = await peer.ask('GET', `${PATH}?limit=2&sort_key=name`);
    expect([first.json.tsigkeys.length, first.json.metadata.total_count]).toEqual([2, 3]);
    expect(await names(peer, new URL(first.json.links.next).search.slice(1))).toEqual([`c.${bare(zone)}`]);
  });

  it('cannot be changed, by anybody', async () => {
    const { id } = (await make(shop, await shop.makeZone(), 'fixed')).json;
    const path = `${PATH}/${id}`;
    expect(refusalOf(await shop.ask('PATCH', path, { algorithm: 'hmac-sha1' }))).toEqual([
      401,
      'access_denied',
    ]);
    const refused = await admin.ask('PATCH', path, { secret: SECRET });
    expect(refusalOf(refused)).toEqual([400, 'invalid_object']);
    expect((await shop.ask('GET', path)).json.algorithm).toBe('hmac-sha256');
  });

  it('keeps its name from administrators, and they theirs from projects', async () => {
    const zone = await shop.makeZone();
    const given = { algorithm: 'hmac-sha256', secret: SECRET };
    await make(shop, zone, 'first');
    expect(refusalOf(await make(admin, zone, `first.${zone.name}`, given))).toEqual([
      409,
      'duplicate_tsigkey',
    ]);
    await make(admin, zone, `second.${zone.name}`, given);
    expect(refusalOf(await make(shop, zone, 'second'))).toEqual([409, 'duplicate_tsigkey']);
  });
});

describe('a key of a zone ends', () => {
  it('with the zone, and does not come back with it', async () => {
    const zone = await shop.makeZone();
    const { id } = (await make(shop, zone, 'gone')).json;
    await shop.ask('DELETE', `/v2/zones/${zone.id}`);
    expect(await statusOf(admin, id)).toBe(404);
    expect((await shop.ask('POST', `/v2/deleted_zones/${zone.id}/restore`)).status).toBe(202);
    expect(await names(shop, `resource_id=${zone.id}`)).toEqual([]);
    expect((await make(shop, zone, 'gone')).status).toBe(201);
  });

  it('when the zone is abandoned', async () => {
    const zone = await shop.makeZone();
    const { id } = (await make(shop, zone, 'left')).json;
    const given = { algorithm: 'hmac-sha256', secret: SECRET };
    const ofAdmin = (await make(admin, zone, `left-${zone.id}`, given)).json.id;
    const headers = { 'x-auth-sudo-project-id': 'shop' };
    const path = `/v2/zones/${zone.id}/tasks/abandon`;
    expect((await admin.ask('POST', path, undefined, headers)).status).toBe(204);
    expect([await statusOf(admin, id), await statusOf(admin, ofAdmin)]).toEqual([404, 404]);
  });

  it('when the zone gets another owner, unless administrators have made it', async () => {
    const zone = await shop.makeZone();
    const { id } = (await make(shop, zone, 'old')).json;
    const given = { algorithm: 'hmac-sha256', secret: SECRET };
    const ofAdmin = (await make(admin, zone, `stays-${zone.id}`, given)).json.id;
    await handOver(zone, shop, shop);
    expect(await statusOf(shop, id)).toBe(200);
    await handOver(zone, shop, bank);
    expect([await statusOf(admin, id), await statusOf(admin, ofAdmin)]).toEqual([404, 200]);
    expect((await make(bank, zone, 'old')).json.project_id).toBe('bank');
    expect(refusalOf(await make(shop, zone, 'old'))).toEqual([404, 'zone_not_found']);
  });

  it('in events that its project sees, without the secret', async () => {
    const zone = await shop.makeZone();
    const { id, secret } = (await make(shop, zone, 'told')).json;
    await handOver(zone, shop, bank);
    const path = `/v2/events?target_id=${id}`;
    await expect.poll(async () => (await shop.ask('GET', path)).json.events).toHaveLength(2);
    const { json, text } = await shop.ask('GET', path);
    const types = json.events.map(({ type }: { type: string }) => type);
    expect(types.sort()).toEqual(['tsigkey.created', 'tsigkey.deleted']);
    expect(text).not.toContain(secret);
    expect((await bank.ask('GET', path)).json.events).not.toContainEqual(
      expect.objectContaining({ type: 'tsigkey.created' }),
    );
    expect(JSON.stringify(service.logged)).not.toContain(secret);
    const given = { algorithm: 'hmac-sha256', secret: SECRET };
    const ofAdmin = (await make(admin, zone, `quiet-${zone.id}`, given)).json.id;
    await expect
      .poll(async () => (await admin.ask('GET', `/v2/events?target_id=${ofAdmin}`)).json.events)
      .toHaveLength(1);
    expect((await bank.ask('GET', `/v2/events?target_id=${ofAdmin}`)).json.events).toEqual([]);
  });
});
