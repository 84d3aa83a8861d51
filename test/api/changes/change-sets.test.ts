import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Change, recordsetsIn, sendSet } from '../../support/change-sets.ts';
import { eventsOf } from '../../support/events.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  token = await service.token('shop', 'member');
});
afterAll(() => service.remove());

const ask = (method: string, path: string, body?: object): Promise<Answer> =>
  service.request(method, path, { token, ...(body && { body }) });
let zones = 0;
async function makeZone(...changes: readonly Change[]) {
  const name = `set-${++zones}.example.`;
  const { json } = await ask('POST', '/v2/zones', { name, email: 'a@example.org' });
  if (changes.length > 0) expect((await send(json.id, changes)).status).toBe(202);
  return { id: json.id as string, name };
}
const send = (id: string, changes: readonly unknown[], members = {}, headers = {}) =>
  sendSet(service, id, changes, { token, headers, with: members });
const zoneOf = async (id: string) => (await ask('GET', `/v2/zones/${id}`)).json;
const recordsets = (id: string) => recordsetsIn(service, id, token);

const a = (name: string, ...records: string[]): Change => ({
  action: 'create',
  name,
  type: 'A',
  records: records.length === 0 ? ['192.0.2.1'] : records,
});

describe('a set of changes', () => {
  it('creates, replaces, deletes, adds to and removes from recordsets in one step of the serial', async () => {
    const { id, name } = await makeZone();
    const n = (label: string) => `${label}.${name}`;
    await send(id, [
      { ...a(n('www')), ttl: 300, description: 'the old one' },
      a(n('old')),
      { action: 'create', name, type: 'TXT', records: ['"one"', '"two"'] },
    ]);
    const before = await zoneOf(id);
    const { status, json, headers } = await send(
      id,
      [
        { action: 'upsert', name: n('www'), type: 'A', records: ['192.0.2.2'] },
        { action: 'delete', name: n('old'), type: 'A' },
        { action: 'add', name, type: 'TXT', records: ['"three"'] },
        { action: 'remove', name, type: 'TXT', records: ['"one"', '"none"'] },
        { action: 'upsert', name: n('new'), type: 'AAAA', records: ['2001:DB8::1'] },
        { action: 'remove', name: n('absent'), type: 'A', records: ['192.0.2.9'] },
      ],
      { description: 'release 42' },
    );
    expect(status).toBe(202);
    expect(json).toMatchObject({
      zone_id: id,
      status: 'PENDING',
      from_serial: before.serial,
      summary: { create: 1, update: 2, delete: 1, unchanged: 1 },
      refusal: null,
      warnings: [],
      usage: {
        zone_recordsets: { before: 3, after: 3, limit: 500 },
        zone_records: { before: 4, after: 4, limit: 500 },
      },
    });
    expect(headers.get('x-zonewarden-change')).toBe(json.id);
    expect(json.links.self).toMatch(new RegExp(`/v2/zones/${id}/changes/${json.id}$`));
    const shown = json.changes.map((one: Record<string, unknown>) => [
      one.effect,
      one.name,
      one.type,
      one.positions,
    ]);
    expect(shown).toEqual([
      ['update', name, 'TXT', [2, 3]],
      ['unchanged', n('absent'), 'A', [5]],
      ['create', n('new'), 'AAAA', [4]],
      ['delete', n('old'), 'A', [1]],
      ['update', n('www'), 'A', [0]],
    ]);
    expect(json.changes[4]).toMatchObject({
      before: { ttl: 300, records: ['192.0.2.1'], description: 'the old one' },
      after: { ttl: 300, records: ['192.0.2.2'], description: 'the old one' },
      refusal: null,
    });
    expect(json.changes[2]).toMatchObject({ recordset_id: expect.any(String), before: null });
    const made = await ask('GET', `/v2/zones/${id}/recordsets/${json.changes[2].recordset_id}`);
    expect(made.json.name).toBe(n('new'));
    expect(json.changes[3].after).toBeNull();
    expect(await recordsets(id)).toEqual({
      [`${name} TXT`]: { ttl: null, records: ['"two"', '"three"'], description: null },
      [`${n('new')} AAAA`]: { ttl: null, records: ['2001:DB8::1'], description: null },
      [`${n('www')} A`]: { ttl: 300, records: ['192.0.2.2'], description: 'the old one' },
    });
    const after = await zoneOf(id);
    expect([after.serial, after.version]).toEqual([json.to_serial, before.version + 1]);
    expect(after.serial).toBeGreaterThan(before.serial);
    const events = await eventsOf(service, `&target_id=${id}&type=recordsets.changed`);
    expect(events[0]).toMatchObject({
      details: {
        change_id: json.id,
        door: 'changes',
        summary: { create: 1, update: 2, delete: 1, unchanged: 1 },
        description: 'release 42',
      },
    });
  });

  it('that changes nothing leaves serial, version, time and events alone', async () => {
    const { id, name } = await makeZone(a('x.set-2.example.'));
    expect(name).toBe('set-2.example.');
    const before = await zoneOf(id);
    for (const changes of [
      [],
      [{ action: 'upsert', name: `x.${name}`, type: 'A', records: ['192.0.2.1'] }],
      [{ action: 'add', name: `x.${name}`, type: 'A', records: ['192.0.2.1'] }],
      [{ action: 'remove', name: `x.${name}`, type: 'A', records: ['192.0.2.77'] }],
    ]) {
      const { status, json, headers } = await send(id, changes);
      expect([status, json.status, json.id, json.links]).toEqual([200, 'UNCHANGED', null, null]);
      expect([json.from_serial, json.to_serial]).toEqual([before.serial, before.serial]);
      expect(headers.get('x-zonewarden-change')).toBeNull();
    }
    expect(await zoneOf(id)).toEqual(before);
    expect(await eventsOf(service, `&target_id=${id}&type=recordsets.changed`)).toHaveLength(1);
  });

  it('keeps ids and counts versions of recordsets that it updates', async () => {
    const { id, name } = await makeZone();
    await send(id, [a(name)]);
    const [before] = (await ask('GET', `/v2/zones/${id}/recordsets?type=A`)).json.recordsets;
    await send(id, [{ action: 'replace', name, type: 'A', ttl: 60 }]);
    const [after] = (await ask('GET', `/v2/zones/${id}/recordsets?type=A`)).json.recordsets;
    expect(after).toMatchObject({ id: before.id, version: 2, ttl: 60, records: ['192.0.2.1'] });
  });

  it('has only to end in a valid zone', async () => {
    const { id, name } = await makeZone();
    const n = (label: string) => `${label}.${name}`;
    await send(id, [
      a(n('www')),
      { action: 'create', name: n('one'), type: 'A', records: ['192.0.2.1'] },
      { action: 'create', name: n('two'), type: 'CNAME', records: [n('one')] },
      a(n('deep.sub')),
    ]);
    const { status, json } = await send(id, [
      { action: 'create', name: n('www'), type: 'CNAME', records: [n('one')] },
      { action: 'delete', name: n('www'), type: 'A' },
      { action: 'create', name: n('child'), type: 'NS', records: [n('ns.child')] },
      { action: 'create', name: n('ns.child'), type: 'A', records: ['192.0.2.53'] },
      { action: 'create', name: n('other'), type: 'NS', records: [n('ns2.child')] },
      { action: 'create', name: n('ns2.child'), type: 'A', records: ['192.0.2.54'] },
      { action: 'delete', name: n('deep.sub') },
      { action: 'create', name: n('sub'), type: 'DNAME', records: ['target.example.'] },
    ]);
    expect([status, json.message]).toEqual([202, undefined]);
    expect(Object.keys(await recordsets(id))).toHaveLength(8);
  });

  it('deletes every recordset of a name but those that the service manages', async () => {
    const { id, name } = await makeZone();
    await send(id, [a(name), { action: 'create', name, type: 'TXT', records: ['"x"'] }]);
    const { json } = await send(id, [{ action: 'delete', name }]);
    expect(json.summary).toEqual({ create: 0, update: 0, delete: 2, unchanged: 0 });
    expect(await recordsets(id)).toEqual({});
    const again = await send(id, [{ action: 'delete', name }]);
    expect([again.status, again.json.type]).toEqual([404, 'recordset_not_found']);
  });

  it('gives a whole recordset the TTL of an add, and deletes it with its last record', async () => {
    const { id, name } = await makeZone();
    await send(id, [a(name, '192.0.2.1', '192.0.2.2')]);
    await send(id, [{ action: 'add', name, type: 'A', records: ['192.0.2.3'], ttl: 60 }]);
    expect(await recordsets(id)).toEqual({
      [`${name} A`]: { ttl: 60, records: ['192.0.2.1', '192.0.2.2', '192.0.2.3'], description: null },
    });
    await send(id, [
      { action: 'remove', name, type: 'A', records: ['192.0.2.1'] },
      { action: 'remove', name, type: 'A', records: ['192.0.2.2', '192.0.2.3'] },
    ]);
    expect(await recordsets(id)).toEqual({});
  });

  it('is made once for an idempotency key, which a dry run does not use', async () => {
    const { id, name } = await makeZone();
    const headers = { 'idempotency-key': `set-${id}` };
    const dry = await send(id, [a(name)], { dry_run: true }, headers);
    expect([dry.status, dry.json.status]).toEqual([200, 'PLANNED']);
    const first = await send(id, [a(name)], {}, headers);
    const second = await send(id, [a(name)], {}, headers);
    expect(first.status).toBe(202);
    expect([second.status, second.json]).toEqual([202, first.json]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.headers.get('x-zonewarden-change')).toBe(first.json.id);
    const again = await send(id, [a(name)], { dry_run: true }, headers);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, null]);
  });
});

describe('conditions of a set', () => {
  it('are the serial, and the ETag of the zone', async () => {
    const { id, name } = await makeZone();
    const { headers, json } = await ask('GET', `/v2/zones/${id}`);
    const etag = headers.get('etag')!;
    for (const dry_run of [true, false]) {
      const late = await send(id, [a(name)], { dry_run, if_serial: json.serial - 1 });
      expect([late.status, late.json.type]).toEqual([412, 'precondition_failed']);
      const other = await send(id, [a(name)], { dry_run }, { 'if-match': '"no"' });
      expect([other.status, other.json.type]).toEqual([412, 'precondition_failed']);
    }
    const made = await send(id, [a(name)], { if_serial: json.serial }, { 'if-match': etag });
    expect(made.status).toBe(202);
    expect((await send(id, [], {}, { 'if-match': etag })).status).toBe(412);
  });

  it('can bound the number of deletions', async () => {
    const { id, name } = await makeZone();
    await send(id, [a(name), a(`x.${name}`)]);
    const gone = [
      { action: 'delete', name },
      { action: 'delete', name: `x.${name}` },
    ];
    const refused = await send(id, gone, { max_deletions: 1 });
    expect([refused.status, refused.json.type]).toEqual([409, 'too_many_deletions']);
    expect(refused.json.errors.errors).toMatchObject([{ path: ['changes'], type: 'too_many_deletions' }]);
    const dry = await send(id, gone, { max_deletions: 1, dry_run: true });
    expect(dry.json).toMatchObject({ status: 'REFUSED', refusal: { code: 409, type: 'too_many_deletions' } });
    expect((await send(id, gone, { max_deletions: 2 })).status).toBe(202);
  });
});

describe('a dry run', () => {
  it('shows what a set would do, and changes nothing; its plan makes exactly that', async () => {
    const { id, name } = await makeZone();
    await send(id, [a(`old.${name}`)]);
    const before = [await zoneOf(id), await recordsets(id)];
    const changes = [a(`new.${name}`), { action: 'delete', name: `old.${name}` }];
    const { status, json } = await send(id, changes, { dry_run: true });
    expect([status, json.status, json.id, json.to_serial]).toEqual([200, 'PLANNED', null, null]);
    expect(json.plan).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect([await zoneOf(id), await recordsets(id)]).toEqual(before);
    // The plan outlives changes elsewhere in the zone.
    await send(id, [a(`else.${name}`)]);
    expect((await send(id, changes, { dry_run: true })).json.plan).toBe(json.plan);
    const made = await send(id, changes, { plan: json.plan });
    expect([made.status, made.json.plan, made.json.summary]).toEqual([202, json.plan, json.summary]);
  });

  it('gives a plan that is outdated once the effects would differ', async () => {
    const { id, name } = await makeZone();
    await send(id, [a(name)]);
    const changes = [{ action: 'upsert', name, type: 'A', records: ['192.0.2.2'] }];
    const { plan } = (await send(id, changes, { dry_run: true })).json;
    await send(id, [{ action: 'replace', name, type: 'A', ttl: 5 }]);
    for (const dry_run of [true, false]) {
      const late = await send(id, changes, { plan, dry_run });
      expect([late.status, late.json.type]).toEqual([409, 'plan_outdated']);
    }
    expect((await recordsets(id))[`${name} A`]!.records).toEqual(['192.0.2.1']);
  });

  it('puts each refusal beside its recordset', async () => {
    const { id, name } = await makeZone();
    await send(id, [a(name)]);
    const { status, json } = await send(
      id,
      [
        a(name),
        { action: 'replace', name: `no.${name}`, type: 'A', ttl: 1 },
        { action: 'create', name: `bad.${name}`, type: 'A', records: ['192.0.2.1', 'x'] },
        { action: 'upsert', name: 'elsewhere.example.', type: 'A', records: ['192.0.2.1'] },
        { action: 'upsert', name, type: 'SOA', records: ['x'] },
        a(`fine.${name}`),
      ],
      { dry_run: true },
    );
    expect([status, json.status, json.plan, json.refusal]).toEqual([200, 'REFUSED', null, null]);
    const byPosition = Object.fromEntries(
      json.changes.map((one: { positions: number[]; refusal: { code: number; type: string } | null }) => [
        one.positions[0],
        one.refusal && [one.refusal.code, one.refusal.type],
      ]),
    );
    expect(byPosition).toEqual({
      0: [409, 'duplicate_recordset'],
      1: [404, 'recordset_not_found'],
      2: [400, 'invalid_object'],
      3: [400, 'invalid_recordset_location'],
      4: [400, 'bad_request'],
      5: null,
    });
  });
});
