/** Record types that go by their number (RFC 3597), and types that belong to the apex. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';
import { exportFile, importFile, zoneFile } from '../../support/zone-files.ts';

let service: TestService;
let token: string;
let tenant: Tenant;
let zone: TestZone;
beforeAll(async () => {
  service = await startTestService();
  tenant = await tenantOf(service, 'tenant');
  token = await service.token('tenant', 'member');
  zone = await tenant.makeZone('numbered.example.org.');
});
afterAll(() => service.remove());

const recordsetsOf = (query: string) => tenant.ask('GET', `/v2/zones/${zone.id}/recordsets?${query}`);

it('a type that has no name here is created, answered as sent, changed, listed and deleted', async () => {
  const name = `a.${zone.name}`;
  const records = ['\\# 3 0A 0b0C', '\\# 0', '\\# 3 0a0b0c'];
  const { json } = await tenant.create(zone, { name, type: 'TYPE65280', records });
  expect(json).toMatchObject({ type: 'TYPE65280', records: records.slice(0, 2) });
  expect((await recordsetsOf('type=TYPE65280')).json.recordsets).toMatchObject([{ name }]);
  expect((await recordsetsOf('data=*0a0b0c')).json.recordsets).toMatchObject([{ name }]);
  const path = `/v2/zones/${zone.id}/recordsets/${json.id}`;
  const changed = await tenant.ask('PUT', path, { records: ['\\# 1 ff'] });
  expect(changed.json).toMatchObject({ records: ['\\# 1 ff'], version: 2 });
  expect((await tenant.ask('DELETE', path)).status).toBe(202);
});

it('a known type has one name, also where it is given by its number', async () => {
  const name = `caa.${zone.name}`;
  const record = '\\# 8 00056973737565 78';
  const { json } = await tenant.create(zone, { name, type: 'TYPE257', records: [record] });
  expect(json).toMatchObject({ type: 'CAA', records: [record] });
  for (const type of ['CAA', 'TYPE257'])
    expect((await recordsetsOf(`type=${type}`)).json.recordsets).toMatchObject([{ name, type: 'CAA' }]);
  const again = await tenant.create(zone, { name, type: 'CAA', records: ['0 issue "x"'] });
  expect(again.json).toMatchObject({ code: 409, type: 'duplicate_recordset' });
});

it.each([
  ['TYPE0', 'RFC 6895'],
  ['TYPE41', 'RFC 6895'],
  ['ANY', 'RFC 6895'],
  ['TYPE128', 'RFC 6895'],
  ['TYPE255', 'RFC 6895'],
  ['TYPE65535', 'RFC 6895'],
  ['TYPE65536', 'The type must be one of: A, '],
  ['type65280', 'The type must be one of: A, '],
  ['APL', 'TYPE65280'],
  ['RRSIG', 'A DNSSEC signer generates RRSIG records'],
  ['TYPE46', 'A DNSSEC signer generates RRSIG records'],
  ['NSEC', 'A DNSSEC signer'],
  ['NSEC3', 'A DNSSEC signer'],
  ['NSEC3PARAM', 'A DNSSEC signer'],
  ['TYPE63', 'A DNSSEC signer generates ZONEMD records'],
])('%s is no type of recordsets', async (type, reason) => {
  const { json } = await tenant.create(zone, { name: `no.${zone.name}`, type, records: ['\\# 0'] });
  expect(json).toMatchObject({ code: 400, type: 'invalid_object' });
  expect(json.errors.errors).toEqual([{ path: ['type'], message: expect.stringContaining(reason) }]);
});

it.each(['0a0b', '\\# 2 0a', '\\# 1 0a0b', '\\# 1 0g', '"\\#" 1 0a', '\\# 70000 00'])(
  'rdata of such a type is in the general form, which %j is not',
  async (record) => {
    const made = await tenant.create(zone, { name: `b.${zone.name}`, type: 'TYPE65280', records: [record] });
    expect(made.json).toMatchObject({ code: 400, type: 'invalid_object' });
    expect(made.json.errors.errors).toMatchObject([{ path: ['records', 0] }]);
  },
);

it.each([
  ['TYPE21', '\\# 4 0000c000'],
  ['TYPE7', '\\# 4 0161c000'],
  ['MX', '\\# 4 000ac000'],
])('names in %s %s must be whole: a pointer means nothing outside a message', async (type, record) => {
  const made = await tenant.create(zone, { name: `p.${zone.name}`, type, records: [record] });
  expect(made.json).toMatchObject({ code: 400, type: 'invalid_object' });
  expect(made.json.errors.errors).toMatchObject([{ path: ['records', 0] }]);
});

it('a zone file has such types, and an export imports again', async () => {
  const lines = ['x 60 TYPE65280 \\# 2 0A0B', 'x 60 TYPE99 "spf"', 'y 60 TYPE7 \\# 6 0141 0262 6300'];
  const { json } = await importFile(service, token, zoneFile('one.example.', ...lines));
  const file = (await exportFile(service, token, json.zone_id)).text;
  expect(file).toContain('x.one.example. 60 IN TYPE65280 \\# 2 0a0b\n');
  expect(file).toContain('x.one.example. 60 IN SPF "spf"\n');
  expect(file).toContain('y.one.example. 60 IN TYPE7 \\# 6 016102626300\n');
  const again = await importFile(service, token, file.replaceAll('one.example.', 'two.example.'));
  expect(again.json.status).toBe('COMPLETE');
  const second = (await exportFile(service, token, again.json.zone_id)).text;
  const contents = (text: string) => text.split('\n').filter((line) => !/ IN (SOA|NS) |^\$/.test(line));
  expect(contents(second)).toEqual(contents(file.replaceAll('one.example.', 'two.example.')));
});

describe('what speaks for the whole zone', () => {
  it.each([
    ['CDS', '0 0 0 00', 'sub.', 400],
    ['CDNSKEY', '0 3 0 AA==', 'sub.', 400],
    ['CSYNC', '66 3 A NS AAAA', 'sub.', 400],
    ['CSYNC', '66 3 A NS AAAA', '_dsboot.sub._signal.', 400],
    ['CDS', '0 0 0 00', '_dsboot.sub._signal.', 202],
    ['CDNSKEY', '0 3 0 AA==', '', 202],
  ])(
    '%s %s is at the apex, or for another zone at its signalling name: %s',
    async (type, record, at, status) => {
      const made = await tenant.create(zone, { name: `${at}${zone.name}`, type, records: [record] });
      expect(made.status, made.text).toBe(status);
      if (status === 400) expect(made.json.type).toBe('invalid_recordset_location');
    },
  );

  it('a CSYNC is one record', async () => {
    const records = ['66 3 A', '67 3 A'];
    const made = await tenant.create(zone, { name: zone.name, type: 'CSYNC', records });
    expect(made.json.errors.errors).toMatchObject([{ message: 'A CSYNC has exactly one record.' }]);
  });
});
