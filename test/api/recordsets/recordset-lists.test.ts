import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let tenant: Tenant;
let zone: TestZone;
let second: TestZone;
let names: string[];

const DRAFTS = [
  { label: 'c', type: 'A', records: ['192.0.2.3', '192.0.2.1'], ttl: 300, description: 'third' },
  { label: 'a', type: 'AAAA', records: ['2001:db8::1'], ttl: null, description: null },
  { label: 'd_%', type: 'TXT', records: ['"50% off_all"'], ttl: 60, description: '50% off_all' },
  { label: 'b', type: 'A', records: ['192.0.2.1'], ttl: 3600, description: 'Third' },
];

beforeAll(async () => {
  service = await startTestService();
  tenant = await tenantOf(service, 'tenant');
  zone = await tenant.makeZone('first.example.org.');
  second = await tenant.makeZone('second.example.org.');
  names = [];
  for (const { label, ...draft } of DRAFTS) {
    const name = `${label.replace('%', 'x')}.${zone.name}`;
    names.push(name);
    await tenant.create(zone, { name, ...draft });
  }
  await tenant.create(second, { name: second.name, type: 'A', records: ['192.0.2.1'] });
});
afterAll(() => service.remove());

const listOf = (query = '') => tenant.list(`/v2/zones/${zone.id}/recordsets?${query}`);
const pick = (...places: number[]) => places.map((place) => names[place]);
const totalOf = async (path: string) => (await tenant.ask('GET', path)).json.metadata.total_count;

it('lists the recordsets of a zone in the order of their creation, the managed ones among them', async () => {
  expect(await listOf()).toEqual(names);
  const { json } = await tenant.ask('GET', `/v2/zones/${zone.id}/recordsets`);
  expect(json.recordsets).toHaveLength(6);
  const managed = json.recordsets.slice(0, 2);
  expect(managed.map(({ type }: { type: string }) => type)).toEqual(['SOA', 'NS']);
  expect(managed[0].created_at < managed[1].created_at).toBe(true);
  expect(json.metadata).toEqual({ total_count: 6 });
  expect(json.links).toEqual({ self: `${service.url}/v2/zones/${zone.id}/recordsets` });
});

it.each([
  ['name', [1, 3, 0, 2]],
  ['ttl', [1, 2, 0, 3]],
  ['created_at', [0, 1, 2, 3]],
  ['records', [3, 0, 1, 2]],
])('sorts by %s in both directions', async (key, order) => {
  expect(await listOf(`sort_key=${key}`)).toEqual(pick(...order));
  expect(await listOf(`sort_key=${key}&sort_dir=desc`)).toEqual(pick(...order.toReversed()));
});

it.each(['created_at', 'id', 'updated_at', 'zone_id', 'tenant_id', 'name', 'type', 'ttl', 'records'])(
  'pages by %s without a gap, in both directions',
  async (key) => {
    for (const dir of ['asc', 'desc']) {
      const query = `sort_key=${key}&sort_dir=${dir}`;
      const whole = (await tenant.ask('GET', `/v2/recordsets?${query}`)).json.recordsets;
      const paged: unknown[] = [];
      for (let url = `/v2/recordsets?${query}&limit=2`; url !== ''; ) {
        const { json } = await tenant.ask('GET', url);
        expect(json.metadata.total_count).toBe(9);
        paged.push(...json.recordsets);
        url = json.links.next?.slice(service.url.length) ?? '';
      }
      expect(paged).toEqual(whole);
      expect(paged).toHaveLength(9);
    }
  },
);

it.each<[string, number[]]>([
  ['type=A', [0, 3]],
  ['type=A*', [0, 1, 3]],
  [`name=A.FIRST.example.org.`, [1]],
  ['name=c.*', [0]],
  ['ttl=60', [2]],
  ['data=192.0.2.1', [0, 3]],
  ['data=192.0.2.*', [0, 3]],
  ['data=192.0.2', []],
  ['data=*50% off_all*', [2]],
  ['data=*50_ off%25all*', []],
  ['description=third', [0]],
  ['description=50%25 off_all', [2]],
  ['description=50%25*_all', [2]],
  ['description=50_ off_all', []],
  ['status=ACTIVE', [0, 1, 2, 3]],
  ['status=ERROR', []],
  ['action=NONE', [0, 1, 2, 3]],
  ['action=UPDATE', []],
  ['type=A&data=*.3', [0]],
])('filters by %s', async (query, expected) => {
  expect(await listOf(query.replace('50% off', '50%25 off'))).toEqual(pick(...expected));
});

it('counts what matches the filters', async () => {
  expect(await totalOf(`/v2/zones/${zone.id}/recordsets?type=A`)).toBe(2);
  expect(await totalOf(`/v2/zones/${zone.id}/recordsets?type=A&limit=1`)).toBe(2);
  expect(await totalOf('/v2/recordsets?data=192.0.2.1')).toBe(3);
  expect(await totalOf('/v2/recordsets?type=SOA')).toBe(2);
});

it('leaves the count out where it is not wanted', async () => {
  const hidden = await tenant.ask('GET', '/v2/recordsets', undefined, {
    'OpenStack-DNS-Hide-Counts': 'True',
  });
  expect(hidden.json.metadata).toEqual({});
});

it('lists the recordsets of all zones of a project, and of every project for an administrator', async () => {
  expect((await tenant.list('/v2/recordsets')).sort()).toEqual([...names, second.name].sort());
  expect(await totalOf('/v2/recordsets')).toBe(9);
  const other = await tenantOf(service, 'other');
  const theirs = await other.makeZone('theirs.example.net.');
  expect((await other.ask('GET', '/v2/recordsets')).json.metadata.total_count).toBe(2);
  const admin = await tenantOf(service, 'admin', 'admin');
  expect((await admin.ask('GET', '/v2/recordsets')).json).toMatchObject({
    recordsets: [],
    metadata: { total_count: 0 },
  });
  const all = await admin.ask('GET', '/v2/recordsets?limit=max', undefined, {
    'X-Auth-All-Projects': 'True',
  });
  expect(all.json.metadata.total_count).toBe(11);
  expect(all.json.recordsets).toHaveLength(11);
  await other.ask('DELETE', `/v2/zones/${theirs.id}`);
});

it('sends who knows a recordset by its id alone to its place', async () => {
  const [one] = (await tenant.ask('GET', `/v2/zones/${zone.id}/recordsets?name=${names[0]}`)).json.recordsets;
  const moved = await tenant.ask('GET', `/v2/recordsets/${one.id}`);
  expect([moved.status, moved.headers.get('location'), moved.text]).toEqual([301, one.links.self, '']);
});

it.each([
  ['limit=0', 'invalid_limit'],
  ['limit=x', 'invalid_limit'],
  ['marker=7', 'invalid_marker'],
  ['marker=00000000-0000-4000-8000-000000000000', 'marker_not_found'],
  ['sort_key=version', 'invalid_sort_key'],
  ['sort_dir=up', 'invalid_sort_dir'],
  ['records=x', 'bad_request'],
  ['type=A&type=TXT', 'bad_request'],
])('refuses %s', async (query, type) => {
  for (const path of ['/v2/recordsets', `/v2/zones/${zone.id}/recordsets`]) {
    expect((await tenant.ask('GET', `${path}?${query}`)).json).toMatchObject({ code: 400, type });
  }
});

it('knows no marker of another zone or project', async () => {
  const { recordsets } = (await tenant.ask('GET', `/v2/zones/${second.id}/recordsets`)).json;
  const path = `/v2/zones/${zone.id}/recordsets?marker=${recordsets[0].id}`;
  expect((await tenant.ask('GET', path)).json.type).toBe('marker_not_found');
  const other = await tenantOf(service, 'other');
  expect((await other.ask('GET', `/v2/recordsets?marker=${recordsets[0].id}`)).json.type).toBe(
    'marker_not_found',
  );
});

it('finds a wildcard by its exact name, where a star with a backslash is literal', async () => {
  const other = await tenantOf(service, 'with-wildcards');
  const own = await other.makeZone('wild.example.org.');
  const star = `*.${own.name}`;
  for (const name of [star, `a.${own.name}`, `*.a.${own.name}`])
    await other.create(own, { name, type: 'TXT', records: ['"x"'] });
  for (const path of [`/v2/zones/${own.id}/recordsets`, '/v2/recordsets']) {
    const found = (filter: string) => other.list(`${path}?type=TXT&name=${filter}`);
    expect(await found(`\\*.${own.name}`)).toEqual([star]);
    expect(await found(`\\*.WILD.example.org.`)).toEqual([star]);
    expect(await found('\\*.*')).toEqual([star, `*.a.${own.name}`]);
    expect(await found(`*\\*.a.${own.name}`)).toEqual([`*.a.${own.name}`]);
    expect(await found(star)).toEqual([star, `a.${own.name}`, `*.a.${own.name}`]);
  }
  const zonesFound = async (filter: string) =>
    (await other.ask('GET', `/v2/zones?name=${filter}`)).json.zones.length;
  expect(await zonesFound('*.example.org.')).toBe(1);
  expect(await zonesFound('\\*.example.org.')).toBe(0);
  // Elsewhere a backslash is an ordinary character.
  await other.create(own, { name: `b.${own.name}`, type: 'TXT', records: ['"a\\\\b"'] });
  expect(await other.list('/v2/recordsets?data=*\\*')).toEqual([`b.${own.name}`]);
  const many = `${'\\*'.repeat(9)}.example.org.`;
  expect((await other.ask('GET', `/v2/recordsets?name=${many}`)).status).toBe(200);
  expect((await other.ask('GET', `/v2/recordsets?name=${'*a'.repeat(9)}`)).status).toBe(400);
});
