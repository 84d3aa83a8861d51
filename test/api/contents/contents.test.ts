/** The contents of a zone as a whole: shown, and replaced. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordsetsIn } from '../../support/change-sets.ts';
import { getContents, putContents } from '../../support/contents.ts';
import { eventsOf } from '../../support/events.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let owner: string;
let partner: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  owner = await service.token('shop', 'member');
  partner = await service.token('partner', 'member');
});
afterAll(() => service.remove());

const ask = (method: string, path: string, body?: object, token = owner): Promise<Answer> =>
  service.request(method, path, { token, ...(body && { body }) });
let zones = 0;
async function makeZone() {
  const name = `contents-${++zones}.example.`;
  const { json } = await ask('POST', '/v2/zones', { name, email: 'a@example.org' });
  return { id: json.id as string, name };
}
const put = (id: string, contents: string | object, query = '', token = owner, headers = {}) =>
  putContents(service, id, contents, { token, query, headers });
const here = (id: string) => recordsetsIn(service, id, owner);
const zoneOf = async (id: string) => (await ask('GET', `/v2/zones/${id}`)).json;
const serialOf = async (id: string): Promise<number> => (await zoneOf(id)).serial;

describe('a zone file as the contents of a zone', () => {
  it('creates what is new, changes what differs, and deletes what it lacks', async () => {
    const { id, name } = await makeZone();
    const first = await put(id, '$TTL 300\nwww A 192.0.2.1\nold TXT "x"\nmail 60 A 192.0.2.2\n');
    expect([first.status, first.json.status, first.json.summary]).toEqual([
      202,
      'PENDING',
      { create: 3, update: 0, delete: 0, unchanged: 0 },
    ]);
    const { status, json } = await put(
      id,
      '$TTL 300\nwww A 192.0.2.9\nnew AAAA 2001:db8::1\nmail 60 A 192.0.2.2\n',
    );
    expect([status, json.summary]).toEqual([202, { create: 1, update: 1, delete: 1, unchanged: 1 }]);
    expect(
      json.changes.map(({ effect, name: at, type, positions }: Record<string, unknown>) => [
        effect,
        at,
        type,
        positions,
      ]),
    ).toEqual([
      ['create', `new.${name}`, 'AAAA', [3]],
      ['delete', `old.${name}`, 'TXT', []],
      ['update', `www.${name}`, 'A', [2]],
    ]);
    expect(json.changes[2].after).toEqual({ ttl: 300, records: ['192.0.2.9'], description: null });
    expect(json.to_serial).toBe(await serialOf(id));
    expect(await here(id)).toEqual({
      [`mail.${name} A`]: { ttl: 60, records: ['192.0.2.2'], description: null },
      [`new.${name} AAAA`]: { ttl: 300, records: ['2001:db8::1'], description: null },
      [`www.${name} A`]: { ttl: 300, records: ['192.0.2.9'], description: null },
    });
  });

  it('leaves the SOA and the apex NS alone, skips what is outside, and counts both', async () => {
    const { id, name } = await makeZone();
    const file = [
      `${name} IN SOA a.example. b.example. 1 2 3 4 5`,
      '@ 60 NS elsewhere.example.',
      '@ 60 NS elsewhere-2.example.',
      'other.example. 60 A 192.0.2.1',
      'www 60 A 192.0.2.1',
    ];
    const before = (await ask('GET', `/v2/zones/${id}/recordsets`)).json.recordsets;
    const { status, json } = await put(id, file.join('\n'));
    expect([status, json.ignored, json.summary.create]).toEqual([202, 4, 1]);
    const after = (await ask('GET', `/v2/zones/${id}/recordsets`)).json.recordsets;
    expect(after.find(({ type }: { type: string }) => type === 'NS').records).toEqual(
      before.find(({ type }: { type: string }) => type === 'NS').records,
    );
  });

  it('keeps TTL null, spellings, order and descriptions of what has the same data', async () => {
    const { id, name } = await makeZone();
    const { ttl } = await zoneOf(id);
    const spelled = {
      name: `a.${name}`,
      type: 'AAAA',
      records: ['2001:DB8::2', '2001:db8:0::1'],
      description: 'two',
    };
    await ask('POST', `/v2/zones/${id}/recordsets`, spelled);
    const { version } = await zoneOf(id);
    const answer = await put(id, `a ${ttl} AAAA 2001:db8::1\na ${ttl} AAAA 2001:db8::2\n`);
    expect([answer.status, answer.json.status, answer.json.summary.unchanged, answer.json.changes]).toEqual([
      200,
      'UNCHANGED',
      1,
      [],
    ]);
    expect((await zoneOf(id)).version).toBe(version);
    const more = await put(id, 'a AAAA 2001:db8::1\na AAAA 2001:db8::2\na AAAA 2001:db8::3\n');
    expect(more.json.changes[0].after).toEqual({
      ttl: null,
      records: ['2001:db8:0::1', '2001:DB8::2', '2001:db8::3'],
      description: 'two',
    });
  });

  it('gives records without a TTL that of $TTL, else that of the SOA, else that of the zone', async () => {
    const { id, name } = await makeZone();
    const { ttl } = await zoneOf(id);
    const ttlOf = async (file: string) => {
      const { json } = await put(id, file, '?dry_run=true');
      return json.changes[0].after.ttl;
    };
    expect(await ttlOf('www A 192.0.2.1')).toBe(null);
    expect(await ttlOf('$TTL 77\nwww A 192.0.2.1')).toBe(77);
    expect(await ttlOf(`$TTL ${ttl}\nwww A 192.0.2.1`)).toBe(null);
    expect(await ttlOf(`www ${ttl} A 192.0.2.1`)).toBe(ttl);
    expect(await ttlOf(`${name} 88 SOA a. b. 1 2 3 4 5\nwww A 192.0.2.1`)).toBe(88);
  });

  it('keeps the types that it is told to keep', async () => {
    const { id, name } = await makeZone();
    await put(id, 'www 60 A 192.0.2.1\nwww 60 CAA 0 issue "ca.example"\nsub 60 NS ns.example.\n');
    const { json } = await put(
      id,
      'www 60 CAA 0 issue "other.example"\nmore 60 CAA 0 issue "x"\n',
      '?keep=NS,CAA',
    );
    expect(json.summary).toEqual({ create: 0, update: 0, delete: 1, unchanged: 2 });
    expect(Object.keys(await here(id)).sort()).toEqual([`sub.${name} NS`, `www.${name} CAA`]);
  });

  it('skips what a DNSSEC signer made, and leaves the keys of a signed file alone', async () => {
    const { id, name } = await makeZone();
    const cds =
      '12345 8 2 38353137323939314330363244313535314337344441463832394132443146334538393041333435363738393031323334353637383930';
    await put(id, `@ 60 CDS ${cds.slice(0, 12)} ${'ab'.repeat(32)}\n`);
    const signed = `@ 60 CDS 1 8 2 ${'cd'.repeat(32)}\n@ 60 RRSIG A 8 3 60 20300101000000 20200101000000 1 ${name} aaaa\n`;
    const { json } = await put(id, signed);
    expect([json.status, json.ignored]).toEqual(['UNCHANGED', 2]);
  });

  it('refuses unreadable lines, all by their numbers', async () => {
    const { id } = await makeZone();
    const { status, json } = await put(
      id,
      'www 60 A 192.0.2.1\nbad 60 A x\n-x- 60 A 192.0.2.1\nc 60 CNAME a.\nc 60 CNAME b.\n',
    );
    expect([status, json.type]).toEqual([400, 'invalid_object']);
    expect(json.errors.errors.map(({ path }: { path: unknown }) => path)).toEqual([
      ['line', 2],
      ['line', 3],
      ['line', 4],
    ]);
  });

  it('refuses an SOA of another name', async () => {
    const { id } = await makeZone();
    const { status, json } = await put(id, 'other.example. 60 SOA a. b. 1 2 3 4 5\n');
    expect([status, json.type, json.errors.errors[0].path]).toEqual([400, 'invalid_object', ['line', 1]]);
  });

  it('names the line of what has no place in the zone', async () => {
    const { id } = await makeZone();
    const { status, json } = await put(id, 'a 60 CNAME x.example.\nb 60 A 192.0.2.1\na 60 TXT "x"\n');
    expect([status, json.type]).toEqual([400, 'invalid_recordset_location']);
    expect(json.errors.errors[0].path[0]).toBe('line');
    const shown = await put(id, 'a 60 CNAME x.example.\na 60 TXT "x"\n', '?dry_run=true');
    expect([shown.status, shown.json.status]).toEqual([200, 'REFUSED']);
  });

  it('lets a CNAME replace an A, and an empty body nothing', async () => {
    const { id, name } = await makeZone();
    await put(id, 'a 60 A 192.0.2.1\n');
    const { json } = await put(id, 'a 60 CNAME x.example.\n');
    expect(json.summary).toEqual({ create: 1, update: 0, delete: 1, unchanged: 0 });
    const empty = await put(id, '');
    expect([empty.status, empty.json.type]).toEqual([400, 'empty_request_body']);
    expect(Object.keys(await here(id))).toEqual([`a.${name} CNAME`]);
    const comment = await put(id, '; nothing any more\n');
    expect(comment.json.summary.delete).toBe(1);
  });
});

describe('a list of recordsets as the contents of a zone', () => {
  const list = (...recordsets: readonly object[]) => ({ recordsets });

  it('gives spellings and descriptions, and keeps a description that it does not give', async () => {
    const { id, name } = await makeZone();
    const one = { name: `a.${name}`, type: 'AAAA', ttl: 60, records: ['2001:DB8::1'] };
    await put(id, list({ ...one, description: 'first' }));
    const later = await put(id, list({ ...one, records: ['2001:DB8::1', '2001:DB8::2'] }));
    expect(later.json.changes[0].after).toEqual({
      ttl: 60,
      records: ['2001:DB8::1', '2001:DB8::2'],
      description: 'first',
    });
    const serial = await serialOf(id);
    const described = await put(
      id,
      list({ ...one, records: ['2001:db8::2', '2001:db8::1'], description: null }),
    );
    expect(described.json.changes[0].after).toEqual({
      ttl: 60,
      records: ['2001:DB8::1', '2001:DB8::2'],
      description: null,
    });
    expect(await serialOf(id)).toBe(serial);
  });

  it('leaves managed recordsets alone, skips others outside, and counts their records', async () => {
    const { id, name } = await makeZone();
    const { json } = await put(
      id,
      list(
        { name, type: 'SOA', records: ['a. b. 1 2 3 4 5'] },
        { name, type: 'NS', records: ['a.example.', 'b.example.'] },
        { name: 'other.example.', type: 'A', records: ['192.0.2.1'] },
      ),
    );
    expect([json.status, json.ignored]).toEqual(['UNCHANGED', 4]);
  });

  it.each<[string, (name: string) => unknown, unknown[][]]>([
    ['no list', () => ({}), [['recordsets']]],
    ['something else', () => ({ recordsets: 7 }), [['recordsets']]],
    ['an unknown member', () => ({ recordsets: [], more: 1 }), [['more']]],
    ['items that are none', () => list(7 as never), [['recordsets', 0]]],
    ['a missing member', (name) => list({ name, type: 'A' }), [['recordsets', 0, 'records']]],
    ['no records', (name) => list({ name, type: 'A', records: [] }), [['recordsets', 0, 'records']]],
    [
      'records of another type, all of them',
      (name) =>
        list({ name, type: 'A', records: ['192.0.2.1', 'x'] }, { name, type: 'AAAA', records: ['y'] }),
      [
        ['recordsets', 0, 'records', 1],
        ['recordsets', 1, 'records', 0],
      ],
    ],
    [
      'a recordset twice',
      (name) =>
        list({ name, type: 'A', records: ['192.0.2.1'] }, { name, type: 'A', records: ['192.0.2.2'] }),
      [['recordsets', 1]],
    ],
    [
      'an SOA of another name',
      (name) => list({ name: `x.${name}`, type: 'SOA', records: ['a. b. 1 2 3 4 5'] }),
      [['recordsets', 0, 'name']],
    ],
  ])('is refused with %s', async (_, body, paths) => {
    const { id, name } = await makeZone();
    const { status, json } = await put(id, body(name) as object);
    expect([status, json.type]).toEqual([400, 'invalid_object']);
    expect(json.errors.errors.map(({ path }: { path: unknown }) => path)).toEqual(paths);
  });

  it('names the position of what has no place in the zone', async () => {
    const { id, name } = await makeZone();
    const a = { name: `a.${name}`, records: ['x.example.'] };
    const { status, json } = await put(id, list({ ...a, type: 'CNAME' }, { ...a, type: 'PTR' }));
    expect([status, json.type]).toEqual([400, 'invalid_recordset_location']);
    expect(json.errors.errors[0].path).toEqual(['recordsets', 0, 'name']);
  });
});

describe('the options of new contents', () => {
  it.each([
    'dry_run=1',
    'dry_run=',
    'dry_run=true&dry_run=true',
    'if_serial=x',
    'if_serial=4294967296',
    'max_deletions=-1',
    'plan=sha256:1',
    'keep=NS,,CAA',
    'keep=RRSIG',
    'keep=NS&keep=CAA',
    `description=${'x'.repeat(1025)}`,
    'dryrun=true',
  ])('%s is refused', async (query) => {
    const { id } = await makeZone();
    const { status, json } = await put(id, 'a 60 A 192.0.2.1\n', `?${query}`);
    expect([status, json.type]).toEqual([400, 'bad_request']);
    expect(await here(id)).toEqual({});
  });

  it('show what would happen, and make exactly that', async () => {
    const { id } = await makeZone();
    const dry = await put(id, 'a 60 A 192.0.2.1\n', '?dry_run=true');
    expect([dry.status, dry.json.status, dry.json.id, dry.json.to_serial]).toEqual([
      200,
      'PLANNED',
      null,
      null,
    ]);
    expect(await here(id)).toEqual({});
    const plan = `?plan=${dry.json.plan}`;
    const other = await put(id, 'a 60 A 192.0.2.2\n', plan);
    expect([other.status, other.json.type]).toEqual([409, 'plan_outdated']);
    const made = await put(id, 'a 60 A 192.0.2.1\n', plan);
    expect([made.status, made.json.plan]).toEqual([202, dry.json.plan]);
    expect(made.headers.get('x-zonewarden-change')).toBe(made.json.id);
  });

  it('hold it to a serial, an ETag and a number of deletions', async () => {
    const { id } = await makeZone();
    await put(id, 'a 60 A 192.0.2.1\nb 60 A 192.0.2.1\n');
    const serial = await serialOf(id);
    const shown = await ask('GET', `/v2/zones/${id}`);
    const later = await put(id, '; none\n', `?if_serial=${serial - 1}`);
    expect([later.status, later.json.type]).toEqual([412, 'precondition_failed']);
    const deleting = await put(id, '; none\n', '?max_deletions=1');
    expect([deleting.status, deleting.json.type]).toEqual([409, 'too_many_deletions']);
    expect(deleting.json.errors.errors[0].path).toEqual(['recordsets']);
    const matched = await put(id, 'a 60 A 192.0.2.1\n', '', owner, { 'if-match': '"x"' });
    expect(matched.status).toBe(412);
    const etag = shown.headers.get('etag')!;
    expect((await put(id, '; none\n', '?max_deletions=2', owner, { 'if-match': etag })).status).toBe(202);
  });

  it('are told in one event', async () => {
    const { id } = await makeZone();
    const { json } = await put(id, 'a 60 A 192.0.2.1\n', '?description=release%2042');
    const [event] = await eventsOf(service, `&target_id=${id}&type=recordsets.changed`);
    expect(event?.details).toMatchObject({
      change_id: json.id,
      door: 'contents',
      description: 'release 42',
      summary: { create: 1, update: 0, delete: 0, unchanged: 0 },
    });
  });
});

describe('in a shared zone, new contents', () => {
  async function sharedZone() {
    const zone = await makeZone();
    await ask('POST', `/v2/zones/${zone.id}/shares`, { target_project_id: 'partner' });
    const theirs = { name: `theirs.${zone.name}`, type: 'A', ttl: 60, records: ['192.0.2.7'] };
    await ask('POST', `/v2/zones/${zone.id}/recordsets`, theirs, partner);
    return zone;
  }

  it('leave what other projects have, unless they give it otherwise', async () => {
    const { id, name } = await sharedZone();
    const { json } = await put(id, 'a 60 A 192.0.2.1\n');
    expect(json.summary).toEqual({ create: 1, update: 0, delete: 0, unchanged: 1 });
    await put(id, 'theirs 60 A 192.0.2.8\n');
    expect(await here(id)).toMatchObject({ [`theirs.${name} A`]: { records: ['192.0.2.8'] } });
  });

  it('come from the owner alone', async () => {
    const { id } = await sharedZone();
    const { status, json } = await put(id, 'a 60 A 192.0.2.1\n', '', partner);
    expect([status, json.type]).toEqual([401, 'access_denied']);
  });
});

describe('the contents of a zone', () => {
  it('are a list of all recordsets but managed ones, as clients spelled them', async () => {
    const { id, name } = await makeZone();
    const body = { name: `b.${name}`, type: 'AAAA', records: ['2001:DB8::1'], description: 'x' };
    await ask('POST', `/v2/zones/${id}/recordsets`, body);
    await ask('POST', `/v2/zones/${id}/recordsets`, {
      name: `a.${name}`,
      type: 'A',
      ttl: 5,
      records: ['192.0.2.1'],
    });
    expect((await getContents(service, id, owner)).json).toEqual({
      recordsets: [
        { name: `a.${name}`, type: 'A', ttl: 5, records: ['192.0.2.1'], description: null },
        { ...body, ttl: null },
      ],
    });
  });

  it('are a zone file for clients that prefer one', async () => {
    const { id, name } = await makeZone();
    await put(id, 'a 5 A 192.0.2.1\n');
    const { status, headers, text } = await getContents(service, id, owner, 'text/dns');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/dns']);
    expect(text).toContain(`$ORIGIN ${name}\n`);
    expect(text).toContain(`a.${name} 5 IN A 192.0.2.1\n`);
  });

  it('are not shown above the quota of exports, nor to others', async () => {
    const { id } = await makeZone();
    await service.request('PATCH', '/v2/quotas/shop', { token: service.admin, body: { api_export_size: 1 } });
    const { status, json } = await getContents(service, id, owner);
    expect([status, json.type]).toEqual([413, 'over_quota']);
    await service.request('DELETE', '/v2/quotas/shop', { token: service.admin });
    expect((await getContents(service, id, partner)).status).toBe(404);
  });
});
