import { describe, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import { DEFAULT_POOL_ID } from '../../../src/model/pools/pool.ts';
import { askByUdp, transferFrom } from '../../support/dns-client.ts';
import { primaryFor, type TestPrimary, wireKey } from '../../support/primary.ts';
import { keyWith, poolWith } from '../../support/published-zones.ts';

const POOL_KEY = keyWith({ name: 'pool-key', scope: 'POOL', resourceId: DEFAULT_POOL_ID });
const KEY = wireKey(POOL_KEY);
const NAME = 'example.com.';
const NS = [NAME, 'NS', ['ns1.test.']] as const;

const opened = () => primaryFor({ pools: [poolWith({})], keys: [POOL_KEY] });
const transferred = ({ address }: TestPrimary, name = NAME) =>
  transferFrom(address, { name, type: 'AXFR', key: KEY });

function* manyRecordsets() {
  yield NS;
  for (let index = 0; index < 1000; index += 1) {
    yield [`host-${index}.example.com.`, 'TXT', [`"${'x'.repeat(100)}"`]] as const;
  }
}

describe('a zone that cannot be encoded', () => {
  const BROKEN = ['www.example.com.', 'A', ['not an address']] as const;

  it('is answered SERVFAIL, and told with the record and the reason', async () => {
    const primary = await opened();
    const { id } = primary.zones.publish({ name: NAME, serial: 5 }, [NS, BROKEN]);
    const { rcode } = await transferred(primary);
    expect(rcode).toBe(RCODE.SERVFAIL);
    expect(primary.failed).toEqual([
      {
        zoneId: id,
        reason: expect.stringMatching(/^The record www\.example\.com\. A not an address cannot be/),
      },
    ]);
    expect(primary.completed).toEqual([]);
  });

  it('cuts the connection where its transfer has begun', async () => {
    const primary = await opened();
    primary.zones.publish({ name: NAME, serial: 5 }, [...manyRecordsets(), BROKEN]);
    await expect(transferred(primary)).rejects.toThrow('closed within a transfer');
    expect(primary.failed).toHaveLength(1);
    expect(primary.zones.openStates).toBe(0);
  });

  it('is told for its SOA, too', async () => {
    const primary = await opened();
    primary.zones.publish({ name: NAME, serial: 5, soa: 'no SOA' }, []);
    const { header } = await askByUdp(primary.address, { name: NAME, type: 'SOA', key: KEY });
    expect(header.rcode).toBe(RCODE.SERVFAIL);
    expect(primary.failed).toHaveLength(1);
  });

  it('stops no other', async () => {
    const primary = await opened();
    primary.zones.publish({ name: NAME, serial: 5 }, [NS, BROKEN]);
    primary.zones.publish({ name: 'example.net.', serial: 5 }, [['example.net.', 'NS', ['ns1.test.']]]);
    await transferred(primary);
    expect((await transferred(primary, 'example.net.')).records).toHaveLength(3);
  });

  it('is one whose record of 65,535 octets leaves no room for anything else', async () => {
    const primary = await opened();
    const text = `\\# 65535 ${'ff'.repeat(65_535)}`;
    primary.zones.publish({ name: NAME, serial: 5 }, [[NAME, 'TXT', [text]]]);
    await expect(transferred(primary)).rejects.toThrow('closed within a transfer');
    expect(primary.failed[0]!.reason).toContain('It does not fit in a message.');
  });
});
