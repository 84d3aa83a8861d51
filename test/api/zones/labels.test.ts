import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let tenant: Tenant;
let zone: TestZone;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  tenant = await tenantOf(service, 'tenant');
  zone = await tenant.makeZone('printers.example.');
});
afterAll(() => service.remove());

const dns = { 'content-type': 'text/dns' };
const importing = (text: string, query = '') =>
  tenant.ask('POST', `/v2/zones/tasks/imports${query}`, text, dns);

async function exported({ id }: TestZone): Promise<string> {
  const begun = await tenant.ask('POST', `/v2/zones/${id}/tasks/export`);
  const path = `/v2/zones/tasks/exports/${begun.json.id}/export`;
  return (await tenant.ask('GET', path, undefined, { accept: 'text/dns' })).text;
}

const shown = async ({ id }: TestZone) =>
  (await tenant.ask('GET', `/v2/zones/${id}/recordsets?limit=max`)).json.recordsets
    .filter(({ type }: { type: string }) => type !== 'SOA' && type !== 'NS')
    .map(({ name, type, records }: Record<string, unknown>) => ({ name, type, records }));

it('zones of a part of an IPv4 network have a slash in their name, and no other zones have', async () => {
  const part = await tenant.makeZone('0/25.2.0.192.in-addr.arpa.');
  const pointer = { name: `1.${part.name}`, type: 'PTR', records: ['host.example.'] };
  expect((await tenant.create(part, pointer)).json).toMatchObject(pointer);
  expect((await tenant.ask('GET', '/v2/zones?name=0/25.2.0.192.in-addr.arpa.')).json.zones).toHaveLength(1);
  for (const name of ['0/25.example.', '0\\/26.2.0.192.in-addr.arpa.', 'a&b.2.0.192.in-addr.arpa.']) {
    const refused = await tenant.ask('POST', '/v2/zones', { name, email: 'hostmaster@example.org' });
    expect([name, refused.status, refused.json.type]).toEqual([name, 400, 'invalid_object']);
  }
});

it('one name has one form, however it is written', async () => {
  const texts = { type: 'TXT', records: ['"x"'] };
  const made = await tenant.create(zone, { name: 'My\\032Printer._ipp._tcp.printers.example.', ...texts });
  expect([made.status, made.json.name]).toEqual([202, 'my\\032printer._ipp._tcp.printers.example.']);
  const again = await tenant.create(zone, { name: '\\077Y\\ printer._ipp._tcp.printers.example.', ...texts });
  expect([again.status, again.json.type]).toEqual([409, 'duplicate_recordset']);
  for (const name of ['My\\ Printer._ipp._tcp.printers.example.', 'my\\032*.printers.example.']) {
    const found = await tenant.ask('GET', `/v2/zones/${zone.id}/recordsets?name=${encodeURIComponent(name)}`);
    expect(found.json.recordsets.map(({ id }: { id: string }) => id)).toEqual([made.json.id]);
  }
  const put = await tenant.ask('PUT', `/v2/zones/${zone.id}/recordsets/${made.json.id}`, {
    name: made.json.name,
    ttl: 60,
  });
  expect(put.status).toBe(202);
  const slash = await tenant.create(zone, { name: 'a/b+c.printers.example.', ...texts });
  expect(slash.json.name).toBe('a/b+c.printers.example.');
});

it.each([
  ['a space', 'a b'],
  ['an &', 'a&b'],
  ['an @', 'a@b'],
  ['a dot as an escape', 'a\\.b'],
  ['a control character as an escape', 'a\\007b'],
  ['a * within', 'a\\042b'],
])('%s is refused', async (_, label) => {
  const answer = await tenant.create(zone, {
    name: `${label}.printers.example.`,
    type: 'TXT',
    records: ['"x"'],
  });
  expect([answer.status, answer.json.type]).toEqual([400, 'invalid_object']);
  expect(answer.json.errors.errors[0].path).toEqual(['name']);
});

it.each([
  ['A', '192.0.2.1'],
  ['AAAA', '::1'],
  ['MX', '10 mail.example.'],
])('%s is for names of hosts', async (type, record) => {
  for (const label of ['a/b', 'a+b', 'a\\032b']) {
    const name = `${label}.printers.example.`;
    const answer = await tenant.create(zone, { name, type, records: [record] });
    expect([answer.status, answer.json.type]).toEqual([400, 'invalid_object']);
    expect(answer.json.errors.errors[0].path).toEqual(['name']);
    const file = `$ORIGIN hosts.example.\n@ 60 SOA ns admin 1 3600 600 86400 300\n${label} 60 ${type} ${record}\n`;
    const refused = await importing(file);
    expect([refused.status, refused.json.message]).toEqual([
      400,
      expect.stringContaining('is not a host name'),
    ]);
  }
});

it('an export of such names imports again, and zone files may write them as BIND does', async () => {
  const file = `$ORIGIN service.example.
@ 3600 SOA ns admin 1 3600 600 86400 300
my\\032printer PTR My\\ Printer._ipp._tcp
r&d\\(x\\) TXT "x"
a\\@b CNAME A\\064B.example.
`;
  const first = await importing(file);
  expect(first.json).toMatchObject({ status: 'COMPLETE' });
  const made = { id: first.json.zone_id, name: 'service.example.', serial: 0, version: 0 };
  const contents = [
    { name: 'a\\@b.service.example.', type: 'CNAME', records: ['a\\@b.example.'] },
    {
      name: 'my\\032printer.service.example.',
      type: 'PTR',
      records: ['my\\032printer._ipp._tcp.service.example.'],
    },
    { name: 'r\\038d\\(x\\).service.example.', type: 'TXT', records: ['"x"'] },
  ];
  const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
  expect((await shown(made)).sort(byName)).toEqual(contents);
  const text = await exported(made);
  await tenant.ask('DELETE', `/v2/zones/${made.id}`);
  const second = await importing(text);
  expect(second.json).toMatchObject({ status: 'COMPLETE' });
  expect((await shown({ ...made, id: second.json.zone_id })).sort(byName)).toEqual(contents);
});
