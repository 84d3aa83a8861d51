import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseRdata } from '../../../src/dns/parse-rdata.ts';
import { isRecordType, type RecordType } from '../../../src/dns/record-types.ts';
import { writeZone, writtenZone } from '../../support/api-zones.ts';
import { RDATA } from '../../support/rdata-generators.ts';
import { runs } from '../../support/runs.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';
import { exportFile, importFile, unmanaged, zoneFile } from '../../support/zone-files.ts';

let services: readonly TestService[];
let tokens: readonly string[];
beforeAll(async () => {
  // Otherwise each zone has a refresh time of its own within the range of the options.
  const refresh = {
    ZONEWARDEN_DEFAULT__DEFAULT_SOA_REFRESH_MIN: '3600',
    ZONEWARDEN_DEFAULT__DEFAULT_SOA_REFRESH_MAX: '3600',
  };
  services = await Promise.all([startTestService(refresh), startTestService(refresh)]);
  tokens = await Promise.all(services.map((service) => service.token('shop', 'member')));
  for (const service of services) {
    const body = {
      zones: -1,
      zone_recordsets: -1,
      zone_records: -1,
      recordset_records: -1,
      api_export_size: -1,
    };
    await service.request('PATCH', '/v2/quotas/shop', { token: service.admin, body });
  }
});
afterAll(() => Promise.all(services.map((service) => service.remove())));

/** Types that may stand anywhere and beside each other. */
const TYPES = (Object.keys(RDATA) as RecordType[]).filter(
  (type) =>
    isRecordType(type) && !['SOA', 'NS', 'CNAME', 'DNAME', 'DS', 'CDS', 'CDNSKEY', 'CSYNC'].includes(type),
);
const canonical = (type: RecordType) =>
  RDATA[type]
    .map((text) => parseRdata(type, text))
    .filter((parsed) => parsed.ok)
    .map((parsed) => (parsed.ok ? parsed.rdata : ''));
const recordset = fc.constantFrom(...TYPES).chain((type) =>
  fc.record({
    type: fc.constant(type),
    name: fc.constantFrom('@', 'www', '*', '_sip._udp', 'a.b.c', 'xn--mnchen-3ya', '*.deep'),
    ttl: fc.constantFrom('', '0', '60', '3600', '2147483647'),
    records: fc.uniqueArray(canonical(type), { minLength: 1, maxLength: 4 }),
  }),
);
const alone = fc.constantFrom(
  'alias 60 CNAME target.example.',
  'branch 60 DNAME target.example.',
  'sub 60 NS ns.sub\nns.sub 60 A 192.0.2.1\nns.sub 60 AAAA 2001:db8::1',
);

async function importAndExport(at: 0 | 1, file: string): Promise<string> {
  const imported = await importFile(services[at]!, tokens[at]!, file);
  expect(imported.json).toMatchObject({ status: 'COMPLETE' });
  return (await exportFile(services[at]!, tokens[at]!, imported.json.zone_id)).text;
}

it('loses nothing but the SOA and NS that each service keeps itself', async () => {
  let count = 0;
  const zone = fc.tuple(fc.array(recordset, { maxLength: 20 }), fc.uniqueArray(alone));
  await fc.assert(
    fc.asyncProperty(zone, async ([recordsets, others]) => {
      count += 1;
      const lines = recordsets.flatMap(({ name, ttl, type, records }) =>
        records.map((rdata) => `${name} ${ttl} IN ${type} ${rdata}`),
      );
      const file = zoneFile(`z${count}.example.`, ...lines, ...others);
      const first = await importAndExport(0, file);
      const second = await importAndExport(1, first);
      expect(unmanaged(second)).toEqual(unmanaged(first));
      const distinct = new Set(
        recordsets.flatMap(({ name, type, records }) => records.map((one) => `${name} ${type} ${one}`)),
      );
      const kept = unmanaged(first).filter((line) => !/^((ns\.)?sub|alias|branch)\./.test(line)).length - 3;
      expect(kept).toBe(distinct.size);
    }),
    { numRuns: runs(20, 8), seed: 20_240_102 },
  );
});

/** A zone in DNS: its SOA without name server and serial, and its records with the TTLs that they have. */
async function contentsOf(tenant: Tenant, id: string): Promise<readonly string[]> {
  const { ttl: ofZone } = (await tenant.ask('GET', `/v2/zones/${id}`)).json;
  const { recordsets } = (await tenant.ask('GET', `/v2/zones/${id}/recordsets?limit=max`)).json;
  const lines: string[] = [];
  for (const { name, type, ttl, records } of recordsets)
    for (const record of records) {
      const parsed = parseRdata(type, record);
      const rdata = parsed.ok ? parsed.rdata : `not valid: ${record}`;
      const own = type === 'SOA' ? rdata.split(' ').toSpliced(2, 1).join(' ') : rdata;
      lines.push(`${name} ${ttl ?? ofZone} ${type} ${own}`);
    }
  return lines.sort();
}

it('loses nothing of what the API has taken', async () => {
  const [written, imported] = await Promise.all(services.map((service) => tenantOf(service, 'shop')));
  let [count, wanted, taken] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(writtenZone, async (zone) => {
      count += 1;
      const made = await writeZone(written!, `w${count}.example.`, zone);
      wanted += zone.recordsets.length;
      taken += made.taken.length;
      const { text } = await exportFile(services[0]!, tokens[0]!, made.id);
      const { json } = await importFile(services[1]!, tokens[1]!, text);
      expect(json).toMatchObject({ status: 'COMPLETE', message: `${made.name} imported` });
      expect(await contentsOf(imported!, json.zone_id)).toEqual(await contentsOf(written!, made.id));
    }),
    { numRuns: runs(100, 20) },
  );
  expect(taken).toBeGreaterThan(wanted / 2);
});
