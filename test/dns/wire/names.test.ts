import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeName, encodeName, skipName } from '../../../src/dns/encoding/names.ts';
import { FormError, WireReader } from '../../../src/dns/encoding/reader.ts';
import { MessageFull, WireWriter } from '../../../src/dns/encoding/writer.ts';
import { readDomainName } from '../../../src/dns/rdata/domain-name.ts';
import { RdataError } from '../../../src/dns/rdata/rdata-error.ts';
import { countable, expectLinear } from '../../support/linear.ts';
import { domainName } from '../../support/rdata-generators.ts';
import { runs } from '../../support/runs.ts';

const RUNS = runs(300, 100);

const canonical = domainName.map((text) => readDomainName(text, null).text);
const below = (start: string, end: string): string => {
  if (start === '.') return end;
  return end === '.' ? start : start + end;
};

/** Names that share their ends. */
const related = fc
  .tuple(
    fc.array(canonical, { minLength: 1, maxLength: 3 }),
    fc.array(fc.tuple(fc.nat(), canonical), { maxLength: 20 }),
  )
  .map(([ends, starts]) => starts.map(([which, start]) => below(start, ends[which % ends.length]!)))
  .map((names) => names.filter(isName));

function isName(text: string): boolean {
  try {
    return readDomainName(text, null).text === text;
  } catch (error) {
    if (error instanceof RdataError) return false;
    throw error;
  }
}

function written(names: readonly string[], compress: boolean, before = 0): Buffer {
  const writer = new WireWriter();
  writer.bytes(new Uint8Array(before));
  for (const name of names) encodeName(writer, name, compress);
  return writer.toBuffer();
}

const octets = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part, 'latin1'))),
  );

describe('names', () => {
  it('come back from the wire as they went out, compressed or not', () => {
    fc.assert(
      fc.property(related, fc.boolean(), fc.constantFrom(0, 12, 16_300), (names, compress, before) => {
        const reader = new WireReader(written(names, compress, before), before);
        expect(names.map(() => decodeName(reader))).toEqual(names);
        expect(reader.remaining).toBe(0);
      }),
      { numRuns: RUNS },
    );
  });

  it('are as long as RFC 1035 has them where they are not compressed, and are skipped like that', () => {
    fc.assert(
      fc.property(related, fc.boolean(), (names, compress) => {
        expect(written(names, false)).toEqual(
          Buffer.from(names.flatMap((name) => [...readDomainName(name, null).wire])),
        );
        const reader = new WireReader(written(names, compress));
        for (const _ of names) skipName(reader);
        expect(reader.remaining).toBe(0);
      }),
      { numRuns: RUNS },
    );
  });

  it('point to the longest end that stands before them', () => {
    const message = written(
      ['a.example.com.', 'b.example.com.', 'example.com.', 'a.example.com.', 'net.'],
      true,
    );
    expect(message).toEqual(
      octets(1, 'a', 7, 'example', 3, 'com', 0, 1, 'b', 0xc0, 2, 0xc0, 2, 0xc0, 0, 3, 'net', 0),
    );
  });

  it('point to escaped ends too', () => {
    const message = written(['a\\.b.\\000x.', 'c.\\000x.'], true);
    expect(message).toEqual(octets(3, 'a.b', 2, '\0x', 0, 1, 'c', 0xc0, 4));
  });

  it('are pointed to only where 14 bits reach', () => {
    expect(written(['a.', 'a.'], true, 0x3fff)).toHaveLength(0x3fff + 3 + 2);
    expect(written(['a.', 'a.'], true, 0x4000)).toHaveLength(0x4000 + 3 + 3);
  });

  it('that were rolled back are not pointed to', () => {
    const writer = new WireWriter();
    encodeName(writer, 'com.', true);
    const mark = writer.mark();
    encodeName(writer, 'a.example.com.', true);
    writer.rollback(mark);
    encodeName(writer, 'b.example.com.', true);
    const reader = new WireReader(writer.toBuffer());
    expect([decodeName(reader), decodeName(reader)]).toEqual(['com.', 'b.example.com.']);
    expect(writer.length).toBe(5 + 2 + 8 + 2);
  });

  it('are lower case, and escaped as in rdata', () => {
    expect(decodeName(new WireReader(octets(4, 'Ab.\xff', 3, 'COM', 0)))).toBe('ab\\.\\255.com.');
  });

  it('that pass the limit of a message are refused', () => {
    expect(() => encodeName(new WireWriter(12), 'example.com.', true)).toThrow(MessageFull);
    const writer = new WireWriter(13);
    encodeName(writer, 'example.com.', true);
    expect(writer.length).toBe(13);
  });

  it.each(['', 'example.com', 'a..b.', `${'a'.repeat(64)}.`, `${'a.'.repeat(128)}`, '..'])(
    'that are none are refused: %s',
    (name) => {
      expect(() => encodeName(new WireWriter(), name, true)).toThrow(RdataError);
    },
  );
});

describe('what is no name', () => {
  const long = (labels: number): Buffer =>
    Buffer.concat(Array.from({ length: labels }, () => octets(63, 'x'.repeat(63))));
  it.each<[string, Buffer, number]>([
    ['nothing', octets(), 0],
    ['a label that is cut', octets(3, 'co'), 0],
    ['a name without its root', octets(3, 'com'), 0],
    ['half a pointer', octets(0, 0xc0), 1],
    ['a pointer to itself', octets(0xc0, 0), 0],
    ['a pointer forward', octets(0xc0, 2, 0), 0],
    ['a pointer into its own name', octets(1, 'a', 0xc0, 0), 0],
    ['a pointer to an octet of its own label', octets(1, 'a', 0xc0, 1), 0],
    ['a loop of two pointers', octets(1, 'a', 0xc0, 4, 1, 'b', 0xc0, 0), 4],
    ['a label of the type 01', octets(0x41, 'a', 0), 0],
    ['a label of the type 10', octets(0x80, 'a', 0), 0],
    ['256 octets', Buffer.concat([long(3), octets(62, 'x'.repeat(62), 0)]), 0],
    [
      '256 octets with those that it points to',
      Buffer.concat([long(3), octets(60, 'x'.repeat(60), 0), octets(1, 'x', 0xc0, 0)]),
      254,
    ],
  ])('is refused: %s', (_, message, start) => {
    expect(() => decodeName(new WireReader(message, start))).toThrow(FormError);
  });

  it('is not what has 255 octets', () => {
    const message = Buffer.concat([long(3), octets(59, 'x'.repeat(59), 0), octets(1, 'x', 0xc0, 0)]);
    expect(decodeName(new WireReader(message, 253))).toHaveLength(254);
  });

  it('is a compressed one where its type forbids that', () => {
    expect(() => decodeName(new WireReader(octets(0, 0xc0, 0), 1), false)).toThrow(FormError);
  });
});

/** Reads names until the message ends or has a fault. */
function readAll(message: Buffer, start: number, how = { decodeName, FormError, WireReader }): number {
  const reader = new how.WireReader(message, start);
  let names = 0;
  try {
    while (reader.remaining > 0) {
      expect(how.decodeName(reader).length).toBeLessThanOrEqual(4 * 255);
      names += 1;
    }
  } catch (error) {
    expect(error).toBeInstanceOf(how.FormError);
  }
  return names;
}

describe('any octets', () => {
  it('are names or a FormError', () => {
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 600 }),
      fc.array(fc.constantFrom(0, 1, 2, 63, 0x61, 0xc0, 0xc1, 0xff), { maxLength: 600 }),
    );
    fc.assert(
      fc.property(hostile, fc.nat(100), (message, start) => {
        readAll(Buffer.from(message), Math.min(start, message.length));
      }),
      { numRuns: RUNS },
    );
  });
});

describe('names that point to others', () => {
  let counted: { decodeName: typeof decodeName; FormError: typeof FormError; WireReader: typeof WireReader };
  beforeAll(() =>
    countable(async () => {
      const reader = await import('../../../src/dns/encoding/reader.ts');
      counted = { ...reader, ...(await import('../../../src/dns/encoding/names.ts')) };
    }),
  );

  it('cost no more than their number, whatever they point to', () => {
    // Each pointer points to the one before it, and all of them are read from every later one.
    const chain = (size: number): Buffer => {
      const pointers = Buffer.alloc(size);
      for (let at = 2; at < size; at += 2) pointers.writeUInt16BE(0xc000 | (at - 2), at);
      return pointers;
    };
    // Labels of one octet, entered at every other octet.
    const labels = (size: number): Buffer => {
      const octets = Buffer.alloc(size, 1);
      for (let at = 253; at < size; at += 254) octets[at] = 0;
      return octets;
    };
    for (const target of [chain, labels]) {
      expectLinear((size) => {
        const ends = Buffer.alloc(size);
        for (let at = 0; at < size; at += 2) ends.writeUInt16BE(0xc000 | (size - 2 - at), at);
        readAll(Buffer.concat([target(size), ends]), size, counted);
      }, 16_384);
    }
  });
});
