import { describe, expect, it } from 'vitest';
import { canonicalName, type Fqdn } from '../../../src/dns/names.ts';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import { TSIG_ALGORITHMS, type TsigKey } from '../../../src/model/tsig-keys/tsig-key.ts';
import { askByUdp, DnsConnection, decodeAnswer, encodeAsk, exchange } from '../../support/dns-client.ts';
import { until } from '../../support/eventually.ts';
import { primaryFor, wireKey } from '../../support/primary.ts';
import { keyWith, poolWith } from '../../support/published-zones.ts';

const catalogOf = (name: string, tsigKey: string | null = null) => ({
  fqdn: canonicalName<Fqdn>(`catalog.${name}.`),
  refresh: 60,
  tsigKey,
});
const POOLS = [
  poolWith({ id: 'pool-a', catalogZone: catalogOf('a') }),
  poolWith({ id: 'pool-b', catalogZone: catalogOf('b', 'of-catalog-b'), tsigKey: 'named-by-b' }),
  poolWith({ id: 'pool-c', catalogZone: catalogOf('c', 'of-zone-c'), tsigKey: 'of-zone-c' }),
];
const KEYS = {
  poolA: keyWith({ name: 'of-pool-a', scope: 'POOL', resourceId: 'pool-a' }),
  zoneA: keyWith({ name: 'of-zone-a', scope: 'ZONE', resourceId: 'id-of-zone.a.' }),
  zoneC: keyWith({ name: 'of-zone-c', scope: 'ZONE', resourceId: 'id-of-zone.c.' }),
  namedByB: keyWith({ name: 'named-by-b', scope: 'POOL', resourceId: 'elsewhere' }),
  ofCatalogB: keyWith({ name: 'of-catalog-b', scope: 'POOL', resourceId: 'pool-a' }),
  poolAsZone: keyWith({ name: 'pool-as-zone', scope: 'ZONE', resourceId: 'pool-a' }),
  zoneAsPool: keyWith({ name: 'zone-as-pool', scope: 'POOL', resourceId: 'id-of-zone.a.' }),
};
const NAMES = [
  'zone.a.',
  'other.a.',
  'catalog.a.',
  'zone.b.',
  'catalog.b.',
  'zone.c.',
  'other.c.',
  'catalog.c.',
];

async function opened(settings = {}) {
  const primary = await primaryFor({ pools: [...POOLS], keys: Object.values(KEYS) }, settings);
  primary.zones.publish({ name: 'zone.a.', serial: 1, poolId: 'pool-a' }, []);
  primary.zones.publish({ name: 'other.a.', serial: 1, poolId: 'pool-a' }, []);
  primary.zones.publish({ name: 'zone.b.', serial: 1, poolId: 'pool-b' }, []);
  primary.zones.publish({ name: 'zone.c.', serial: 1, poolId: 'pool-c' }, []);
  primary.zones.publish({ name: 'other.c.', serial: 1, poolId: 'pool-c' }, []);
  for (const { id, catalogZone } of POOLS) {
    primary.zones.publishCatalog({ poolId: id, ...catalogZone!, serial: 1 }, {});
  }
  return primary;
}

const signedOrNot = async (address: Parameters<typeof askByUdp>[0], key?: TsigKey): Promise<string[]> => {
  const seen = [];
  for (const name of NAMES) {
    const ask = { name, type: 'SOA', key: key && wireKey(key) } as const;
    if ((await askByUdp(address, ask)).header.rcode === 0) seen.push(name);
  }
  return seen;
};

describe('a key', () => {
  it('of a pool sees its zones and its catalog', async () => {
    const { address } = await opened();
    expect(await signedOrNot(address, KEYS.poolA)).toEqual(['zone.a.', 'other.a.', 'catalog.a.']);
  });

  it('of a zone sees that zone', async () => {
    const { address } = await opened();
    expect(await signedOrNot(address, KEYS.zoneA)).toEqual(['zone.a.']);
  });

  it('of a zone sees no more where a pool and its catalog name it', async () => {
    const { address } = await opened();
    expect(await signedOrNot(address, KEYS.zoneC)).toEqual(['zone.c.']);
  });

  it('of another pool sees nothing more where a pool or its catalog names it', async () => {
    const { address } = await opened();
    expect(await signedOrNot(address, KEYS.namedByB)).toEqual([]);
    expect(await signedOrNot(address, KEYS.ofCatalogB)).toEqual(['zone.a.', 'other.a.', 'catalog.a.']);
  });

  it('with the id of the other kind sees nothing', async () => {
    const { address } = await opened();
    expect(await signedOrNot(address, KEYS.poolAsZone)).toEqual([]);
    expect(await signedOrNot(address, KEYS.zoneAsPool)).toEqual([]);
  });

  it('says who asks, in a network that needs none, too', async () => {
    const { address } = await opened({ allowNetworks: ['127.0.0.1'] });
    expect(await signedOrNot(address, KEYS.zoneA)).toEqual(['zone.a.']);
  });

  it.each(TSIG_ALGORITHMS)('may be for %s', async (algorithm) => {
    const key = { ...KEYS.poolA, algorithm };
    const primary = await opened();
    primary.known.keys = [key];
    const ask = { name: 'zone.a.', type: 'SOA', key: wireKey(key) } as const;
    expect((await askByUdp(primary.address, ask)).answers).toHaveLength(1);
  });

  it('may have a secret that is text: it signs with the bytes of the text', async () => {
    const primary = await opened();
    const secret = 'SomeSecretKey';
    primary.known.keys = [{ ...KEYS.poolA, secret }];
    const signedWith = async (bytes: Buffer) => {
      const key = { ...wireKey(KEYS.poolA), secret: bytes };
      return (await askByUdp(primary.address, { name: 'zone.a.', type: 'SOA', key })).header.rcode;
    };
    expect(await signedWith(Buffer.from(secret, 'utf8'))).toBe(RCODE.NOERROR);
    expect(await signedWith(Buffer.from(secret, 'base64'))).toBe(RCODE.NOTAUTH);
  });

  it('that is taken away or changed counts no more after a while', async () => {
    const { address, known } = await opened();
    const ask = { name: 'zone.a.', type: 'SOA', key: wireKey(KEYS.poolA) } as const;
    expect((await askByUdp(address, ask)).header.rcode).toBe(0);
    known.keys = [{ ...KEYS.poolA, secret: Buffer.from('another').toString('base64') }];
    await until(async () => expect((await askByUdp(address, ask)).header.rcode).toBe(RCODE.NOTAUTH));
  });
});

describe('without a key', () => {
  it('nobody sees anything', async () => {
    const { address } = await opened();
    expect(await signedOrNot(address)).toEqual([]);
  });

  it('the networks that the operator names see everything', async () => {
    const { address } = await opened({ allowNetworks: ['192.0.2.0/24', '127.0.0.0/8'] });
    expect(await signedOrNot(address)).toEqual(NAMES);
  });
});

describe('a wrong signature', () => {
  const ask = { name: 'zone.a.', type: 'SOA' } as const;

  it('with a key that is not known is BADKEY, unsigned', async () => {
    const { address } = await opened();
    const key = wireKey(keyWith({ name: 'unknown', scope: 'POOL', resourceId: 'pool-a' }));
    const { header, tsig } = await askByUdp(address, { ...ask, key });
    expect([header.rcode, tsig?.error, tsig?.mac.length]).toEqual([RCODE.NOTAUTH, RCODE.BADKEY, 0]);
  });

  it('by another secret is BADSIG, unsigned', async () => {
    const { address } = await opened();
    const key = { ...wireKey(KEYS.poolA), secret: Buffer.from('wrong') };
    const { header, tsig } = await askByUdp(address, { ...ask, key });
    expect([header.rcode, tsig?.error, tsig?.mac.length]).toEqual([RCODE.NOTAUTH, RCODE.BADSIG, 0]);
  });

  it('of another time is BADTIME, signed, with the time of the primary', async () => {
    const { address } = await opened();
    const { octets } = encodeAsk({ ...ask, key: wireKey(KEYS.poolA), clockOff: -1000 });
    const { header, tsig } = decodeAnswer((await exchange(address, octets, 30_000))!);
    expect([header.rcode, tsig?.error, tsig?.mac.length]).toEqual([RCODE.NOTAUTH, RCODE.BADTIME, 32]);
    const told = tsig!.otherData.readUIntBE(0, 6);
    expect(Math.abs(told - Date.now() / 1000)).toBeLessThan(300);
  });

  it('opens no transfer either', async () => {
    const { address } = await opened();
    const key = { ...wireKey(KEYS.poolA), secret: Buffer.from('wrong') };
    const connection = await DnsConnection.open(address);
    const { header, answers } = await connection.ask({ name: 'zone.a.', type: 'AXFR', key });
    expect([header.rcode, answers]).toEqual([RCODE.NOTAUTH, []]);
    connection.close();
  });
});
