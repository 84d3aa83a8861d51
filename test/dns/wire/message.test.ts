import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeHeader } from '../../../src/dns/encoding/header.ts';
import { FormError } from '../../../src/dns/encoding/reader.ts';
import { MessageFull } from '../../../src/dns/encoding/writer.ts';
import { parseRdata } from '../../../src/dns/parse-rdata.ts';
import { RdataError } from '../../../src/dns/rdata/rdata-error.ts';
import { RECORD_TYPES, TYPE, typeName, typeNumber } from '../../../src/dns/record-types.ts';
import { CLASS, OPCODE, RCODE } from '../../../src/dns/wire/codes.ts';
import {
  decodeMessage,
  decodeQuery,
  type Edns,
  encodeMessage,
  type Header,
  MessageBuilder,
  type MessageContents,
  type WireRecord,
} from '../../../src/dns/wire/message.ts';
import { messageCase } from '../../fuzz/wire-cases.ts';
import { countable, expectLinear } from '../../support/linear.ts';
import { Random } from '../../support/random.ts';
import { RDATA } from '../../support/rdata-generators.ts';
import { runs } from '../../support/runs.ts';

const HEADER: Header = {
  id: 0x1234,
  qr: false,
  opcode: OPCODE.QUERY,
  aa: false,
  tc: false,
  rd: false,
  ra: false,
  ad: false,
  cd: false,
  rcode: RCODE.NOERROR,
};
const EDNS: Edns = { udpSize: 1232, version: 0, doBit: false, extendedRcode: 0 };
const QUESTION = { name: 'example.com.', type: TYPE.IXFR, class: CLASS.IN };
const SOA: WireRecord = {
  name: 'example.com.',
  type: TYPE.SOA,
  class: CLASS.IN,
  ttl: 300,
  rdata: 'ns1.example.com. host.example.com. 7 3600 600 86400 300',
};
const EMPTY: MessageContents = {
  header: HEADER,
  questions: [QUESTION],
  answers: [],
  authority: [],
  additional: [],
};

const address = (index: number): WireRecord => ({
  name: `r${index}.example.com.`,
  type: TYPE.A,
  class: CLASS.IN,
  ttl: 300,
  rdata: '192.0.2.1',
});
const addresses = (count: number): WireRecord[] =>
  Array.from({ length: count }, (_, index) => address(index));

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('a message', () => {
  const record: fc.Arbitrary<WireRecord> = fc.constantFrom(...RECORD_TYPES).chain((type) =>
    fc.record({
      name: fc.constantFrom('.', 'example.com.', '*.example.com.', 'a\\.b.example.com.', 'b.net.'),
      type: fc.constant(typeNumber(type)),
      class: fc.constant(CLASS.IN),
      ttl: fc.nat(2_147_483_647),
      rdata: RDATA[type]
        .map((text) => parseRdata(type, text))
        .filter((result) => result.ok)
        .map(({ rdata }) => rdata),
    }),
  );
  const records = fc.array(record, { maxLength: 4 });
  const header: fc.Arbitrary<Header> = fc.record({
    id: fc.nat(65_535),
    qr: fc.boolean(),
    opcode: fc.nat(15),
    aa: fc.boolean(),
    tc: fc.boolean(),
    rd: fc.boolean(),
    ra: fc.boolean(),
    ad: fc.boolean(),
    cd: fc.boolean(),
    rcode: fc.nat(15),
  });
  const edns: fc.Arbitrary<Edns> = fc.record({
    udpSize: fc.nat(65_535),
    version: fc.nat(255),
    doBit: fc.boolean(),
    extendedRcode: fc.nat(255),
  });

  it('comes back as it went out', () => {
    const questions = fc.constantFrom([], [QUESTION]);
    fc.assert(
      fc.property(
        header,
        questions,
        records,
        records,
        records,
        edns,
        fc.boolean(),
        fc.boolean(),
        (head, asked, answers, authority, additional, opt, hasOpt, compress) => {
          const contents = { header: head, questions: asked, answers, authority, additional };
          const message = encodeMessage(hasOpt ? { ...contents, edns: opt } : contents, { compress });
          expect(decodeMessage(message, { maxRecords: 12 + 1 })).toEqual({
            ...contents,
            edns: hasOpt ? opt : undefined,
            tsig: undefined,
          });
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('is what RFC 1035 says, octet by octet', () => {
    const message = encodeMessage({
      header: { ...HEADER, qr: true, aa: true, rd: true, rcode: RCODE.NXDOMAIN },
      questions: [{ name: 'a.com.', type: TYPE.SOA, class: CLASS.IN }],
      answers: [{ name: 'a.com.', type: TYPE.NS, class: CLASS.IN, ttl: 1, rdata: 'b.a.com.' }],
      authority: [],
      additional: [{ name: 'b.a.com.', type: TYPE.A, class: CLASS.IN, ttl: 2, rdata: '192.0.2.1' }],
      edns: { ...EDNS, doBit: true },
    });
    expect(message.toString('hex')).toBe(
      hex(
        '1234 8503 0001 0001 0000 0002 0161 03636f6d 00 0006 0001' +
          'c00c 0002 0001 00000001 0004 0162 c00c' +
          'c023 0001 0001 00000002 0004 c0000201' +
          '00 0029 04d0 00 00 8000 0000',
      ).toString('hex'),
    );
  });

  it('has an RCODE above 15 in its header and its OPT', () => {
    const message = encodeMessage({ ...EMPTY, header: { ...HEADER, rcode: RCODE.BADVERS }, edns: EDNS });
    expect(decodeMessage(message, { maxRecords: 1 })).toMatchObject({
      header: { rcode: 0 },
      edns: { extendedRcode: 1 },
    });
  });

  it('that does not fit has TC, its question and its OPT, and no records', () => {
    const message = encodeMessage({ ...EMPTY, answers: [SOA, ...addresses(50)], edns: EDNS }, { limit: 512 });
    expect(decodeMessage(message, { maxRecords: 10 })).toEqual({
      ...EMPTY,
      header: { ...HEADER, tc: true },
      edns: EDNS,
      tsig: undefined,
    });
  });

  it('leaves out additional records that do not fit, without TC', () => {
    const message = encodeMessage(
      { ...EMPTY, answers: [SOA], additional: addresses(50), edns: EDNS },
      { limit: 512 },
    );
    const decoded = decodeMessage(message, { maxRecords: 100 });
    expect(decoded).toMatchObject({ header: { tc: false }, answers: [SOA], edns: EDNS });
    expect(decoded.additional.length).toBeGreaterThan(10);
    expect(message.length).toBeLessThanOrEqual(512);
  });

  it('fits into exactly as many octets as it has', () => {
    const contents = { ...EMPTY, answers: [SOA], edns: EDNS };
    const { length } = encodeMessage(contents);
    expect(decodeHeader(encodeMessage(contents, { limit: length }))?.tc).toBe(false);
    expect(decodeHeader(encodeMessage(contents, { limit: length - 1 }))?.tc).toBe(true);
  });

  it('whose question does not fit is none', () => {
    expect(() => encodeMessage(EMPTY, { limit: 28 })).toThrow(MessageFull);
  });
});

describe('a builder', () => {
  it('packs records into messages of the size that it was told, and loses none', () => {
    const [first, ...others] = [SOA, ...addresses(5000), SOA];
    const builder = new MessageBuilder({ limit: 4000 });
    const messages: Buffer[] = [];
    builder.start(HEADER, QUESTION, EDNS);
    expect(builder.tryAdd(first!)).toBe(true);
    for (const record of others) {
      if (builder.tryAdd(record)) continue;
      messages.push(builder.finish());
      builder.start(HEADER);
      expect(builder.tryAdd(record)).toBe(true);
    }
    messages.push(builder.finish());
    const decoded = messages.map((message) => decodeMessage(message, { maxRecords: 1000 }));
    expect(decoded.flatMap(({ answers }) => answers)).toEqual([first, ...others]);
    expect(decoded.map(({ questions }) => questions.length)).toEqual(
      decoded.map((_, index) => (index === 0 ? 1 : 0)),
    );
    expect(decoded[0]!.edns).toEqual(EDNS);
    expect(Math.max(...messages.map(({ length }) => length))).toBeLessThanOrEqual(4000);
    expect(Math.min(...messages.slice(0, -1).map(({ length }) => length))).toBeGreaterThan(3900);
  });

  it('is as before where a record did not fit, or could not be encoded', () => {
    const builder = new MessageBuilder({ limit: 100 });
    builder.start(HEADER, QUESTION);
    expect(builder.tryAdd(address(1))).toBe(true);
    const before = builder.finish();
    expect(builder.tryAdd({ ...SOA, name: 'other.example.net.' })).toBe(false);
    expect(() => builder.tryAdd({ ...address(2), rdata: 'no address' })).toThrow(RdataError);
    expect(builder.finish()).toEqual(before);
    expect(builder.records).toBe(1);
    expect(builder.tryAdd({ ...address(3), name: 'example.net.' })).toBe(true);
    expect(decodeMessage(builder.finish(), { maxRecords: 2 }).answers).toEqual([
      address(1),
      { ...address(3), name: 'example.net.' },
    ]);
  });

  it('takes one record of the longest rdata, and no second one', () => {
    const strings = Array.from({ length: 250 }, () => `"${'x'.repeat(255)}"`).join(' ');
    const text = { ...SOA, type: TYPE.TXT, rdata: strings };
    const builder = new MessageBuilder();
    builder.start(HEADER, QUESTION);
    expect([builder.tryAdd(text), builder.tryAdd(text)]).toEqual([true, false]);
    expect(decodeMessage(builder.finish(), { maxRecords: 1 }).answers).toEqual([text]);
  });
});

describe('a query', () => {
  it('may have a record for IXFR, and OPT', () => {
    const query = encodeMessage({ ...EMPTY, authority: [SOA], edns: EDNS });
    expect(decodeQuery(query)).toEqual({ ...EMPTY, authority: [SOA], edns: EDNS, tsig: undefined });
  });

  const head = '1234 0000 0001 0000 0000';
  const question = '0161 00 0006 0001';
  const opt = '00 0029 04d0 00000000 0000';
  const tsig = '00 00fa 00ff 00000000 0011 00 000000000000 012c 0000 1234 0000 0000';
  const a = '00 0001 0001 00000000 0004 c0000201';

  it('may have a TSIG as its last record, and any options', () => {
    const options = '00 0029 04d0 00000000 000d 000a 0004 01020304 000c 0001 00';
    expect(decodeQuery(hex(`${head} 0002 ${question} ${options} ${tsig}`))).toMatchObject({
      edns: EDNS,
      tsig: { name: '.', algorithm: '', time: 0, fudge: 300, originalId: 0x1234, error: 0 },
      additional: [],
    });
  });

  it.each([
    ['two questions', `1234 0000 0002 0000 0000 0000 ${question} ${question}`],
    ['a million questions, nearly', '1234 0000 ffff ffff ffff ffff'],
    ['a record less than it counts', `1234 0000 0001 0000 0000 0001 ${question}`],
    ['a record more than it counts', `1234 0000 0001 0000 0000 0000 ${question} ${a}`],
    ['an octet more', `${head} 0000 ${question} 00`],
    ['an octet less', `${head} 0000 0161 00 0006 00`],
    ['two OPT records', `${head} 0002 ${question} ${opt} ${opt}`],
    ['an OPT with a name', `${head} 0001 ${question} 0161 ${opt}`],
    ['an OPT whose options do not fill it', `${head} 0001 ${question} 00 0029 04d0 00000000 0003 000a00`],
    ['an OPT among its answers', `1234 0000 0001 0001 0000 0000 ${question} ${opt}`],
    ['a TSIG before another record', `${head} 0002 ${question} ${tsig} ${a}`],
    ['a TSIG in its authority section', `1234 0000 0001 0000 0001 0000 ${question} ${tsig}`],
    ['two TSIG records', `${head} 0002 ${question} ${tsig} ${tsig}`],
    ['a TSIG that is too long', `${head} 0001 ${question} ${tsig.replace('0011', '0012')} 00`],
    ['an address of five octets', `${head} 0001 ${question} 00 0001 0001 00000000 0005 c000020100`],
    ['rdata that reaches beyond it', `${head} 0001 ${question} 00 0001 0001 00000000 0005 c0000201`],
    ['33 records', `${head} 0021 ${question} ${a.repeat(33)}`],
  ])('must not have %s, and who sent it can be answered', (_, text) => {
    const query = (): unknown => decodeQuery(hex(text));
    expect(query).toThrow(FormError);
    expect(query).toThrow(expect.objectContaining({ header: HEADER }));
  });

  it('that is shorter than a header has nobody to answer', () => {
    const query = (): unknown => decodeQuery(hex('1234 0000 0001 0000 0000 00'));
    expect(query).toThrow(FormError);
    expect(query).toThrow(expect.objectContaining({ header: undefined }));
  });

  it('of another opcode still has a header', () => {
    expect(decodeHeader(hex('1234 2800 ffff 0000 0000 0000'))).toMatchObject({
      id: 0x1234,
      opcode: OPCODE.UPDATE,
    });
  });
});

describe('an answer', () => {
  it('has no more records than are expected', () => {
    const message = encodeMessage({ ...EMPTY, answers: addresses(10) });
    expect(decodeMessage(message, { maxRecords: 10 }).answers).toHaveLength(10);
    expect(() => decodeMessage(message, { maxRecords: 9 })).toThrow(FormError);
  });

  it('has types that are not known here in the general form, and a TTL of 0 for a negative one', () => {
    const message = hex('1234 8000 0000 0001 0000 0000 00 ff01 0001 ffffffff 0002 abcd');
    expect(decodeMessage(message, { maxRecords: 1 }).answers).toEqual([
      { name: '.', type: 0xff01, class: 1, ttl: 0, rdata: '\\# 2 abcd' },
    ]);
    expect(typeName(0xff01)).toBe('TYPE65281');
  });
});

describe('a long answer', () => {
  let counted: typeof import('../../../src/dns/wire/message.ts');
  beforeAll(() =>
    countable(async () => {
      counted = await import('../../../src/dns/wire/message.ts');
    }),
  );

  it('costs no more than its length, whatever is in it', () => {
    const tiny = hex('00 0002 0001 00000000 0001 00');
    // Each owner and each target point to a name of 255 octets.
    const pointing = hex('c00c 0002 0001 00000000 0002 c00c');
    const long = Buffer.from(`${'3f'.concat('61'.repeat(63)).repeat(3)}3d${'61'.repeat(61)}00`, 'hex');
    const full = (first: Buffer, record: Buffer, size: number): Buffer => {
      const count = Math.floor((size - 12 - first.length - 4) / record.length);
      const header = hex('1234 8000 0001 0000 0000 0000');
      header.writeUInt16BE(count, 6);
      return Buffer.concat([header, first, hex('0001 0001'), ...new Array<Buffer>(count).fill(record)]);
    };
    const read = (message: Buffer): unknown => counted.decodeMessage(message, { maxRecords: 65_535 });
    expectLinear((size) => read(full(hex('00'), tiny, size)), 16_384);
    expectLinear((size) => read(full(long, pointing, size)), 16_384);
  });
});

it('messages at random, or with faults, are read or are a FormError', () => {
  const random = new Random(1);
  let read = 0;
  for (let round = 0; round < runs(3000, 800); round += 1) {
    const message = messageCase(random);
    for (const decode of [decodeQuery, (octets: Buffer) => decodeMessage(octets, { maxRecords: 200 })]) {
      try {
        decode(message);
        read += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(FormError);
      }
    }
  }
  // Faults that are small enough leave some of them messages.
  expect(read).toBeGreaterThan(100);
});
