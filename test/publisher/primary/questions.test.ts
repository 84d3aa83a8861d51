import { describe, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import { DEFAULT_POOL_ID } from '../../../src/model/pools/pool.ts';
import { askByUdp, DnsConnection, decodeAnswer, encodeAsk, exchange } from '../../support/dns-client.ts';
import { primaryFor, wireKey } from '../../support/primary.ts';
import { keyWith, poolWith, soaOf } from '../../support/published-zones.ts';

const NS = ['example.com.', 'NS', ['ns1.test.']] as const;
const POOL_KEY = keyWith({ name: 'pool-key', scope: 'POOL', resourceId: DEFAULT_POOL_ID });
const OTHER_KEY = keyWith({ name: 'other-key', scope: 'POOL', resourceId: 'another pool' });
const HOME = { allowNetworks: ['127.0.0.0/8'] };

/** A name on the wire, and the same in other letters. */
const wireOf = (name: string, other: string): [string, string] => {
  const wire = (text: string) =>
    text.replace(/([^.]+)\./g, (_, label) => `${String.fromCharCode(label.length)}${label}`);
  return [wire(name), wire(other)];
};

async function opened(settings = {}, keys = [POOL_KEY, OTHER_KEY]) {
  const primary = await primaryFor({ pools: [poolWith({})], keys }, settings);
  primary.zones.publish({ name: 'example.com.', serial: 7 }, [NS]);
  return primary;
}

describe('a question for the SOA', () => {
  it('is answered by UDP, with authority, and with the TTL of the zone', async () => {
    const { address } = await opened(HOME);
    const { header, questions, answers } = await askByUdp(address, { name: 'example.com.', type: 'SOA' });
    expect(header).toMatchObject({ qr: true, aa: true, tc: false, ra: false, rcode: 0 });
    expect(questions).toEqual([{ name: 'example.com.', type: 6, class: 1 }]);
    expect(answers).toEqual([{ name: 'example.com.', type: 6, class: 1, ttl: 3600, rdata: soaOf(7) }]);
  });

  it('is answered by TCP, and several on one connection in their order', async () => {
    const { address, zones } = await opened(HOME);
    zones.publish({ name: 'example.net.', serial: 8 }, []);
    const connection = await DnsConnection.open(address);
    const names = ['example.com.', 'example.net.', 'example.org.', 'example.com.'];
    for (const name of names) connection.send(encodeAsk({ name, type: 'SOA' }).octets);
    const answers = [];
    for (const _ of names) answers.push(decodeAnswer((await connection.receive())!));
    expect(answers.map(({ header }) => header.rcode)).toEqual([0, 0, RCODE.REFUSED, 0]);
    expect(answers.map(({ questions }) => questions[0]!.name)).toEqual(names);
    connection.close();
  });

  it.each(['SOA', 'AXFR', 'IXFR', 'A', 'TXT'] as const)(
    'for %s comes back in the letter case of the question, and the zone in lower case',
    async (type) => {
      const { address } = await opened(HOME);
      for (const name of ['example.com.', 'missing.test.']) {
        const mixed = name.replace('m', 'M').replace(/.\.$/, (end) => end.toUpperCase());
        const { octets } = encodeAsk({ name, type, serial: 1 });
        const question = Buffer.from(octets.toString('latin1').replace(...wireOf(name, mixed)), 'latin1');
        const connection = await DnsConnection.open(address);
        connection.send(question);
        const answer = (await connection.receive())!;
        connection.close();
        const end = 12 + name.length + 5;
        expect(answer.subarray(12, end)).toEqual(question.subarray(12, end));
        expect(answer.subarray(end).toString('latin1')).not.toMatch(/[A-Z]{2}|coM/);
        for (const record of decodeAnswer(answer).answers) expect(record.name).toBe(name);
      }
    },
  );

  it('is answered over IPv6, and a port of 0 is the same for UDP and TCP', async () => {
    const listen = [
      { host: '::1', port: 0 },
      { host: '127.0.0.1', port: 0 },
    ];
    const { addresses } = await opened({ listen, allowNetworks: ['::1', '127.0.0.1'] });
    for (const address of addresses) {
      const ask = { name: 'example.com.', type: 'SOA' } as const;
      expect((await askByUdp(address, ask)).answers).toHaveLength(1);
      const connection = await DnsConnection.open(address);
      expect((await connection.ask(ask)).answers).toHaveLength(1);
      connection.close();
    }
  });

  it('is answered with EDNS if it has EDNS, whatever options it has', async () => {
    const { address } = await opened(HOME);
    const { edns } = await askByUdp(address, { name: 'example.com.', type: 'SOA', udpSize: 4096 });
    expect(edns).toEqual({ udpSize: 1232, version: 0, doBit: false, extendedRcode: 0 });
    const { octets } = encodeAsk({ name: 'example.com.', type: 'SOA', udpSize: 4096 });
    const expire = Buffer.concat([octets.subarray(0, -2), Buffer.from([0, 4, 0, 9, 0, 0])]);
    const answer = decodeAnswer((await exchange(address, expire, 30_000))!);
    expect(answer.answers).toHaveLength(1);
  });

  it('is answered BADVERS if its version of EDNS is not 0', async () => {
    const { address } = await opened(HOME);
    const ask = { name: 'example.com.', type: 'SOA', udpSize: 1232, ednsVersion: 1 } as const;
    const { header, edns, answers } = await askByUdp(address, ask);
    expect([header.rcode, edns!.extendedRcode, answers]).toEqual([0, 1, []]);
  });

  it('that does not fit is cut, so that the client comes by TCP', async () => {
    const { address, zones } = await opened(HOME);
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.`;
    const soa = `${long} ${long.replace('a', 'e').replace('b.', 'f.')} 1 1 1 1 1`;
    zones.publish({ name: long, serial: 1, soa: soa.replace('d.', 'g.') }, []);
    const { header, answers } = await askByUdp(address, { name: long, type: 'SOA' });
    expect([header.tc, answers]).toEqual([true, []]);
  });
});

describe('other questions', () => {
  it('are refused alike, whether the zone exists, belongs to others, or not', async () => {
    const { address, zones } = await opened({});
    zones.publish({ name: 'other.test.', serial: 1, poolId: 'another pool' }, []);
    const key = wireKey(POOL_KEY);
    for (const name of ['missing.test.', 'other.test.']) {
      for (const type of ['SOA', 'AXFR', 'IXFR', 'A'] as const) {
        const connection = await DnsConnection.open(address);
        const { header, answers, authority } = await connection.ask({ name, type, key, serial: 1 });
        expect([header.rcode, answers, authority]).toEqual([RCODE.REFUSED, [], []]);
        connection.close();
      }
    }
  });

  it('by UDP that have a form by TCP alone, or name no serial, are FORMERR, as in BIND', async () => {
    const { address } = await opened(HOME);
    for (const type of ['AXFR', 'IXFR'] as const) {
      const { header, answers } = await askByUdp(address, { name: 'example.com.', type });
      expect([header.rcode, answers]).toEqual([RCODE.FORMERR, []]);
    }
  });

  it('for other types are refused', async () => {
    const { address } = await opened(HOME);
    for (const type of ['A', 'ANY', 'TXT'] as const) {
      const { header } = await askByUdp(address, { name: 'example.com.', type });
      expect(header.rcode).toBe(RCODE.REFUSED);
    }
  });

  it('of another opcode are not implemented', async () => {
    const { address } = await opened(HOME);
    for (const opcode of [1, 2, 6, 15]) {
      const { octets } = encodeAsk({ name: 'example.com.', type: 'SOA', header: { opcode, id: 77 } });
      const answer = (await exchange(address, octets, 30_000))!;
      expect(decodeAnswer(answer).header).toMatchObject({ id: 77, qr: true, opcode, rcode: RCODE.NOTIMP });
    }
  });

  it('that cannot be read are FORMERR, with their id', async () => {
    const { address } = await opened(HOME);
    const { octets } = encodeAsk({ name: 'example.com.', type: 'SOA', header: { id: 99 } });
    for (const broken of [octets.subarray(0, -1), Buffer.concat([octets, Buffer.from([1])])]) {
      const answer = (await exchange(address, broken, 30_000))!;
      expect(answer).toHaveLength(12);
      expect(decodeAnswer(answer).header).toMatchObject({ id: 99, qr: true, rcode: RCODE.FORMERR });
    }
  });

  it('that are answers, or shorter than a header, are not answered', async () => {
    const { address } = await opened(HOME);
    const { octets } = encodeAsk({ name: 'example.com.', type: 'SOA', header: { qr: true } });
    const connection = await DnsConnection.open(address);
    for (const silent of [octets, octets.subarray(0, 11)]) connection.send(silent);
    expect((await connection.ask({ name: 'example.com.', type: 'SOA', header: { id: 5 } })).header.id).toBe(
      5,
    );
    connection.close();
  });

  it('are answered SERVFAIL while the store is away, and again once it is back', async () => {
    const { address, known, errors } = await opened({});
    known.isAway = true;
    const ask = { name: 'example.com.', type: 'SOA', key: wireKey(POOL_KEY) } as const;
    const unsigned = (await exchange(address, encodeAsk(ask).octets, 30_000))!;
    expect(decodeAnswer(unsigned).header.rcode).toBe(RCODE.SERVFAIL);
    expect(errors).toHaveLength(1);
    known.isAway = false;
    expect((await askByUdp(address, ask)).header.rcode).toBe(0);
  });
});
