import { expect, it } from 'vitest';
import { canonicalName, type Fqdn, type OwnerName } from '../../src/dns/names.ts';
import { formatZoneFile } from '../../src/dns/zone-file/format.ts';
import { wireRecord } from '../../src/publisher/primary/served.ts';

const OF_A = '\\# 19 00010d020000003c0000000000000000000100';
const OF_TXT = '\\# 19 00100d0200000e100000000000000000000100';
const MALFORMED = '\\# 3 0a0b0c';

it('an RRSIG has the TTL of the records that it covers, in transfers and zone files', () => {
  const ttls = [OF_A, OF_TXT, MALFORMED].map((rdata) => wireRecord('a.example.', 'TYPE46', 7, rdata).ttl);
  expect(ttls).toEqual([60, 3600, 7]);
  expect(wireRecord('a.example.', 'TYPE65280', 7, OF_A).ttl).toBe(7);
  const recordset = { name: canonicalName<OwnerName>('a.example.'), type: 'TYPE46', ttl: 7 } as const;
  const file = formatZoneFile({
    origin: canonicalName<Fqdn>('example.'),
    soa: { ttl: 300, rdata: 'ns.example. a.example. 1 1 1 1 1' },
    recordsets: [{ ...recordset, records: [OF_A, OF_TXT] }],
  });
  expect(file).toContain(`a.example. 60 IN TYPE46 ${OF_A}\na.example. 3600 IN TYPE46 ${OF_TXT}\n`);
});
