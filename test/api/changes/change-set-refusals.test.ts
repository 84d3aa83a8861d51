/** What sets of changes are refused for, and how the refusals are reported. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Change, recordsetsIn, sendSet } from '../../support/change-sets.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let owner: string;
let partner: string;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '10',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '30',
    ZONEWARDEN_SERVICE_API__MAX_CHANGES: '50',
    ZONEWARDEN_BLACKLISTS__APPLY_TO: 'zones, recordsets',
  });
  owner = await service.token('shop', 'member');
  partner = await service.token('partner', 'member');
});
afterAll(() => service.remove());

const ask = (method: string, path: string, body?: object, token = owner): Promise<Answer> =>
  service.request(method, path, { token, ...(body && { body }) });
let zones = 0;
async function makeZone() {
  const name = `refusal-${++zones}.example.`;
  const { json } = await ask('POST', '/v2/zones', { name, email: 'a@example.org' });
  return { id: json.id as string, name, n: (label: string) => `${label}.${name}` };
}
const send = (id: string, changes: readonly unknown[], members = {}, token = owner) =>
  sendSet(service, id, changes, { token, with: members });
const a = (name: string, ...records: string[]): Change => ({
  action: 'create',
  name,
  type: 'A',
  records: records.length === 0 ? ['192.0.2.1'] : records,
});
const errorsIn = ({ json }: Answer): [string, string | undefined][] =>
  json.errors.errors.map(({ path, type }: { path: (string | number)[]; type?: string }) => [
    path.join('.'),
    type,
  ]);

describe('the body of a set', () => {
  const set = (...changes: readonly unknown[]) => ({ changes });
  const on = { name: 'x.example.', type: 'A' };
  it.each([
    ['no list', {}, ['changes']],
    ['something else than a list', { changes: 'x' }, ['changes']],
    ['unknown keys', { changes: [], more: 1 }, ['more']],
    ['a plan of another kind', { changes: [], plan: 'md5:x' }, ['plan']],
    ['a negative bound', { changes: [], max_deletions: -1 }, ['max_deletions']],
    ['a serial that is none', { changes: [], if_serial: 2 ** 32 }, ['if_serial']],
    ['a change that is no object', set(7), ['changes.0']],
    ['an unknown action', set({ action: 'drop', ...on }), ['changes.0.action']],
    ['no name', set({ action: 'delete', type: 'A' }), ['changes.0.name']],
    ['a name without its final dot', set({ action: 'delete', name: 'x.example' }), ['changes.0.name']],
    ['a create without records', set({ action: 'create', ...on }), ['changes.0.records']],
    [
      'an upsert without a type',
      set({ action: 'upsert', name: 'x.example.', records: ['x'] }),
      ['changes.0.type'],
    ],
    ['a delete with a TTL', set({ action: 'delete', ...on, ttl: 1 }), ['changes.0.ttl']],
    [
      'an add with a description',
      set({ action: 'add', ...on, records: ['x'], description: 'x' }),
      ['changes.0.description'],
    ],
    ['a remove with a TTL', set({ action: 'remove', ...on, records: ['x'], ttl: 1 }), ['changes.0.ttl']],
    ['faults of several changes', set(7, { action: 'delete', ...on }, 8), ['changes.0', 'changes.2']],
    [
      'too many changes',
      set(...Array.from({ length: 51 }, () => ({ action: 'delete', ...on }))),
      ['changes'],
    ],
  ])('with %s is refused', async (_, body, paths) => {
    const { id } = await makeZone();
    const answer = await ask('POST', `/v2/zones/${id}/changes`, body);
    expect([answer.status, answer.json.type]).toEqual([400, 'invalid_object']);
    expect(errorsIn(answer).map(([path]) => path)).toEqual(paths);
  });

  it('gives numbers as positions', async () => {
    const { id } = await makeZone();
    const { json } = await ask('POST', `/v2/zones/${id}/changes`, set({ action: 'drop', ...on }));
    expect(json.errors.errors[0].path).toEqual(['changes', 0, 'action']);
  });
});

describe('changes that conflict', () => {
  it.each<[string, (n: string) => Change[], string[]]>([
    ['a create and a delete', (name) => [a(name), { action: 'delete', name, type: 'A' }], ['changes.1']],
    ['two creates', (name) => [a(name), a(name.toUpperCase())], ['changes.1']],
    [
      'an upsert and an add',
      (name) => [
        { ...a(name), action: 'upsert' },
        { ...a(name), action: 'add' },
      ],
      ['changes.1'],
    ],
    [
      'a delete of a name and any other',
      (name) => [a(name), { action: 'delete', name }, { ...a(name), type: 'TXT' }],
      ['changes.0', 'changes.2'],
    ],
    [
      'two deletes of a name',
      (name) => [
        { action: 'delete', name },
        { action: 'delete', name },
      ],
      ['changes.1'],
    ],
    [
      'an add and a remove of one record',
      (name) => [
        { action: 'add', name, type: 'AAAA', records: ['2001:db8::1'] },
        { action: 'remove', name, type: 'AAAA', records: ['2001:DB8:0::1'] },
      ],
      ['changes.1'],
    ],
    [
      'adds with different TTLs',
      (name) => [
        { ...a(name), action: 'add', ttl: 1 },
        { ...a(name, '192.0.2.2'), action: 'add', ttl: null },
      ],
      ['changes.1'],
    ],
  ])('%s are refused, alone and in a dry run, too', async (_, changesFor, paths) => {
    const { id, n } = await makeZone();
    const changes = [...changesFor(n('x')), { action: 'replace', name: n('absent'), type: 'A', ttl: 1 }];
    for (const dry_run of [true, false]) {
      const answer = await send(id, changes, { dry_run });
      expect([answer.status, answer.json.type]).toEqual([400, 'invalid_object']);
      expect(errorsIn(answer).map(([path]) => path)).toEqual(paths);
    }
  });

  it('adds with one TTL, and adds and removes of different records, do not', async () => {
    const { id, n } = await makeZone();
    const { status } = await send(id, [
      { ...a(n('x')), action: 'add', ttl: 5 },
      { ...a(n('x'), '192.0.2.2'), action: 'add' },
      { ...a(n('x'), '192.0.2.3'), action: 'remove' },
    ]);
    expect(status).toBe(202);
  });
});

describe('a set with faults', () => {
  it('names all of them, the most important kind first, and changes nothing', async () => {
    const { id, n, name } = await makeZone();
    await send(id, [a(n('taken')), { ...a(n('alias')), type: 'CNAME', records: ['target.example.'] }]);
    const before = await recordsetsIn(service, id, owner);
    const answer = await send(id, [
      { ...a(n('alias')), type: 'TXT', records: ['"x"'] },
      a(n('taken')),
      { action: 'replace', name: n('absent'), type: 'A', ttl: 1 },
      { action: 'upsert', name, type: 'NS', records: ['ns.example.'] },
      { ...a(n('bad'), '192.0.2.1', 'x', 'y') },
      { ...a(n('a/b')) },
      { ...a(n('two')), type: 'CNAME', records: ['a.example.', 'b.example.'] },
      { ...a(n('fine')) },
      a('elsewhere.example.'),
    ]);
    expect([answer.status, answer.json.type]).toEqual([400, 'invalid_object']);
    expect(errorsIn(answer)).toEqual([
      ['changes.4.records.1', 'invalid_object'],
      ['changes.4.records.2', 'invalid_object'],
      ['changes.5.name', 'invalid_object'],
      ['changes.6.records', 'invalid_object'],
      ['changes.3', 'bad_request'],
      ['changes.2', 'recordset_not_found'],
      ['changes.1', 'duplicate_recordset'],
      ['changes.0.name', 'invalid_recordset_location'],
      ['changes.8.name', 'invalid_recordset_location'],
    ]);
    expect(await recordsetsIn(service, id, owner)).toEqual(before);
  });

  it('lists at most a hundred', async () => {
    const { id, n } = await makeZone();
    const bad = Array.from({ length: 30 }, () => 'x');
    const changes = Array.from({ length: 10 }, (_, place) => a(n(`x${place}`), ...bad));
    const { json } = await send(id, changes);
    expect(json.errors.errors).toHaveLength(100);
  });

  it.each<[string, (n: (label: string) => string) => Change[], boolean]>([
    [
      'a CNAME beside another recordset that stays',
      (n) => [{ ...a(n('taken')), type: 'CNAME', records: ['x.example.'] }],
      false,
    ],
    [
      'a CNAME and another recordset of the set',
      (n) => [a(n('y')), { ...a(n('y')), type: 'CNAME', records: ['x.example.'] }],
      false,
    ],
    [
      'a name below a new delegation',
      (n) => [{ ...a(n('sub')), type: 'NS', records: ['ns.example.'] }, a(n('x.sub'))],
      false,
    ],
    [
      'glue of another delegation of the set',
      (n) => [
        { ...a(n('sub')), type: 'NS', records: ['ns.example.'] },
        { ...a(n('sub2')), type: 'NS', records: [n('x.sub')] },
        a(n('x.sub')),
      ],
      true,
    ],
    [
      'a delegation that hides what stays',
      (n) => [{ ...a(n('deep')), type: 'NS', records: ['ns.example.'] }],
      false,
    ],
    [
      'a delegation that hides what the set deletes',
      (n) => [
        { ...a(n('deep')), type: 'NS', records: ['ns.example.'] },
        { action: 'delete', name: n('host.deep') },
      ],
      true,
    ],
    [
      'a delegation whose glue stays',
      (n) => [{ ...a(n('deep')), type: 'NS', records: [n('host.deep')] }],
      true,
    ],
    ['a DNAME above what stays', (n) => [{ ...a(n('deep')), type: 'DNAME', records: ['x.example.'] }], false],
    [
      'a name below a new DNAME',
      (n) => [{ ...a(n('dn')), type: 'DNAME', records: ['x.example.'] }, a(n('x.dn'))],
      false,
    ],
  ])('%s', async (_, changesFor, isAllowed) => {
    const { id, n } = await makeZone();
    await send(id, [a(n('taken')), a(n('host.deep'))]);
    const { status, json } = await send(id, changesFor(n));
    expect([status, json.type]).toEqual(isAllowed ? [202, undefined] : [400, 'invalid_recordset_location']);
  });

  it('glue stays allowed only while a delegation that stays names it', async () => {
    const { id, n } = await makeZone();
    await send(id, [
      { ...a(n('sub')), type: 'NS', records: ['ns.example.'] },
      { ...a(n('other')), type: 'NS', records: [n('ns.sub')] },
    ]);
    const glue = a(n('ns.sub'));
    const gone = await send(id, [glue, { action: 'delete', name: n('other') }], { dry_run: true });
    expect(gone.json.status).toBe('REFUSED');
    expect((await send(id, [glue])).status).toBe(202);
  });

  it('a child zone owns its names', async () => {
    const { id, n, name } = await makeZone();
    await ask('POST', '/v2/zones', { name: `child.${name}`, email: 'a@example.org' });
    const { json } = await send(id, [a(n('x.child')), a(n('y'))]);
    expect([json.type, json.errors.errors.length]).toEqual(['invalid_recordset_location', 1]);
  });
});

describe('quotas', () => {
  it('hold for the sum of a set, and never refuse shrinking', async () => {
    const { id, n } = await makeZone();
    const some = (from: number, count: number) =>
      Array.from({ length: count }, (_, place) => a(n(`q${from + place}`)));
    expect((await send(id, some(0, 8))).status).toBe(202);
    const over = await send(id, some(8, 3));
    expect([over.status, over.json.type]).toEqual([413, 'over_quota']);
    expect(errorsIn(over)).toEqual([['changes', 'over_quota']]);
    const dry = await send(id, some(8, 3), { dry_run: true });
    expect(dry.json).toMatchObject({ status: 'REFUSED', refusal: { code: 413, type: 'over_quota' } });
    const swapped = [...some(8, 3), { action: 'delete', name: n('q0') }];
    const { status, json } = await send(id, swapped);
    expect([status, json.usage.zone_recordsets]).toEqual([202, { before: 8, after: 10, limit: 10 }]);
    await service.request('PATCH', '/v2/quotas/shop', { token: service.admin, body: { zone_recordsets: 2 } });
    expect((await send(id, [{ action: 'delete', name: n('q1') }])).status).toBe(202);
    await service.request('DELETE', '/v2/quotas/shop', { token: service.admin });
  });

  it('hold for the records of one recordset', async () => {
    const { id, n } = await makeZone();
    const records = Array.from({ length: 21 }, (_, place) => `192.0.2.${place}`);
    const { status, json } = await send(id, [a(n('x'), ...records)]);
    expect([status, json.type]).toEqual([413, 'over_quota']);
    expect(json.message).toMatch(/recordset_records/);
  });
});

describe('protected recordsets', () => {
  it('are neither changed nor deleted by a set, and may be named by one that leaves them alone', async () => {
    const { id, n } = await makeZone();
    await send(id, [a(n('kept')), a(n('free'))]);
    const [kept] = (await ask('GET', `/v2/zones/${id}/recordsets?name=${n('kept')}`)).json.recordsets;
    await ask('PUT', `/v2/zones/${id}/recordsets/${kept.id}`, { protected: true, protection_reason: 'mail' });
    for (const change of [
      { action: 'delete', name: n('kept') },
      { action: 'replace', name: n('kept'), type: 'A', ttl: 1 },
      { action: 'add', name: n('kept'), type: 'A', records: ['192.0.2.7'] },
    ]) {
      const answer = await send(id, [change, { action: 'delete', name: n('free') }]);
      expect([answer.status, answer.json.type]).toEqual([409, 'protected']);
      expect(answer.json.message).toMatch(/kept.*\(mail\).*"protected": false/);
      expect(errorsIn(answer)).toEqual([['changes.0', 'protected']]);
      const dry = await send(id, [change], { dry_run: true });
      expect(dry.json.changes[0].refusal).toMatchObject({ code: 409, type: 'protected' });
      expect(dry.json.plan).toMatch(/^sha256:/);
    }
    const same = [{ action: 'upsert', name: n('kept'), type: 'A', records: ['192.0.2.1'] }];
    expect((await send(id, same)).json.status).toBe('UNCHANGED');
    const beside = [{ action: 'create', name: n('kept'), type: 'TXT', records: ['"x"'] }];
    expect((await send(id, beside)).status).toBe(202);
  });
});

describe('who may change', () => {
  it('a project that shares the zone creates its own recordsets, and changes no others', async () => {
    const { id, n } = await makeZone();
    await send(id, [a(n('ours'))]);
    const path = `/v2/zones/${id}/shares`;
    expect((await ask('POST', path, { target_project_id: 'partner' })).status).toBe(201);
    const made = await send(id, [a(n('theirs'))], {}, partner);
    expect(made.status).toBe(202);
    const { recordsets } = (await ask('GET', `/v2/zones/${id}/recordsets?name=${n('theirs')}`)).json;
    expect(recordsets[0].project_id).toBe('partner');
    const refused = await send(
      id,
      [
        a(n('more')),
        { action: 'delete', name: n('ours') },
        { action: 'replace', name: n('theirs'), type: 'A', ttl: 1 },
      ],
      {},
      partner,
    );
    expect([refused.status, refused.json.type]).toEqual([401, 'access_denied']);
    expect(errorsIn(refused)).toEqual([['changes.1', 'access_denied']]);
    const dry = await send(id, [{ action: 'delete', name: n('ours') }], { dry_run: true }, partner);
    expect(dry.json.changes[0].refusal).toMatchObject({ code: 401, type: 'access_denied' });
  });

  it('a reader, a stranger, and anyone for a zone that does not exist are refused', async () => {
    const { id, n } = await makeZone();
    const reader = await service.token('shop', 'reader');
    expect((await send(id, [a(n('x'))], {}, reader)).status).toBe(401);
    expect((await send(id, [a(n('x'))], {}, partner)).status).toBe(404);
    const nowhere = await send('a86dba58-0043-4cc6-a1bb-69d5e86f3ca3', [], { dry_run: true });
    expect([nowhere.status, nowhere.json.type]).toEqual([404, 'zone_not_found']);
  });

  it('a secondary zone comes from its masters', async () => {
    const { json } = await ask('POST', '/v2/zones', {
      name: `refusal-${++zones}.example.`,
      type: 'SECONDARY',
      masters: ['192.0.2.53'],
    });
    for (const dry_run of [true, false]) expect((await send(json.id, [], { dry_run })).status).toBe(403);
  });
});

describe('blacklists for names of records', () => {
  it('are asked for each new name alone', async () => {
    const { id, n } = await makeZone();
    await send(id, [a(n('login'))]);
    await ask('POST', '/v2/blacklists', { pattern: '^(login|secret|hidden)\\.' }, service.admin);
    const answer = await send(id, [
      a(n('secret')),
      { ...a(n('login')), type: 'TXT', records: ['"x"'] },
      a(n('hidden')),
      a(n('open')),
    ]);
    expect([answer.status, answer.json.type, answer.json.message]).toEqual([
      400,
      'invalid_recordset_name',
      'Blacklisted domain name',
    ]);
    expect(errorsIn(answer)).toEqual([
      ['changes.0.name', 'invalid_recordset_name'],
      ['changes.2.name', 'invalid_recordset_name'],
    ]);
    const dry = await send(id, [a(n('secret')), a(n('open'))], { dry_run: true });
    expect(dry.json.status).toBe('REFUSED');
    expect((await send(id, [{ ...a(n('login')), type: 'TXT', records: ['"x"'] }, a(n('open'))])).status).toBe(
      202,
    );
  });
});
