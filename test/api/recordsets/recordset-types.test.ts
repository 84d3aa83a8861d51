import { afterAll, beforeAll, expect, it } from 'vitest';
import { RECORD_TYPES } from '../../../src/dns/record-types.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';
import { importFile, zoneFile } from '../../support/zone-files.ts';

let service: TestService;
let tenant: Tenant;
let zone: TestZone;
let dohs = 0;
beforeAll(async () => {
  service = await startTestService();
  tenant = await tenantOf(service, 'tenant');
  zone = await tenant.makeZone('types.example.org.');
});
afterAll(() => service.remove());

const SHA1 = '123456789abcdef67890123456789abcdef67890';
const SHA256 = 'd4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a';

/** The type, what is sent, and the canonical form where that is another. */
const EXAMPLES: readonly (readonly [string, string, string?])[] = [
  ['A', '192.0.2.1'],
  ['AAAA', '2001:DB8:0::1', '2001:db8::1'],
  ['AFSDB', '1 DB.example.', '1 db.example.'],
  ['CAA', '128 issue "ca.example.net; policy=ev"'],
  ['CDNSKEY', '0 3 0 AA=='],
  ['CDS', '0 0 0 00'],
  ['CERT', 'PGP 0 0 AQID', '3 0 0 AQID'],
  ['CNAME', 'Target.Example.', 'target.example.'],
  ['CSYNC', '66 3 aaaa A NS', '66 3 A NS AAAA'],
  ['DNAME', 'other.example.'],
  ['DNSKEY', '257 3 ED25519 AQID', '257 3 15 AQID'],
  ['DS', `60485 5 1 ${SHA1.toUpperCase()}`, `60485 5 1 ${SHA1}`],
  ['HINFO', 'PC Linux', '"PC" "Linux"'],
  ['HTTPS', '1 . alpn=h3'],
  ['LOC', '42 21 54 N 71 06 18 W -24m 30m', '42 21 54.000 N 71 6 18.000 W -24.00m 30.00m 10000.00m 10.00m'],
  ['MX', '10 Mail.Example.', '10 mail.example.'],
  ['NAPTR', '100 50 "s" "http+I2L+I2C+I2R" "" _http._tcp.gatech.edu.'],
  ['NS', 'ns1.example.net.'],
  ['OPENPGPKEY', 'AQID'],
  ['PTR', 'host.example.'],
  ['RP', 'Admin.example. .', 'admin.example. .'],
  ['SMIMEA', '3 0 0 308201'],
  ['SPF', '"v=spf1 -all"'],
  ['SRV', '10 60 5060 sip.example.'],
  ['SSHFP', `2 1 ${SHA1}`],
  ['SVCB', '1 svc.example. port=8443'],
  ['TLSA', `3 1 1 ${SHA256}`],
  ['TXT', '"one""two"', '"one" "two"'],
  ['URI', '10 1 "ftp://ftp1.example.com/public"'],
];

const examples = EXAMPLES.map(([type, sent, canonical = sent]) => ({ type, sent, canonical }));

it.each([
  ['_dns', '1 . alpn=h2', 400],
  ['_8053._dns', '1 . alpn=dot,h3-29', 400],
  ['_dns', '1 . alpn=h2 dohpath=/q{?dns}', 202],
  ['_dns.r', '1 . alpn=dot', 202],
  ['_dns.r', '0 dns.example. alpn=h2', 202],
  ['x._dns', '1 . alpn=h2', 202],
])(
  'needs dohpath beside HTTP at _dns, by the API and in a zone file (RFC 9461): %s %s',
  async (label, record, status) => {
    const tenant = await tenantOf(service, `doh-${++dohs}`);
    const zone = await tenant.makeZone(`doh-${dohs}.example.org.`);
    const made = await tenant.create(zone, {
      name: `${label}.${zone.name}`,
      type: 'SVCB',
      records: [record],
    });
    expect(made.status, made.text).toBe(status);
    if (status === 400) expect(made.json.errors.errors[0].message).toMatch('dohpath');
    const file = zoneFile(`file-${zone.name}`, `${label} 60 SVCB ${record}`);
    const imported = await importFile(service, await service.token(`doh-${dohs}`, 'member'), file);
    expect(imported.status, imported.text).toBe(status);
  },
);

it('has an example of every type but the SOA, which the service keeps', () => {
  expect([...examples.map(({ type }) => type), 'SOA'].sort()).toEqual([...RECORD_TYPES].sort());
});

it.each(examples)(
  'creates, shows and lists a recordset of the type $type',
  async ({ type, sent, canonical }) => {
    const isOfApex = ['CDNSKEY', 'CDS', 'CSYNC'].includes(type);
    const name = isOfApex ? zone.name : `_x._${type.toLowerCase()}.${zone.name}`;
    const created = await tenant.create(zone, { name, type, records: [sent] });
    expect(created.json).toMatchObject({ name, type, records: [sent] });
    const path = `/v2/zones/${zone.id}/recordsets`;
    expect((await tenant.ask('GET', `${path}/${created.json.id}`)).json.records).toEqual([sent]);
    expect((await tenant.ask('GET', `${path}?type=${type}&name=${name}`)).json.recordsets).toMatchObject([
      { name },
    ]);
    const repeated = await tenant.ask('PUT', `${path}/${created.json.id}`, { records: [canonical] });
    expect(repeated.json).toMatchObject({ records: [canonical], version: 2 });
  },
);

it.each(examples)('refuses what is no $type, with the reason', async ({ type }) => {
  const answer = await tenant.create(zone, { name: `no.${zone.name}`, type, records: ['\\# 2 00'] });
  expect(answer.json).toMatchObject({ code: 400, type: 'invalid_object' });
  expect(answer.json.errors.errors).toEqual([
    { path: ['records', 0], message: expect.stringContaining('RFC 3597') },
  ]);
});
