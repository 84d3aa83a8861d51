import { describe, expect, it } from 'vitest';
import { canonicalName, type Fqdn } from '../../../src/dns/names.ts';
import { typeName } from '../../../src/dns/record-types.ts';
import { DEFAULT_POOL_ID } from '../../../src/model/pools/pool.ts';
import { askByUdp, DnsConnection } from '../../support/dns-client.ts';
import { primaryFor } from '../../support/primary.ts';
import { poolWith } from '../../support/published-zones.ts';

const FQDN = canonicalName<Fqdn>('catalog.test.');
const CATALOG = { poolId: DEFAULT_POOL_ID, fqdn: FQDN, refresh: 60, serial: 9 };
const soa = (serial: number): string => `${FQDN} 0 SOA invalid. invalid. ${serial} 60 10 2147483646 0`;
const memberWith = (label: string) => ({ label, name: canonicalName<Fqdn>(`zone-${label}.test.`) });
const line = (label: string): string => `${label}.zones.${FQDN} 0 PTR zone-${label}.test.`;

async function opened(
  changes: Parameters<Awaited<ReturnType<typeof primaryFor>>['zones']['publishCatalog']>[1],
) {
  const catalogZone = { fqdn: FQDN, refresh: 60, tsigKey: null };
  const pools = [poolWith({ catalogZone })];
  const primary = await primaryFor({ pools }, { allowNetworks: ['127.0.0.1'] });
  primary.zones.publishCatalog(CATALOG, changes);
  return primary;
}

async function transferred(
  primary: Awaited<ReturnType<typeof opened>>,
  type: 'AXFR' | 'IXFR',
  serial?: number,
) {
  const connection = await DnsConnection.open(primary.address);
  const { records } = await connection.transfer({ name: FQDN, type, ...(serial && { serial }) });
  connection.close();
  return records.map((record) => `${record.name} ${record.ttl} ${typeName(record.type)} ${record.rdata}`);
}

describe('a catalog zone', () => {
  it('answers for its SOA', async () => {
    const { address } = await opened({});
    const { answers } = await askByUdp(address, { name: FQDN, type: 'SOA' });
    expect(answers.map(({ rdata }) => rdata)).toEqual(['invalid. invalid. 9 60 10 2147483646 0']);
  });

  it('is of version 2, and has one PTR record for each member', async () => {
    const primary = await opened({ members: ['a', 'b', 'c'].map(memberWith) });
    primary.zones.pageSize = 2;
    expect(await transferred(primary, 'AXFR')).toEqual([
      soa(9),
      `${FQDN} 0 NS invalid.`,
      `version.${FQDN} 0 TXT "2"`,
      line('a'),
      line('b'),
      line('c'),
      soa(9),
    ]);
    expect(primary.completed).toEqual([]);
  });

  it('changes by one difference, those that left before those that joined', async () => {
    const primary = await opened({
      since: 4,
      left: ['a', 'b', 'c'].map(memberWith),
      joined: ['d', 'e'].map(memberWith),
    });
    primary.zones.pageSize = 2;
    const lines = [soa(9), soa(5), line('a'), line('b'), line('c'), soa(9), line('d'), line('e'), soa(9)];
    expect(await transferred(primary, 'IXFR', 5)).toEqual(lines);
  });

  it('is whole for a serial from which the changes are not known', async () => {
    const primary = await opened({ since: 6, members: [memberWith('a')] });
    expect(await transferred(primary, 'IXFR', 5)).toHaveLength(5);
  });
});
