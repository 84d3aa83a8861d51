import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeName } from '../../../src/dns/encoding/names.ts';
import { FormError, WireReader } from '../../../src/dns/encoding/reader.ts';
import { MessageFull, WireWriter } from '../../../src/dns/encoding/writer.ts';
import { parseRdata, encodeRdata as uncompressed } from '../../../src/dns/parse-rdata.ts';
import { RECORD_TYPES, type RecordType, typeNumber } from '../../../src/dns/record-types.ts';
import { decodeRdata, encodeRdata } from '../../../src/dns/wire/rdata.ts';
import { countable, expectLinear } from '../../support/linear.ts';
import { mutated, RDATA } from '../../support/rdata-generators.ts';
import { runs } from '../../support/runs.ts';

const RUNS = runs(100, 20);

/** Canonical texts of one type. */
const canonical = (type: RecordType): fc.Arbitrary<string> =>
  fc
    .oneof({ weight: 4, arbitrary: RDATA[type] }, { weight: 1, arbitrary: mutated(RDATA[type]) })
    .map((text) => parseRdata(type, text))
    .filter((result) => result.ok)
    .map((result) => result.rdata);

function encoded(type: RecordType | number, text: string, compress = false): Buffer {
  const writer = new WireWriter();
  encodeRdata(writer, type, text, { compress });
  return writer.toBuffer();
}

function decoded(type: RecordType | number, octets: Buffer): string {
  const number = typeof type === 'number' ? type : typeNumber(type);
  return decodeRdata(new WireReader(octets), number, octets.length);
}

/** Undefined where it is refused as it should be. */
function decodedOrNot(type: RecordType, octets: Buffer): string | undefined {
  try {
    return decoded(type, octets);
  } catch (error) {
    expect(error).toBeInstanceOf(FormError);
    return undefined;
  }
}

describe.each(RECORD_TYPES)('%s', (type) => {
  it('comes back from the wire as the text that went out', () => {
    fc.assert(
      fc.property(canonical(type), (text) => {
        const wire = encoded(type, text);
        expect(wire).toEqual(Buffer.from(uncompressed(type, text)));
        expect(parseRdata(type, text)).toMatchObject({ wireLength: wire.length });
        expect(decoded(type, wire)).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });

  it('comes back after names that it may point to, and is no longer then', () => {
    fc.assert(
      fc.property(canonical(type), canonical(type), canonical('SOA'), (text, other, soa) => {
        const writer = new WireWriter();
        encodeRdata(writer, 'SOA', soa, { compress: true });
        const starts = [text, other, text].map((rdata) => {
          const start = writer.length;
          encodeRdata(writer, type, rdata, { compress: true });
          return start;
        });
        const reader = new WireReader(writer.toBuffer());
        decodeRdata(reader, typeNumber('SOA'), starts[0]!);
        expect(decodeRdata(reader, typeNumber(type), starts[1]! - starts[0]!)).toBe(text);
        expect(decodeRdata(reader, typeNumber(type), starts[2]! - starts[1]!)).toBe(other);
        const last = writer.length - starts[2]!;
        expect(decodeRdata(reader, typeNumber(type), last)).toBe(text);
        expect(last).toBeLessThanOrEqual(uncompressed(type, text).length);
      }),
      { numRuns: RUNS },
    );
  });

  it('has no form for cut or changed octets but its own, the general one, or a FormError', () => {
    fc.assert(
      fc.property(canonical(type), fc.nat(), fc.nat(255), fc.boolean(), (text, position, octet, cut) => {
        const wire = encoded(type, text);
        const at = position % (wire.length + 1);
        const rest = cut ? [] : [octet, ...wire.subarray(at + 1)];
        const changed = Buffer.from([...wire.subarray(0, at), ...rest]);
        const result = decodedOrNot(type, changed);
        if (result?.startsWith('\\# ')) expect(encoded(type, result)).toEqual(changed);
        // Letter case is not kept; what has the type's own form is that very rdata.
        else if (result !== undefined) {
          expect(parseRdata(type, result)).toMatchObject({ ok: true, rdata: result });
          expect(decoded(type, encoded(type, result))).toBe(result);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('is general where it is empty', () => {
    expect(decoded(type, Buffer.alloc(0))).toBe('\\# 0');
    expect(encoded(type, '\\# 0')).toHaveLength(0);
  });
});

describe('names in rdata', () => {
  const nameAt12 = (): WireWriter => {
    const writer = new WireWriter();
    writer.bytes(new Uint8Array(12));
    encodeName(writer, 'ns.example.com.', true);
    return writer;
  };
  const lengthOf = (type: RecordType, text: string): number => {
    const writer = nameAt12();
    const start = writer.length;
    encodeRdata(writer, type, text, { compress: true });
    return writer.length - start;
  };

  it.each([
    ['NS', 'ns.example.com.', 2],
    ['CNAME', 'a.example.com.', 4],
    ['PTR', 'com.', 2],
    ['MX', '10 ns.example.com.', 4],
    ['SOA', 'ns.example.com. host.ns.example.com. 1 2 3 4 5', 29],
  ] as const)('are compressed in %s %s', (type, text, length) => {
    expect(lengthOf(type, text)).toBe(length);
  });

  it.each([
    ['DNAME', 'ns.example.com.'],
    ['SRV', '1 2 3 ns.example.com.'],
    ['NAPTR', '1 2 "" "" "" ns.example.com.'],
    ['SVCB', '1 ns.example.com.'],
    ['HTTPS', '0 ns.example.com.'],
  ] as const)('are written in full in %s', (type, text) => {
    expect(lengthOf(type, text)).toBe(uncompressed(type, text).length);
  });

  const pointed = (type: RecordType, before: readonly number[]): string => {
    const writer = nameAt12();
    const start = writer.length;
    writer.bytes(before);
    writer.u16(0xc000 | 12);
    const reader = new WireReader(writer.toBuffer(), start);
    return decodeRdata(reader, typeNumber(type), writer.length - start);
  };

  it.each([
    ['SRV', [0, 1, 0, 2, 0, 3], '1 2 3 ns.example.com.'],
    ['NAPTR', [0, 1, 0, 2, 0, 0, 0], '1 2 "" "" "" ns.example.com.'],
  ] as const)('may be compressed in a %s that others sent', (type, before, text) => {
    expect(pointed(type, before)).toBe(text);
  });

  it.each([
    ['DNAME', []],
    ['SVCB', [0, 1]],
  ] as const)('must not be compressed in a %s that others sent', (type, before) => {
    expect(() => pointed(type, before)).toThrow(FormError);
  });
});

describe('the general form', () => {
  it.each([
    ['an unknown type', 4711, Buffer.from('0102ff', 'hex'), '\\# 3 0102ff'],
    [
      'a LOC of another version',
      29,
      Buffer.from(`01${'00'.repeat(15)}`, 'hex'),
      `\\# 16 01${'00'.repeat(15)}`,
    ],
    ['a CAA whose tag has other characters', 257, Buffer.from('0001207a', 'hex'), '\\# 4 0001207a'],
    [
      'an SVCB with an empty list of addresses',
      64,
      Buffer.from('00010000040000', 'hex'),
      '\\# 7 00010000040000',
    ],
    [
      'an SVCB with a key twice',
      64,
      Buffer.from('0001000002000000020000', 'hex'),
      '\\# 11 0001000002000000020000',
    ],
    ['a DNSKEY of another protocol', 48, Buffer.from('0100ff08010203', 'hex'), '\\# 7 0100ff08010203'],
    ['a TLSA whose digest is too short', 52, Buffer.from('030101aa', 'hex'), '\\# 4 030101aa'],
    ['a DS whose digest is too short', 43, Buffer.from('0001080300', 'hex'), '\\# 5 0001080300'],
    ['an SSHFP without a fingerprint', 44, Buffer.from('0000', 'hex'), '\\# 2 0000'],
    ['a URI that is none', 256, Buffer.from('000a000161', 'hex'), '\\# 5 000a000161'],
    [
      'a NAPTR whose regexp is none',
      35,
      Buffer.from('0001000101760178016100', 'hex'),
      '\\# 11 0001000101760178016100',
    ],
    [
      'an SVCB that lacks what its parameters need',
      64,
      Buffer.from('00010000020000', 'hex'),
      '\\# 7 00010000020000',
    ],
  ])('stands for %s', (_, type, wire, text) => {
    expect(decoded(type, wire)).toBe(text);
    expect(encoded(type, text)).toEqual(wire);
  });

  it.each([
    ['an odd digit', '\\# 1 0'],
    ['another length', '\\# 2 00'],
    ['a form of its own', '192.0.2.1'],
  ])('of an unknown type is refused with %s', (_, text) => {
    expect(() => encoded(4711, text)).toThrow(/RFC 3597/);
  });
});

it('rdata that passes the limit of its message is refused', () => {
  expect(() => encodeRdata(new WireWriter(3), 'A', '192.0.2.1', { compress: false })).toThrow(MessageFull);
});

describe('long rdata', () => {
  let counted: {
    decodeRdata: typeof decodeRdata;
    FormError: typeof FormError;
    WireReader: typeof WireReader;
  };
  beforeAll(() =>
    countable(async () => {
      const reader = await import('../../../src/dns/encoding/reader.ts');
      counted = { ...reader, ...(await import('../../../src/dns/wire/rdata.ts')) };
    }),
  );

  it.each(RECORD_TYPES)('of %s is read with work that grows with its length, and no faster', (type) => {
    for (const octet of [0, 1, 0x22, 0x5c, 63, 0xc0, 255]) {
      expectLinear((size) => {
        const wire = Buffer.alloc(size, octet).fill(0, 0, 8);
        try {
          counted.decodeRdata(new counted.WireReader(wire), typeNumber(type), size);
        } catch (error) {
          expect(error).toBeInstanceOf(counted.FormError);
        }
      }, 16_384);
    }
  });
});
