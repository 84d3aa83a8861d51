import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../support/runs.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  tenant = await tenantOf(service, 'tenant');
});
afterAll(() => service.remove());

interface Shown {
  readonly id: string;
  readonly [key: string]: unknown;
}

const changesOf = async (zone: TestZone, query = ''): Promise<readonly Shown[]> =>
  (await tenant.ask('GET', `/v2/zones/${zone.id}/changes${query}`)).json.changes;
const contentsOf = (zone: TestZone, query: string, accept = 'application/json') =>
  tenant.ask('GET', `/v2/zones/${zone.id}/contents?${query}`, undefined, { accept });
const put = (zone: TestZone, id: string, body: object) =>
  tenant.ask('PUT', `/v2/zones/${zone.id}/recordsets/${id}`, body);
const drop = (zone: TestZone, id: string) => tenant.ask('DELETE', `/v2/zones/${zone.id}/recordsets/${id}`);
const idIn = ({ headers }: { headers: Headers }) => headers.get('x-zonewarden-change');

describe('the list of changes', () => {
  it('has each write, newest first, with who did what, under the id that the answer to the write had', async () => {
    const zone = await tenant.makeZone();
    const www = `www.${zone.name}`;
    const made = await tenant.create(zone, { name: www, type: 'A', records: ['192.0.2.1'], ttl: 60 });
    const changed = await put(zone, made.json.id, { records: ['192.0.2.2'], description: 'new' });
    const gone = await drop(zone, made.json.id);
    await tenant.ask('PATCH', `/v2/zones/${zone.id}`, { ttl: 77 });
    const changes = await changesOf(zone);
    expect(changes.map(({ summary }) => summary)).toEqual([
      { create: 0, update: 0, delete: 0 },
      { create: 0, update: 0, delete: 1 },
      { create: 0, update: 1, delete: 0 },
      { create: 1, update: 0, delete: 0 },
    ]);
    expect(changes.slice(1).map(({ id }) => id)).toEqual([gone, changed, made].map(idIn));
    expect(changes[3]).toEqual({
      id: idIn(made),
      zone_id: zone.id,
      at: expect.any(String),
      from_serial: zone.serial,
      to_serial: changes[2]!.from_serial,
      status: 'ACTIVE',
      door: 'api',
      actor: {
        kind: 'request',
        project_id: 'tenant',
        user_id: expect.any(String),
        request_id: made.headers.get('x-openstack-request-id'),
        address: expect.any(String),
      },
      description: null,
      summary: { create: 1, update: 0, delete: 0 },
      links: { self: `${service.url}/v2/zones/${zone.id}/changes/${idIn(made)}` },
    });
    const one = await tenant.ask('GET', `/v2/zones/${zone.id}/changes/${idIn(changed)}`);
    expect(one.json.recordsets).toEqual([
      {
        effect: 'update',
        name: www,
        type: 'A',
        recordset_id: made.json.id,
        before: { ttl: 60, records: ['192.0.2.1'], description: null },
        after: { ttl: 60, records: ['192.0.2.2'], description: 'new' },
      },
    ]);
    const { json: created } = await tenant.ask('GET', `/v2/zones/${zone.id}/changes/${idIn(made)}`);
    expect(created.recordsets[0]).toMatchObject({ effect: 'create', before: null });
    const { json: deleted } = await tenant.ask('GET', `/v2/zones/${zone.id}/changes/${idIn(gone)}`);
    expect(deleted.recordsets[0]).toMatchObject({ effect: 'delete', after: null });
  });

  it('comes in pages, and by name, type, time and door', async () => {
    const zone = await tenant.makeZone();
    for (const host of ['a', 'b', 'c', 'd', 'e']) {
      await tenant.create(zone, { name: `${host}.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
      await tenant.create(zone, { name: `${host}.${zone.name}`, type: 'TXT', records: [`"${host}"`] });
    }
    const all = await changesOf(zone);
    expect(all).toHaveLength(10);
    const path = `/v2/zones/${zone.id}/changes`;
    const seen: string[] = [];
    for (let next: string | undefined = `${path}?limit=3`; next !== undefined; ) {
      const { json } = await tenant.ask('GET', next);
      seen.push(...json.changes.map(({ id }: Shown) => id));
      next = json.links.next?.slice(service.url.length);
    }
    expect(seen).toEqual(all.map(({ id }) => id));
    expect(await changesOf(zone, `?name=b.${zone.name}`)).toEqual([all[6], all[7]]);
    expect(await changesOf(zone, `?name=B.*&type=TXT`)).toEqual([all[6]]);
    expect(await changesOf(zone, '?type=A&limit=2')).toEqual([all[1], all[3]]);
    expect(await changesOf(zone, `?since=${all[2]!.at}`)).toEqual(all.slice(0, 3));
    expect(await changesOf(zone, `?until=${all[2]!.at}`)).toEqual(all.slice(3));
    expect(await changesOf(zone, '?door=import')).toEqual([]);
    expect(await changesOf(zone, '?door=api')).toEqual(all);
  });

  it('of a recordset has what happened to it', async () => {
    const zone = await tenant.makeZone();
    const { json } = await tenant.create(zone, { name: `x.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
    await tenant.create(zone, { name: `y.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
    await put(zone, json.id, { ttl: 5 });
    const { json: list } = await tenant.ask('GET', `/v2/recordsets/${json.id}/changes`);
    expect(list.changes.map((one: { recordsets: object[] }) => one.recordsets)).toMatchObject([
      [{ effect: 'update', after: { ttl: 5 } }],
      [{ effect: 'create' }],
    ]);
    const { status, json: refused } = await tenant.ask('GET', `/v2/recordsets/${zone.id}/changes`);
    expect([status, refused.type]).toEqual([404, 'recordset_not_found']);
  });

  it('has an import under its own door, with the recordsets', async () => {
    const name = 'imported-history.example.';
    const text = `$ORIGIN ${name}\n$TTL 60\n@ IN SOA ns1.example.org. hostmaster.example.org. 7 3600 600 86400 300\n@ IN NS ns1.example.org.\nwww IN A 192.0.2.1\n`;
    const made = await service.request('POST', '/v2/zones/tasks/imports', {
      token: await service.token('tenant', 'member'),
      body: text,
      headers: { 'content-type': 'text/dns' },
    });
    const zone = await tenant.look({ id: made.json.zone_id } as TestZone);
    const [change, ...others] = await changesOf(zone);
    expect(others).toEqual([]);
    expect(change).toMatchObject({ door: 'import', from_serial: null, to_serial: zone.serial });
    const { json } = await tenant.ask('GET', `/v2/zones/${zone.id}/changes/${change!.id}`);
    expect(json.recordsets).toMatchObject([{ effect: 'create', name: `www.${name}` }]);
  });

  it.each([
    ['changes?sort_key=at', 400, 'bad_request'],
    ['changes?sort_dir=asc', 400, 'bad_request'],
    ['changes?colour=red', 400, 'bad_request'],
    ['changes?since=yesterday', 400, 'bad_request'],
    ['changes?limit=0', 400, 'invalid_limit'],
    ['changes?marker=x', 400, 'invalid_marker'],
    ['changes?marker=00000000-0000-4000-8000-000000000000', 400, 'marker_not_found'],
    ['changes/00000000-0000-4000-8000-000000000000', 404, 'change_not_found'],
    ['changes/x', 400, 'invalid_uuid'],
    ['contents?serial=1', 404, 'change_not_found'],
    ['contents?serial=-1', 400, 'bad_request'],
    ['contents?serial=4294967296', 400, 'bad_request'],
    ['contents?serial=1&at=2030-01-01', 400, 'bad_request'],
    ['contents?at=2020-01-01', 404, 'change_not_found'],
    ['contents?at=then', 400, 'bad_request'],
    ['contents?serial=1&serial=2', 400, 'bad_request'],
    ['contents?colour=red', 400, 'bad_request'],
    ['diff?from=1', 400, 'bad_request'],
    ['diff?from=1&to=2', 404, 'change_not_found'],
    ['diff?from=x&to=2', 400, 'bad_request'],
  ])('refuses %s', async (path, status, type) => {
    const zone = await tenant.makeZone();
    const answer = await tenant.ask('GET', `/v2/zones/${zone.id}/${path}`);
    expect([answer.status, answer.json.type]).toEqual([status, type]);
  });
});

/** What a test does to a zone. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('create' as const), host: fc.nat(4), value: fc.nat(200) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('put' as const), host: fc.nat(4), value: fc.nat(200) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), host: fc.nat(4), value: fc.nat(1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('zone ttl' as const), host: fc.nat(0), value: fc.nat(9) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('email' as const), host: fc.nat(0), value: fc.nat(9) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('words' as const), host: fc.nat(0), value: fc.nat(9) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const addresses = (value: number) =>
  value > 190 ? Array.from({ length: 20 }, (_, n) => `192.0.2.${n}`) : [`192.0.2.${value}`];

/** What a step does to the zone itself; undefined if it is about a recordset. */
const propertiesOf = ({ kind, value }: Step) =>
  ({
    'zone ttl': { ttl: 60 + value },
    email: { email: `h${value}@example.org` },
    words: { description: `words ${value}` },
    create: undefined,
    put: undefined,
    delete: undefined,
  })[kind];

/** Does a step if it can be done. */
async function take(zone: TestZone, ids: Map<number, string>, one: Step): Promise<void> {
  const { kind, host, value } = one;
  const id = ids.get(host);
  const properties = propertiesOf(one);
  if (properties !== undefined) await tenant.ask('PATCH', `/v2/zones/${zone.id}`, properties);
  else if (id === undefined) {
    const body = {
      name: `h${host}.${zone.name}`,
      type: 'A',
      records: addresses(value),
      ttl: value % 3 ? null : value,
    };
    if (kind === 'create') ids.set(host, (await tenant.create(zone, body)).json.id);
  } else if (kind === 'delete') {
    await drop(zone, id);
    ids.delete(host);
  } else await put(zone, id, { records: addresses(value), description: `to ${value}` });
}

const fileOf = async (zone: TestZone, query: string) => (await contentsOf(zone, query, 'text/dns')).text;

it('is exported as long as it had no more recordsets than may be exported, whatever it has now', async () => {
  const zone = await tenant.makeZone();
  const limit = (count: number) =>
    service.request('PATCH', '/v2/quotas/tenant', { token: service.admin, body: { api_export_size: count } });
  for (const host of ['a', 'b', 'c'])
    await tenant.create(zone, { name: `${host}.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
  const full = (await tenant.look(zone)).serial;
  await tenant.ask('PUT', `/v2/zones/${zone.id}/contents`, { recordsets: [] });
  await limit(3);
  expect((await contentsOf(zone, `serial=${full}`)).json.type).toBe('over_quota');
  expect((await contentsOf(zone, `serial=${full}`, 'text/dns')).json.type).toBe('over_quota');
  expect((await contentsOf(zone, `serial=${zone.serial}`)).status).toBe(200);
  await limit(1000);
  expect((await contentsOf(zone, `serial=${full}`)).status).toBe(200);
});

it('gives every former state of a zone, by its serial and by the time, as it was', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
    const zone = await tenant.makeZone();
    const ids = new Map<number, string>();
    const files = new Map<number, string>();
    const times: (readonly [at: string, file: string])[] = [];
    for (const one of steps) {
      await take(zone, ids, one);
      const present = (await tenant.ask('GET', `/v2/zones/${zone.id}`)).json;
      const file = await fileOf(zone, `serial=${present.serial}`);
      files.set(present.serial, file);
      times.push([present.updated_at ?? present.created_at, file]);
    }
    for (const [serial, file] of files) expect(await fileOf(zone, `serial=${serial}`)).toBe(file);
    for (const [at, file] of times) expect(await fileOf(zone, `at=${at}`)).toBe(file);
    const serials = [...files.keys()];
    const [first, last] = [serials[0], serials.at(-1)];
    if (first === undefined) return;
    const { json: forth } = await tenant.ask('GET', `/v2/zones/${zone.id}/diff?from=${first}&to=${last}`);
    const { json: back } = await tenant.ask('GET', `/v2/zones/${zone.id}/diff?from=${last}&to=${first}`);
    const turned = forth.changes.map(
      (one: { before: unknown; after: unknown; effect: string; name: string }) => [
        one.name,
        one.after,
        one.before,
      ],
    );
    expect(
      back.changes.map((one: { name: string; before: unknown; after: unknown }) => [
        one.name,
        one.before,
        one.after,
      ]),
    ).toEqual(turned);
    const before = (await contentsOf(zone, `serial=${first}`)).json.recordsets;
    const after = (await contentsOf(zone, `serial=${last}`)).json.recordsets;
    expect(applied(before, forth.changes)).toEqual(withoutManaged(after));
    expect(applied(after, back.changes)).toEqual(withoutManaged(before));
  });
  await fc.assert(property, { numRuns: runs(40, 6) });
});

interface State {
  readonly name: string;
  readonly type: string;
  readonly ttl: number | null;
  readonly records: readonly string[];
  readonly description: string | null;
}

const withoutManaged = (recordsets: readonly State[]) => recordsets.filter(({ type }) => type === 'A');

/** Recordsets after changes. */
function applied(
  recordsets: readonly State[],
  changes: readonly { name: string; type: string; after: Omit<State, 'name' | 'type'> | null }[],
): readonly State[] {
  const all = new Map(withoutManaged(recordsets).map((one) => [one.name, one]));
  for (const { name, type, after } of changes) {
    if (after === null) all.delete(name);
    else all.set(name, { name, type, ...after });
  }
  return [...all.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}
