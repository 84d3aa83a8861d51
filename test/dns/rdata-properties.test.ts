import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeName, encodeName } from '../../src/dns/encoding/names.ts';
import { WireReader } from '../../src/dns/encoding/reader.ts';
import { WireWriter } from '../../src/dns/encoding/writer.ts';
import { parseOwnerName } from '../../src/dns/owner-name.ts';
import { encodeRdata, parseRdata } from '../../src/dns/parse-rdata.ts';
import { RECORD_TYPES, type RecordType } from '../../src/dns/record-types.ts';
import { countable, expectLinear } from '../support/linear.ts';
import { domainName, mutated, RDATA } from '../support/rdata-generators.ts';
import { runs } from '../support/runs.ts';

/** `TEST_RUNS=1000 npx vitest run --project counted test/dns` is a campaign. */
const RUNS = runs(60, 15);

const VISIBLE = /^[\x20-\x7e]+$/;
const SENTENCE = /^[\x20-\x7e…]+\.$/;

/** What holds for every text; true where it was accepted. */
function check(type: RecordType, text: string): boolean {
  const result = parseRdata(type, text);
  if (!result.ok) {
    expect(result.reason).toMatch(SENTENCE);
    return false;
  }
  expect(result.rdata).toMatch(VISIBLE);
  expect(parseRdata(type, result.rdata)).toEqual(result);
  expect(encodeRdata(type, result.rdata)).toEqual(encodeRdata(type, text));
  expect(encodeRdata(type, text).length).toBeLessThanOrEqual(64_000);
  return true;
}

describe.each(RECORD_TYPES)('%s', (type) => {
  it('takes what its grammar makes, as a fixed point', () => {
    let accepted = 0;
    fc.assert(
      fc.property(RDATA[type], (text) => {
        if (check(type, text)) accepted += 1;
      }),
      { numRuns: RUNS },
    );
    expect(accepted).toBeGreaterThan(RUNS / 4);
  });

  it('survives texts with a fault', () => {
    fc.assert(
      fc.property(mutated(RDATA[type]), (text) => {
        check(type, text);
      }),
      { numRuns: RUNS },
    );
  });

  it('survives any text', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      ...Object.values(RDATA),
    );
    fc.assert(
      fc.property(any, (text) => {
        check(type, text);
      }),
      { numRuns: RUNS },
    );
  });

  it('gives different texts to different wire forms, and one text to one', () => {
    fc.assert(
      fc.property(RDATA[type], RDATA[type], (left, right) => {
        const [a, b] = [parseRdata(type, left), parseRdata(type, right)];
        if (!a.ok || !b.ok) return;
        expect(Buffer.compare(encodeRdata(type, left), encodeRdata(type, right)) === 0).toBe(
          a.rdata === b.rdata,
        );
      }),
      { numRuns: RUNS },
    );
  });
});

describe('work', () => {
  let counted: typeof import('../../src/dns/parse-rdata.ts');
  beforeAll(() =>
    countable(async () => {
      counted = await import('../../src/dns/parse-rdata.ts');
    }),
  );
  const pieces = [
    'a',
    '0',
    '.',
    ' ',
    '"',
    '""',
    '\\',
    '\\000',
    '\\\\,',
    ',',
    ':',
    '::',
    '=',
    'a.',
    '1 ',
    '" "',
    'ü',
  ];
  const heads = [
    '',
    '0 issue "',
    '1 . alpn="',
    '1 . mandatory=',
    '1 . ipv4hint=',
    '1 0 0 ',
    '0 0 "" "" "!',
    '10 1 "a:',
    '1 . key9=',
  ];

  it.each(RECORD_TYPES)('on %s grows with its text, and no faster', (type) => {
    for (const head of heads) {
      // Together, for counting costs more than reading; one text whose steps are square in its size still shows.
      const read = (size: number): void => {
        for (const piece of pieces) {
          const text = head + piece.repeat(Math.floor(size / piece.length));
          counted.parseRdata(type, text);
          counted.parseRdata(type, `${text}"`);
        }
      };
      expectLinear(read, 4096, `${type} ${head}…`);
    }
  });
});

describe('the general form', () => {
  it.each(RECORD_TYPES)('of %s is the same rdata', (type) => {
    fc.assert(
      fc.property(RDATA[type], (text) => {
        const parsed = parseRdata(type, text);
        if (!parsed.ok) return;
        const hex = Buffer.from(encodeRdata(type, text)).toString('hex');
        const split = hex.replace(/^(..)(?=.)/, '$1 ').toUpperCase();
        expect(parseRdata(type, `\\# ${hex.length / 2} ${split}`)).toEqual(parsed);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('owner names', () => {
  it('are fixed points of letters, digits, - _ / + and escapes, and a leftmost *; also by way of their wire form', () => {
    const any = fc.oneof(
      domainName,
      mutated(domainName),
      fc.domain().map((name) => `*.${name}.`),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(any, (text) => {
        const result = parseOwnerName(text);
        if (!result.ok) {
          expect(result.reason).toMatch(SENTENCE);
          return;
        }
        expect(result.value).toMatch(
          /^(?:\*\.)?(?:(?!-)(?:[a-z0-9_/+-]|\\[0-9]{3}|\\["();@$\\])+(?<!-)\.)*$/,
        );
        expect(parseOwnerName(result.value)).toEqual(result);
        const writer = new WireWriter();
        encodeName(writer, result.value, false);
        expect(decodeName(new WireReader(writer.toBuffer()))).toBe(result.value);
      }),
      { numRuns: RUNS * 10 },
    );
  });
});
