import { describe, expect, it } from 'vitest';
import { typeName } from '../../../src/dns/record-types.ts';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import type { WireRecord } from '../../../src/dns/wire/message.ts';
import { DEFAULT_POOL_ID } from '../../../src/model/pools/pool.ts';
import { type Ask, askByUdp, DnsConnection, encodeAsk, transferFrom } from '../../support/dns-client.ts';
import { until } from '../../support/eventually.ts';
import { primaryFor, type TestPrimary, wireKey } from '../../support/primary.ts';
import { keyWith, poolWith, soaOf } from '../../support/published-zones.ts';

const POOL_KEY = keyWith({ name: 'pool-key', scope: 'POOL', resourceId: DEFAULT_POOL_ID });
const KEY = wireKey(POOL_KEY);
const NAME = 'example.com.';
const NS = [NAME, 'NS', ['ns1.test.', 'ns2.test.']] as const;
const WWW = ['www.example.com.', 'A', ['192.0.2.1'], 60] as const;
const BIG = 5000;

const opened = (settings = {}) => primaryFor({ pools: [poolWith({})], keys: [POOL_KEY] }, settings);
const shown = (records: readonly WireRecord[]): string[] =>
  records.map(({ name, ttl, type, rdata }) => `${name} ${ttl} ${typeName(type)} ${rdata}`);
const soaLine = (serial: number): string => `${NAME} 3600 SOA ${soaOf(serial)}`;

function* manyRecordsets(text: string) {
  yield NS;
  for (let index = 0; index < BIG; index += 1) {
    yield [`host-${index}.example.com.`, 'TXT', [`"${text} ${'x'.repeat(100)}"`]] as const;
  }
}

const transferred = ({ address }: TestPrimary, ask: Omit<Ask, 'name'>) =>
  transferFrom(address, { name: NAME, key: KEY, ...ask });

describe('AXFR', () => {
  it('is the zone from its SOA to its SOA, each record with its TTL or that of the zone', async () => {
    const primary = await opened();
    primary.zones.publish({ name: NAME, serial: 5 }, [NS, WWW]);
    const { records } = await transferred(primary, { type: 'AXFR' });
    expect(shown(records)).toEqual([
      soaLine(5),
      `${NAME} 3600 NS ns1.test.`,
      `${NAME} 3600 NS ns2.test.`,
      'www.example.com. 60 A 192.0.2.1',
      soaLine(5),
    ]);
  });

  it('has the question and the id in its first message, and authority in all', async () => {
    const primary = await opened({ allowNetworks: ['127.0.0.1'] });
    primary.zones.publish({ name: NAME, serial: 5 }, [NS]);
    const connection = await DnsConnection.open(primary.address);
    const { header, questions, edns } = await connection.ask({
      name: NAME,
      type: 'AXFR',
      udpSize: 1232,
      header: { id: 4321 },
    });
    expect(header).toMatchObject({ id: 4321, qr: true, aa: true, rcode: 0 });
    expect(questions).toEqual([{ name: NAME, type: 252, class: 1 }]);
    expect(edns?.version).toBe(0);
    connection.close();
  });

  it('of a large zone comes in many messages, every one signed, page by page', async () => {
    const primary = await opened();
    primary.zones.publish({ name: NAME, serial: 5 }, manyRecordsets('first'));
    const { records, messages } = await transferred(primary, { type: 'AXFR' });
    expect(records).toHaveLength(BIG + 4);
    expect(messages).toBeGreaterThan(20);
    expect(new Set(records.map(({ name }) => name)).size).toBe(BIG + 1);
  });

  it('is one state of the zone, whatever is committed meanwhile', async () => {
    const primary = await opened();
    primary.zones.publish({ name: NAME, serial: 5 }, manyRecordsets('first'));
    let pages = 0;
    primary.zones.beforePage = async () => {
      pages += 1;
      primary.zones.publish({ name: NAME, serial: 5 + pages }, manyRecordsets(`change ${pages}`));
    };
    const { records } = await transferred(primary, { type: 'AXFR' });
    expect(pages).toBeGreaterThan(5);
    expect([records[0]!.rdata, records.at(-1)!.rdata]).toEqual([soaOf(5), soaOf(5)]);
    expect(records.filter(({ rdata }) => rdata.includes('change'))).toEqual([]);
  });

  it('is told once it has been taken, with the address, the key and the serial', async () => {
    const primary = await opened();
    const { id } = primary.zones.publish({ name: NAME, serial: 5 }, [NS]);
    await transferred(primary, { type: 'AXFR' });
    const told = { zoneId: id, server: '127.0.0.1', keyName: 'pool-key', serial: 5 };
    await until(() => expect(primary.completed).toEqual([told]));
    expect(primary.zones.openStates).toBe(0);
  });

  it('may follow another one on the same connection', async () => {
    const primary = await opened();
    primary.zones.publish({ name: NAME, serial: 5 }, manyRecordsets('first'));
    const ask = { name: NAME, type: 'AXFR', key: KEY } as const;
    const connection = await DnsConnection.open(primary.address);
    const questions = [1, 2, 3].map(() => encodeAsk(ask));
    for (const { octets } of questions) connection.send(octets);
    for (const question of questions) {
      expect((await connection.readTransfer(ask, question)).records).toHaveLength(BIG + 4);
    }
    connection.close();
  });

  it('is answered though the client has ended its side', async () => {
    const primary = await opened();
    primary.zones.publish({ name: NAME, serial: 5 }, manyRecordsets('first'));
    const ask = { name: NAME, type: 'AXFR', key: KEY } as const;
    const connection = await DnsConnection.open(primary.address);
    const question = encodeAsk(ask);
    connection.send(question.octets);
    connection.socket.end();
    expect((await connection.readTransfer(ask, question)).records).toHaveLength(BIG + 4);
    expect(await connection.receive()).toBeUndefined();
  });
});

describe('IXFR', () => {
  const CHANGES = [
    {
      fromSerial: 5,
      toSerial: 6,
      soa: [soaOf(5), soaOf(6)],
      removed: [['www.example.com.', 'A', 60, '192.0.2.1']],
      added: [['www.example.com.', 'A', 60, '192.0.2.2']],
    },
    {
      fromSerial: 6,
      toSerial: 7,
      soa: [soaOf(6), soaOf(7)],
      removed: [],
      added: [['new.example.com.', 'A', 60, '192.0.2.3']],
    },
  ] as const;

  async function withJournal() {
    const primary = await opened();
    primary.zones.publish({ name: NAME, serial: 7 }, [NS], CHANGES);
    return primary;
  }

  it('is the differences, removals before additions, each between its SOAs', async () => {
    const { records } = await transferred(await withJournal(), { type: 'IXFR', serial: 5 });
    expect(shown(records)).toEqual([
      soaLine(7),
      soaLine(5),
      'www.example.com. 60 A 192.0.2.1',
      soaLine(6),
      'www.example.com. 60 A 192.0.2.2',
      soaLine(6),
      soaLine(7),
      'new.example.com. 60 A 192.0.2.3',
      soaLine(7),
    ]);
  });

  it('begins at the serial that the client has', async () => {
    const { records } = await transferred(await withJournal(), { type: 'IXFR', serial: 6 });
    expect(shown(records).slice(0, 3)).toEqual([soaLine(7), soaLine(6), soaLine(7)]);
    expect(records).toHaveLength(5);
  });

  it('is the whole zone if the changes are not known', async () => {
    const { records } = await transferred(await withJournal(), { type: 'IXFR', serial: 3 });
    expect(shown(records)).toEqual([
      soaLine(7),
      `${NAME} 3600 NS ns1.test.`,
      `${NAME} 3600 NS ns2.test.`,
      soaLine(7),
    ]);
  });

  it('is the SOA alone for whoever has this serial, or a later one', async () => {
    const primary = await withJournal();
    const connection = await DnsConnection.open(primary.address);
    for (const serial of [7, 8]) {
      const { answers } = await connection.ask({ name: NAME, type: 'IXFR', serial, key: KEY });
      expect(shown(answers)).toEqual([soaLine(7)]);
    }
    connection.close();
    await until(() => expect(primary.completed.length).toBe(1));
  });

  it('by UDP is the SOA alone, so that the client comes by TCP', async () => {
    const { address } = await withJournal();
    const { answers } = await askByUdp(address, { name: NAME, type: 'IXFR', serial: 5, key: KEY });
    expect(shown(answers)).toEqual([soaLine(7)]);
  });

  it('without a serial is FORMERR', async () => {
    const { address } = await withJournal();
    const connection = await DnsConnection.open(address);
    const { header } = await connection.ask({ name: NAME, type: 'IXFR', key: KEY });
    expect(header.rcode).toBe(RCODE.FORMERR);
    connection.close();
  });
});
