import { describe, expect, it } from 'vitest';
import { TYPE } from '../../../src/dns/record-types.ts';
import { OPCODE, RCODE } from '../../../src/dns/wire/codes.ts';
import { NoticeLimits } from '../../../src/publisher/primary/notice-limits.ts';
import { type Ask, DnsConnection, decodeAnswer, encodeAsk, exchange } from '../../support/dns-client.ts';
import { primaryFor, type TestPrimary, wireKey } from '../../support/primary.ts';
import { keyWith } from '../../support/published-zones.ts';

const ZONE = 'example.com.';
const KEY = keyWith({ name: 'zone-key', scope: 'ZONE', resourceId: 'zone' });
const OTHER = keyWith({ name: 'other-key', scope: 'ZONE', resourceId: 'another zone' });
const WRONG = keyWith({ name: 'zone-key', scope: 'ZONE', resourceId: 'zone', secret: 'AAAA' });
const NOTICE: Ask = { name: ZONE, type: 'SOA', header: { opcode: OPCODE.NOTIFY, aa: true, id: 42 } };

async function opened(...masters: TestPrimary['masters']): Promise<TestPrimary> {
  const primary = await primaryFor({ keys: [KEY, OTHER] });
  primary.masters.push(...masters);
  return primary;
}

const MASTER = { zone: ZONE, address: '127.0.0.1' };

async function notify({ address }: TestPrimary, ask: Ask = NOTICE) {
  const { octets } = encodeAsk(ask);
  const answer = await exchange(address, octets, 30_000);
  return { octets, answer: answer!, message: decodeAnswer(answer!) };
}

describe('a NOTIFY from a master', () => {
  it('is answered with its id, opcode and question, and makes the zone due', async () => {
    const primary = await opened(MASTER);
    const { message } = await notify(primary);
    const rest = { qr: true, aa: true, rcode: RCODE.NOERROR };
    expect(message.header).toMatchObject({ id: 42, opcode: OPCODE.NOTIFY, ...rest });
    expect(message.questions).toEqual([{ name: ZONE, type: TYPE.SOA, class: 1 }]);
    expect(primary.notices.due).toBe(1);
  });

  it('is taken by TCP, in whatever case the name is written, and with the serial in it', async () => {
    const primary = await opened(MASTER);
    const connection = await DnsConnection.open(primary.address);
    const { header } = await connection.ask({ ...NOTICE, serial: 7 });
    expect([header.opcode, header.rcode, primary.notices.due]).toEqual([OPCODE.NOTIFY, RCODE.NOERROR, 1]);
    connection.close();
  });

  it('that signs is answered with a signature', async () => {
    const primary = await opened({ ...MASTER, keyName: 'zone-key' });
    const connection = await DnsConnection.open(primary.address);
    const answer = await connection.ask({ ...NOTICE, key: wireKey(KEY) });
    expect([answer.header.rcode, answer.tsig?.name]).toEqual([RCODE.NOERROR, 'zone-key.']);
    connection.close();
  });
});

describe('a NOTIFY of somebody else', () => {
  it.each<[string, TestPrimary['masters'][number] | undefined]>([
    ['for a zone that there is not', undefined],
    ['for a zone of another master', { zone: ZONE, address: '192.0.2.1' }],
    ['for another zone of the master', { zone: 'example.org.', address: '127.0.0.1' }],
    ['without the signature that the zone asks for', { ...MASTER, keyName: 'zone-key' }],
  ])('%s is refused alike, with an answer that is no larger', async (_, master) => {
    const primary = await opened(...(master === undefined ? [] : [master]));
    const { octets, answer, message } = await notify(primary);
    expect(message.header).toMatchObject({ opcode: OPCODE.NOTIFY, rcode: RCODE.REFUSED, aa: false });
    expect(answer.length).toBeLessThanOrEqual(octets.length);
    expect(primary.notices.due).toBe(0);
  });

  it.each([
    ['with the key of another zone', OTHER, RCODE.REFUSED],
    ['with a wrong secret', WRONG, RCODE.NOTAUTH],
  ])('%s is refused', async (_, key, rcode) => {
    const primary = await opened({ ...MASTER, keyName: 'zone-key' });
    const { message } = await notify(primary, { ...NOTICE, key: wireKey(key) });
    expect([message.header.rcode, primary.notices.due]).toEqual([rcode, 0]);
  });

  it.each([
    ['another type than SOA', { ...NOTICE, type: 'A' as const }],
    ['no question', { ...NOTICE, isEmpty: true }],
  ])('for %s is FORMERR without a look into the store', async (_, ask) => {
    const primary = await opened(MASTER);
    const { octets } = encodeAsk(ask);
    const bare = Buffer.from(octets.subarray(0, 12));
    bare.writeUInt16BE(0, 4);
    const answer = await exchange(primary.address, 'isEmpty' in ask ? bare : octets, 30_000);
    expect(decodeAnswer(answer!).header.rcode).toBe(RCODE.FORMERR);
    expect(primary.notices.looks).toBe(0);
  });

  it('that cannot be read is FORMERR', async () => {
    const primary = await opened(MASTER);
    const { octets } = encodeAsk(NOTICE);
    const answer = await exchange(primary.address, octets.subarray(0, -1), 30_000);
    expect(decodeAnswer(answer!).header.rcode).toBe(RCODE.FORMERR);
  });

  it('is SERVFAIL while the store is away', async () => {
    const primary = await opened(MASTER);
    primary.known.isAway = true;
    expect((await notify(primary)).message.header.rcode).toBe(RCODE.SERVFAIL);
    expect(primary.errors).toHaveLength(1);
  });

  it('costs few looks into the store, however many come', async () => {
    const primary = await opened();
    const connection = await DnsConnection.open(primary.address);
    for (let left = 1000; left > 0; left -= 1) connection.send(encodeAsk(NOTICE).octets);
    // The last question is answered once all before it were looked at.
    const last = await connectionAnswer(connection);
    expect(last).toBe(RCODE.REFUSED);
    expect(primary.notices.looks).toBeLessThan(500);
    connection.close();
  });
});

/** The RCODE of the answer to a question that is no NOTIFY. */
async function connectionAnswer(connection: DnsConnection): Promise<number> {
  connection.send(encodeAsk({ name: ZONE, type: 'SOA', header: { id: 7 } }).octets);
  for (;;) {
    const { header } = decodeAnswer((await connection.receive())!);
    if (header.opcode === OPCODE.QUERY) return header.rcode;
  }
}

describe('the limits', () => {
  const passes = (limits: NoticeLimits, address: string, count: number): number => {
    let passed = 0;
    for (let left = count; left > 0; left -= 1) if (limits.pass(address)) passed += 1;
    return passed;
  };

  it('let one stranger ask a few times, and again after a while', () => {
    let now = 0;
    const limits = new NoticeLimits(() => now);
    expect(passes(limits, '192.0.2.1', 100)).toBe(20);
    now += 1000;
    expect(passes(limits, '192.0.2.1', 100)).toBe(5);
    expect(passes(limits, '192.0.2.2', 100)).toBe(20);
  });

  it('let all strangers together ask no more than the store bears, and masters beside them', () => {
    const limits = new NoticeLimits(() => 0);
    limits.know('198.51.100.1');
    let passed = 0;
    for (let at = 0; at < 20_000; at += 1) passed += passes(limits, `2001:db8::${at.toString(16)}`, 1);
    expect(passed).toBe(200);
    expect(passes(limits, '198.51.100.1', 1000)).toBe(1000);
    expect(passes(limits, '198.51.100.1', 10_000)).toBe(1000);
  });
});
