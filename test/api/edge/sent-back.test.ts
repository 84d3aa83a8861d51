/** What was sent is what comes back, and what was read can be sent back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';
import { exportFile, importFile, unmanaged, zoneFile } from '../../support/zone-files.ts';

let service: TestService;
let tenant: Tenant;
let token: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  tenant = await tenantOf(service, 'tenant');
  token = await service.token('tenant', 'member');
});
afterAll(() => service.remove());

const pathOf = ({ zone_id, id }: { zone_id: string; id: string }) => `/v2/zones/${zone_id}/recordsets/${id}`;
const get = (path: string) => tenant.ask('GET', path);
const faultsOf = ({ json }: Answer): string[] =>
  json.errors.errors.map(({ path }: { path: string[] }) => path.join('.')).sort();

async function make(zone: TestZone, type: string, ...records: string[]) {
  const answer = await tenant.create(zone, { name: `${type.toLowerCase()}.${zone.name}`, type, records });
  expect(answer.status).toBe(202);
  return answer.json;
}

describe('a record', () => {
  const SPELLINGS = [
    ['AAAA', '2001:DB8::1', '2001:db8::1'],
    ['TXT', 'v=spf1 -all', '"v=spf1 -all"'],
    ['TXT', 'v=spf1  include:a.example \\"x\\"', '"v=spf1  include:a.example \\"x\\""'],
    ['TXT', 'word', '"word"'],
    ['TXT', 'grüß dich', '"gr\\195\\188\\195\\159 dich"'],
    ['TXT', '"one"  "two"', '"one" "two"'],
    ['SPF', 'v=spf1 -all', '"v=spf1 -all"'],
    ['MX', '10  Mail.Example.', '10 mail.example.'],
    ['NAPTR', '100 50 "U" "E2U+sip" "!^.*$!sip:a@b!" Sip.Example.', undefined],
  ] as const;

  it.each(SPELLINGS)('of the type %s is answered as it was sent: %s', async (type, sent, canonical) => {
    const zone = await tenant.makeZone();
    const made = await make(zone, type, sent);
    expect(made.records).toEqual([sent]);
    expect((await get(pathOf(made))).json.records).toEqual([sent]);
    for (const text of canonical === undefined ? [sent] : [sent, canonical]) {
      const found = await get(`/v2/zones/${zone.id}/recordsets?data=${encodeURIComponent(text)}`);
      expect(found.json.recordsets).toMatchObject([{ id: made.id, records: [sent] }]);
      expect(found.json.metadata.total_count).toBe(1);
    }
    if (canonical === undefined) return;
    const { text } = await exportFile(service, token, zone.id);
    expect(text).toContain(`${made.name}  IN ${type} ${canonical}\n`);
  });

  it('is answered without the blanks around it, and with the blank that a backslash keeps at its end', async () => {
    const zone = await tenant.makeZone();
    expect((await make(zone, 'A', ' 192.0.2.1\t')).records).toEqual(['192.0.2.1']);
    const made = await make(zone, 'TXT', ' two words\\  ');
    expect(made.records).toEqual(['two words\\ ']);
    expect((await exportFile(service, token, zone.id)).text).toContain('"two words "\n');
  });

  it('of words beside quoted strings is refused', async () => {
    const zone = await tenant.makeZone();
    const answer = await tenant.create(zone, { name: zone.name, type: 'TXT', records: ['"one" two'] });
    expect(answer.json.errors.errors).toEqual([
      { path: ['records', 0], message: expect.stringContaining('both inside and outside quotes') },
    ]);
  });

  it('of a zone file is answered in canonical form, its bare words as strings', async () => {
    const file = zoneFile('file.example.', 'a 60 AAAA 2001:DB8::1', 't 60 TXT v=spf1 -all');
    const { zone_id } = (await importFile(service, token, file)).json;
    const { recordsets } = (await get(`/v2/zones/${zone_id}/recordsets?ttl=60&sort_key=name`)).json;
    expect(recordsets.map(({ records }: { records: string[] }) => records)).toEqual([
      ['2001:db8::1'],
      ['"v=spf1" "-all"'],
    ]);
  });

  it('keeps its spelling while other properties change, and takes another one', async () => {
    const zone = await tenant.makeZone();
    const made = await make(zone, 'AAAA', '2001:DB8::1', '2001:db8::2');
    const put = async (body: object) => (await tenant.ask('PUT', pathOf(made), body)).json.records;
    expect(await put({ description: 'new' })).toEqual(['2001:DB8::1', '2001:db8::2']);
    expect(await put({ records: ['2001:db8::2', '2001:DB8:0::1'] })).toEqual([
      '2001:db8::2',
      '2001:DB8:0::1',
    ]);
    expect(await put({ records: ['2001:db8::1'] })).toEqual(['2001:db8::1']);
    expect((await get(pathOf(made))).json.records).toEqual(['2001:db8::1']);
  });

  it('counts in the size of its zone with the spelling that is stored beside it', async () => {
    const other = await tenantOf(service, 'measured');
    const zone = await other.makeZone();
    const bytes = async () => (await other.ask('GET', '/v2/quotas/measured/usage')).json.largest_zone.bytes;
    const name = `t.${zone.name}`;
    const { json } = await other.create(zone, { name, type: 'TXT', records: ['"ü"'] });
    // Canonical "\195\188", and the spelling in UTF-8.
    expect(await bytes()).toBe(name.length + 10 + 4);
    await other.ask('PUT', pathOf(json), { records: ['"\\195\\188"'] });
    expect(await bytes()).toBe(name.length + 10);
  });

  it('that is a duplicate is dropped, and the first spelling stays', async () => {
    const zone = await tenant.makeZone();
    const made = await make(zone, 'AAAA', '2001:DB8::1', '2001:db8::2', '2001:db8::0001', '2001:db8::2');
    expect(made.records).toEqual(['2001:DB8::1', '2001:db8::2']);
    const put = await tenant.ask('PUT', pathOf(made), { records: ['2001:db8::1', '2001:DB8::1'] });
    expect(put.json.records).toEqual(['2001:db8::1']);
    expect((await make(zone, 'CNAME', 'a.example.', 'A.example.')).records).toEqual(['a.example.']);
  });

  it('counts in its recordset also where it is a duplicate', async () => {
    const body = { recordset_records: 2, zone_records: 2 };
    await service.request('PATCH', '/v2/quotas/few', { token: service.admin, body });
    const few = await tenantOf(service, 'few');
    const zone = await few.makeZone();
    const draft = (...records: string[]) => ({ name: zone.name, type: 'A', records });
    const three = await few.create(zone, draft('192.0.2.1', '192.0.2.1', '192.0.2.1'));
    expect([three.status, three.json.type]).toEqual([413, 'over_quota']);
    expect((await few.create(zone, draft('192.0.2.1', '192.0.2.1'))).status).toBe(202);
    const second = { name: `a.${zone.name}`, type: 'A', records: ['192.0.2.1'] };
    expect((await few.create(zone, second)).status).toBe(202);
  });
});

describe('what was read can be sent back', () => {
  it('with its name as the client spells it', async () => {
    const zone = await tenant.makeZone();
    const made = await make(zone, 'A', '192.0.2.1');
    const names = { name: made.name.toUpperCase(), zone_name: zone.name.toUpperCase() };
    const put = await tenant.ask('PUT', pathOf(made), { ...names, ttl: 60 });
    expect(put.json).toMatchObject({ name: made.name, ttl: 60 });
    const patch = await tenant.ask('PATCH', `/v2/zones/${zone.id}`, { name: names.zone_name, ttl: 60 });
    expect(patch.json).toMatchObject({ name: zone.name, ttl: 60 });
    const other = await tenant.ask('PUT', pathOf(made), { name: `other.${zone.name}` });
    expect([other.status, other.json.type]).toEqual([400, 'invalid_object']);
  });

  it('as a recordset, edited', async () => {
    const zone = await tenant.makeZone();
    const made = await make(zone, 'AAAA', '2001:DB8::1');
    const first = await tenant.ask('PUT', pathOf(made), { ...made, description: 'new' });
    expect(first.status).toBe(202);
    expect(first.json).toMatchObject({ status: 'PENDING', action: 'UPDATE', records: ['2001:DB8::1'] });
    const read = (await get(pathOf(made))).json;
    const second = await tenant.ask('PUT', pathOf(made), { ...read, ttl: 60 });
    expect(second.json).toMatchObject({ description: 'new', ttl: 60, version: 3 });
  });

  it('with the warnings of an answer', async () => {
    const zone = await tenant.makeZone();
    await tenant.ask('PATCH', `/v2/zones/${zone.id}/guardrails`, { dangling_target: 'warn' });
    const draft = { name: `a.${zone.name}`, type: 'CNAME', records: [`nothing.${zone.name}`] };
    const { json: made } = await tenant.create(zone, draft);
    expect(made.warnings).toHaveLength(1);
    const put = await tenant.ask('PUT', pathOf(made), { ...made, ttl: 60 });
    expect([put.status, put.json.ttl]).toEqual([202, 60]);
    expect(faultsOf(await tenant.ask('PUT', pathOf(made), { warnings: 'none' }))).toEqual(['warnings']);
  });

  it('as a zone, edited', async () => {
    const { id } = await tenant.makeZone();
    const zone = (await get(`/v2/zones/${id}`)).json;
    const answer = await tenant.ask('PATCH', `/v2/zones/${id}`, { ...zone, email: 'new@example.org' });
    expect([answer.status, answer.json.email]).toEqual([202, 'new@example.org']);
    // It has a new version and serial by now.
    const stale = await tenant.ask('PATCH', `/v2/zones/${id}`, { ...zone, ttl: 60 });
    expect(faultsOf(stale)).toEqual(['serial', 'updated_at', 'version']);
    expect((await get(`/v2/zones/${id}`)).json.ttl).toBe(zone.ttl);
  });

  it('as a blacklist and as a transfer request', async () => {
    const asAdmin = (method: string, path: string, body?: object) =>
      service.request(method, path, { token: service.admin, body });
    const { id } = (await asAdmin('POST', '/v2/blacklists', { pattern: '^sent-back\\.$' })).json;
    const blacklist = (await asAdmin('GET', `/v2/blacklists/${id}`)).json;
    const changed = await asAdmin('PATCH', `/v2/blacklists/${id}`, { ...blacklist, description: 'new' });
    expect([changed.status, changed.json.description]).toEqual([200, 'new']);
    const zone = await tenant.makeZone();
    const offer = (await tenant.ask('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, {})).json;
    const path = `/v2/zones/tasks/transfer_requests/${offer.id}`;
    const read = (await get(path)).json;
    expect((await tenant.ask('PATCH', path, { ...read, description: 'new' })).json.description).toBe('new');
    expect(faultsOf(await tenant.ask('PATCH', path, { key: 'other' }))).toEqual(['key']);
  });

  it.each(['ACTIVE', 'PENDING', 'ERROR'])('with the status %s only if it moves by itself', async (status) => {
    const zone = await tenant.makeZone();
    const made = await make(zone, 'A', '192.0.2.1');
    const answer = await tenant.ask('PUT', pathOf(made), { status, action: 'CREATE', ttl: 60 });
    expect(answer.status).toBe(status === 'ERROR' ? 400 : 202);
    const action = await tenant.ask('PATCH', `/v2/zones/${zone.id}`, { action: 'DELETE', status });
    expect(faultsOf(action)).toEqual(status === 'ERROR' ? ['action', 'status'] : ['action']);
  });

  it('but another value is refused with all other faults, and nothing is changed', async () => {
    const zone = await tenant.makeZone();
    const made = await make(zone, 'A', '192.0.2.1');
    const wrong = { ...made, ttl: 'x', type: 'AAAA', name: zone.name, links: {}, colour: 'red' };
    const answer = await tenant.ask('PUT', pathOf(made), wrong);
    expect([answer.status, answer.json.type]).toEqual([400, 'invalid_object']);
    expect(faultsOf(answer)).toEqual(['colour', 'links', 'name', 'ttl', 'type']);
    expect((await get(pathOf(made))).json).toEqual({ ...made, status: 'ACTIVE', action: 'NONE' });
  });

  it('to nothing but what exists: faults of its own come before that it does not', async () => {
    const path = '/v2/zones/7d4dbb1f-9f40-4c2a-8f52-9d9e6cf3a001';
    expect((await tenant.ask('PATCH', path, { name: 'a.example.' })).json.type).toBe('zone_not_found');
    const faulty = await tenant.ask('PATCH', path, { name: 'a.example.', ttl: 'x' });
    expect([faulty.status, faultsOf(faulty)]).toEqual([400, ['ttl']]);
  });
});

describe('a change that alters no DNS data', () => {
  it.each<[string, object]>([
    ['a description', { description: 'new' }],
    ['another order', { records: ['2001:db8::2', '2001:DB8::1'] }],
    ['another spelling', { records: ['2001:db8::1', '2001:db8::2'] }],
    ['a duplicate', { records: ['2001:DB8::1', '2001:db8::2', '2001:db8::2'] }],
    ['nothing', {}],
  ])('of a recordset takes no step of the serial: %s', async (_, body) => {
    const zone = await tenant.makeZone();
    const made = await make(zone, 'AAAA', '2001:DB8::1', '2001:db8::2');
    const before = await tenant.look(zone);
    const { status, json } = await tenant.ask('PUT', pathOf(made), body);
    expect(status).toBe(202);
    expect(json).toMatchObject({ status: 'PENDING', action: 'UPDATE', version: 2 });
    expect(json).not.toEqual(made);
    expect(json.updated_at > made.created_at).toBe(true);
    const after = await tenant.look(zone);
    expect([after.serial, after.version]).toEqual([before.serial, before.version + 1]);
  });

  it.each<[string, object]>([
    ['a TTL', { ttl: 60 }],
    ['fewer records', { records: ['2001:db8::1'] }],
    ['other records', { records: ['2001:db8::1', '2001:db8::3'] }],
  ])('is not one of DNS data, which takes a step: %s', async (_, body) => {
    const zone = await tenant.makeZone();
    const made = await make(zone, 'AAAA', '2001:DB8::1', '2001:db8::2');
    const before = await tenant.look(zone);
    await tenant.ask('PUT', pathOf(made), body);
    expect((await tenant.look(zone)).serial).toBeGreaterThan(before.serial);
  });

  it('of a zone takes no step either; its TTL and mail address do', async () => {
    const zone = await tenant.makeZone();
    const patch = async (body: object) => (await tenant.ask('PATCH', `/v2/zones/${zone.id}`, body)).json;
    const same = { description: 'new', ttl: 3600, email: 'hostmaster@example.org' };
    const described = await patch(same);
    expect(described).toMatchObject({ ...same, serial: zone.serial, version: zone.version + 1 });
    expect(described).toMatchObject({ status: 'PENDING', action: 'UPDATE', updated_at: expect.any(String) });
    const { serial } = await patch({ ttl: 60 });
    expect(serial).toBeGreaterThan(zone.serial);
    expect((await patch({ email: 'other@example.org' })).serial).toBeGreaterThan(serial);
  });
});

describe('a TTL', () => {
  it('of 0 is one, of a zone and of a recordset', async () => {
    const body = { name: 'zero.example.org.', email: 'hostmaster@example.org', ttl: 0 };
    const zone = (await tenant.ask('POST', '/v2/zones', body)).json;
    expect(zone.ttl).toBe(0);
    const draft = { name: zone.name, type: 'A', records: ['192.0.2.1'], ttl: 0 };
    expect((await tenant.create(zone, draft)).json.ttl).toBe(0);
    expect((await exportFile(service, token, zone.id)).text).toContain('zero.example.org. 0 IN A 192.0.2.1');
    expect((await get('/v2/limits')).json.min_ttl).toBe(0);
  });

  it('that a recordset has, or has not, survives an export and an import', async () => {
    const zone = await tenant.makeZone('ttl.example.org.');
    const ttls = { none: null, other: 60, same: 3600 };
    for (const [label, ttl] of Object.entries(ttls)) {
      await tenant.create(zone, { name: `${label}.${zone.name}`, type: 'A', records: ['192.0.2.1'], ttl });
    }
    const { text } = await exportFile(service, token, zone.id);
    expect(text.split('\n').slice(0, 2)).toEqual(['$ORIGIN ttl.example.org.', '$TTL 3600']);
    await tenant.ask('DELETE', `/v2/zones/${zone.id}`);
    const { zone_id } = (await importFile(service, token, text)).json;
    const { recordsets } = (await get(`/v2/zones/${zone_id}/recordsets?type=A`)).json;
    const read = recordsets.map(({ name, ttl }: { name: string; ttl: number | null }) => [
      name.split('.')[0],
      ttl,
    ]);
    expect(Object.fromEntries(read)).toEqual(ttls);
    expect(unmanaged((await exportFile(service, token, zone_id)).text)).toEqual(unmanaged(text));
  });

  it('of $TTL is kept where the zone has another one', async () => {
    const file = zoneFile('default.example.', '$TTL 300', 'a A 192.0.2.1', '$TTL 3600', 'b A 192.0.2.1');
    const { zone_id } = (await importFile(service, token, file)).json;
    const { recordsets } = (await get(`/v2/zones/${zone_id}/recordsets?type=A&sort_key=name`)).json;
    expect(recordsets).toMatchObject([{ ttl: 300 }, { ttl: null }]);
  });
});
