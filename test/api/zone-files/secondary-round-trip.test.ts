/** The export of a secondary zone, whose records its master decides on, imports again as a primary zone. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseRdata } from '../../../src/dns/parse-rdata.ts';
import { RECORD_TYPES, type RecordType, TYPE, typeNumber } from '../../../src/dns/record-types.ts';
import type { WireRecord } from '../../../src/dns/wire/message.ts';
import { eventually } from '../../support/eventually.ts';
import { RDATA } from '../../support/rdata-generators.ts';
import { runs } from '../../support/runs.ts';
import { openMaster, record, type ScriptedMaster } from '../../support/scripted-master.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { exportFile, importFile, unmanaged } from '../../support/zone-files.ts';

let services: readonly TestService[];
let tokens: readonly string[];
let master: ScriptedMaster;
beforeAll(async () => {
  const options = {
    ZONEWARDEN_SECONDARY__ALLOWED_MASTERS: '127.0.0.0/8',
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '-1',
  };
  services = await Promise.all([startTestService(options), startTestService(options)]);
  tokens = await Promise.all(services.map((service) => service.token('shop', 'member')));
  master = await openMaster();
});
afterAll(async () => {
  await master.close();
  await Promise.all(services.map((service) => service.remove()));
});

let drawn = 0;
const newName = (): string => `secondary-${++drawn}.example.`;

/** Timers of 32 bits, as some masters have them. */
const soaOf = (zone: string): WireRecord =>
  record(zone, TYPE.SOA, 'ns1.example. host.example. 5 3600 600 4294967295 300', 3600);

const read = async (path: string) =>
  (await services[0]!.request('GET', `/v2/zones/${path}`, { token: tokens[0]! })).json;

/** The file of a secondary zone whose master has these records. */
async function exported(zone: string, records: readonly WireRecord[]): Promise<string> {
  master.soa = () => [soaOf(zone)];
  master.transfer = (session) => {
    session.send([soaOf(zone), record(zone, TYPE.NS, 'ns1.example.')]);
    for (const one of records) session.send([one]);
    session.send([soaOf(zone)]);
  };
  const body = { name: zone, type: 'SECONDARY', masters: [`${master.host}:${master.port}`] };
  const { json } = await services[0]!.request('POST', '/v2/zones', { token: tokens[0]!, body });
  await eventually(async () => {
    const [shown, { transfer }] = await Promise.all(
      ['', '/publication'].map((part) => read(`${json.id}${part}`)),
    );
    expect(transfer.fault).toBeNull();
    return shown.transferred_at ?? undefined;
  });
  return (await exportFile(services[0]!, tokens[0]!, json.id)).text;
}

/** What an import says of the file, and the file of the primary zone that it makes. */
async function importedAgain(file: string): Promise<{ message: string; file: string }> {
  const { json, text } = await importFile(services[1]!, tokens[1]!, file);
  expect(json, text).toMatchObject({ status: 'COMPLETE' });
  return { message: json.message, file: (await exportFile(services[1]!, tokens[1]!, json.zone_id)).text };
}

/** Those that cannot stand beside others have names of their own, and those that speak for the zone are at its apex. */
const OWNERS: Readonly<Partial<Record<RecordType, readonly string[]>>> = {
  CNAME: ['alias.'],
  DNAME: ['branch.'],
  NS: ['sub.'],
  DS: ['sub.'],
  CDS: [''],
  CDNSKEY: [''],
  CSYNC: [''],
};
const ANYWHERE = [
  '',
  'www.',
  '*.',
  '_sip._udp.',
  'a.b.c.',
  'xn--mnchen-3ya.',
  '*.deep.',
  'r\\038d.',
  '\\195\\188.',
];
const HOST = ['', 'www.', '*.', 'a.b.c.'];

function ownersOf(type: RecordType): readonly string[] {
  return OWNERS[type] ?? (['A', 'AAAA', 'MX'].includes(type) ? HOST : ANYWHERE);
}

const ONE_RECORD: ReadonlySet<string> = new Set(['CNAME', 'DNAME', 'CSYNC']);
const canonical = (type: RecordType): fc.Arbitrary<string> =>
  RDATA[type]
    .map((text) => parseRdata(type, text))
    .filter(({ ok }) => ok)
    .map((parsed) => (parsed.ok ? parsed.rdata : ''));
const named = fc.constantFrom(...RECORD_TYPES.filter((type) => type !== 'SOA')).chain((type) =>
  fc.record({
    type: fc.constant(typeNumber(type)),
    owner: fc.constantFrom(...ownersOf(type)),
    ttl: fc.constantFrom(0, 60, 3600, 2_147_483_647),
    records: fc.uniqueArray(canonical(type), { minLength: 1, maxLength: ONE_RECORD.has(type) ? 1 : 3 }),
  }),
);
/** SINK, DHCID, EUI48 and one that nobody knows, with the number of bytes they may have. */
const NUMBERED = [
  [40, 3, 40],
  [49, 1, 40],
  [108, 6, 6],
  [65_280, 0, 40],
] as const;
const general = (minLength: number, maxLength: number) =>
  fc
    .uint8Array({ minLength, maxLength })
    .map((bytes) => `\\# ${bytes.length} ${Buffer.from(bytes).toString('hex')}`.trim());
const numbered = fc.constantFrom(...NUMBERED).chain(([type, minLength, maxLength]) =>
  fc.record({
    type: fc.constant(type),
    owner: fc.constantFrom(...ANYWHERE),
    ttl: fc.constant(60),
    records: fc.uniqueArray(general(minLength, maxLength), { minLength: 1, maxLength: 3 }),
  }),
);
const contents = fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: named }, numbered), {
  selector: ({ owner, type }) => `${owner} ${type}`,
  minLength: 10,
  maxLength: 40,
});

it('loses no record, of whatever type', async () => {
  await fc.assert(
    fc.asyncProperty(contents, async (recordsets) => {
      const zone = newName();
      // A DS without the delegation that it belongs to is none.
      const hasNs = recordsets.some(({ type }) => type === TYPE.NS);
      const kept = recordsets.filter(({ type }) => hasNs || type !== TYPE.DS);
      const records = kept.flatMap(({ type, owner, ttl, records }) =>
        records.map((rdata) => record(`${owner}${zone}`, type, rdata, ttl)),
      );
      const first = await exported(zone, records);
      expect(unmanaged(first).length - unmanaged(`$ORIGIN ${zone}\n$TTL 1\n`).length).toBe(records.length);
      const { file, message } = await importedAgain(first);
      expect(unmanaged(file)).toEqual(unmanaged(first));
      expect(message).toBe(`${zone} imported; SOA timers adjusted: expire from 4294967295 to 2147483647`);
    }),
    { numRuns: runs(30, 6) },
  );
});

it('loses of a signed zone what its signer generated, and counts it', async () => {
  const zone = newName();
  const plain = [
    record(`www.${zone}`, TYPE.A, '192.0.2.1'),
    record(`www.${zone}`, 65_280, '\\# 3 0a0b0c'),
    record(`keys.${zone}`, TYPE.DNSKEY, '257 3 8 AQID'),
  ];
  const generated = [
    ...[zone, `www.${zone}`].map((name) => record(name, TYPE.RRSIG, `\\# 20 ${'00'.repeat(20)}`)),
    record(`www.${zone}`, TYPE.NSEC, '\\# 1 00'),
    record(`x.${zone}`, TYPE.NSEC3, '\\# 7 01000000000100'),
    record(zone, TYPE.NSEC3PARAM, '\\# 5 0100000000'),
    record(zone, TYPE.ZONEMD, `\\# 18 0000000501f0${'00'.repeat(12)}`),
    record(zone, TYPE.DNSKEY, '257 3 8 AQID'),
    record(zone, TYPE.CDS, '0 0 0 00'),
    record(zone, TYPE.CDNSKEY, '0 3 0 AA=='),
  ];
  const first = await exported(zone, [...plain, ...generated]);
  const { file, message } = await importedAgain(first);
  expect(message).toContain(`${generated.length} records of DNSSEC signers were skipped`);
  expect(unmanaged(file)).toEqual(
    unmanaged(first).filter(
      (line) => !/ IN (TYPE(46|47|50|51|63)|CDS|CDNSKEY) |^secondary\S* 300 IN DNSKEY /.test(line),
    ),
  );
  expect(unmanaged(file)).toHaveLength(plain.length + 3);
});

it('names the lines of records that a type refuses, which only a master can have', async () => {
  const zone = newName();
  const odd = [
    record(`a.${zone}`, TYPE.TLSA, '\\# 4 030101aa'),
    record(`b.${zone}`, TYPE.DNSKEY, '\\# 7 0100ff08010203'),
  ];
  const first = await exported(zone, odd);
  expect(first).toContain(`a.${zone} 300 IN TLSA \\# 4 030101aa\n`);
  const { status, json } = await importFile(services[1]!, tokens[1]!, first);
  expect(status).toBe(400);
  expect(json.message).toMatch(/^Line 5: .*\nLine 6: /);
});
