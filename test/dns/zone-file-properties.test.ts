import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { RECORD_TYPES } from '../../src/dns/record-types.ts';
import { formatZoneFile } from '../../src/dns/zone-file/format.ts';
import { countable, expectLinear } from '../support/linear.ts';
import { parseZoneFile } from '../support/parsed-zone-file.ts';
import { mutated, RDATA } from '../support/rdata-generators.ts';
import { runs } from '../support/runs.ts';

/** `TEST_RUNS=1000 npx vitest run --project counted test/dns` is a campaign. */
const RUNS = runs(60, 15) * 3;

const owner = fc.constantFrom(
  'a',
  'A',
  'b.c',
  '@',
  '*',
  '_x._y',
  'münchen',
  'a.example.com.',
  'EXAMPLE.com.',
  '',
);
const ttl = fc.constantFrom('', '60', '1h', '0', '2147483647');
const dnsClass = fc.constantFrom('', 'IN', 'in');
const type = fc.constantFrom(...RECORD_TYPES.filter((one) => one !== 'SOA'));
const end = fc.constantFrom('\n', '\r\n', ' ; comment "(\n', '\n\n  \n');

/** A record as people write them: relative names, inherited owners, parentheses. */
const record = type.chain((one) =>
  fc
    .tuple(owner, ttl, dnsClass, RDATA[one], fc.boolean(), end)
    .map(([name, time, cls, rdata, inParentheses, stop]) => {
      const data = inParentheses ? `( ${rdata}\n )` : rdata;
      return `${name} ${time} ${cls} ${one} ${data}${stop}`;
    }),
);
const directive = fc.constantFrom(
  '$TTL 300\n',
  '$ORIGIN sub.example.com.\n',
  '$ORIGIN example.com.\n',
  '; x\n',
  '\n',
);
const body = fc.array(fc.oneof({ weight: 6, arbitrary: record }, { weight: 1, arbitrary: directive }), {
  maxLength: 12,
});
const SOA = '$ORIGIN example.com.\n$TTL 1h\n@ SOA ns1 hostmaster 1 2h 3h 4w 5m\n';
const zoneText = body.map((lines) => `${SOA}${lines.join('')}`);

/** What holds for every text; true where it was accepted. */
function check(text: string): boolean {
  const result = parseZoneFile(text);
  if (result.ok !== true) {
    if (result.ok === 'stopped') throw new Error('Nothing stopped it.');
    expect(result.reason).toMatch(/^[\x20-\x7e…]+\.$/);
    expect(result.line).toBeGreaterThanOrEqual(1);
    expect(result.line).toBeLessThanOrEqual(text.split('\n').length);
    return false;
  }
  const written = formatZoneFile(result.zone);
  expect(written).toMatch(/^[\x20-\x7e\n]*$/);
  expect(parseZoneFile(written)).toMatchObject({ ok: true, zone: result.zone });
  expect(parseZoneFile(written, { origin: result.zone.origin })).toMatchObject({ zone: result.zone });
  const keys = result.zone.recordsets.map((set) => `${set.name} ${set.type}`);
  expect(new Set(keys).size).toBe(keys.length);
  for (const set of result.zone.recordsets) expect(new Set(set.records).size).toBe(set.records.length);
  return true;
}

describe('zone files', () => {
  it('lose nothing on the way out and in again', () => {
    let accepted = 0;
    fc.assert(
      fc.property(zoneText, (text) => {
        if (check(text)) accepted += 1;
      }),
      { numRuns: RUNS },
    );
    expect(accepted).toBeGreaterThan(RUNS / 4);
  });

  it('with a fault crash nothing', () => {
    fc.assert(
      fc.property(mutated(zoneText), (text) => {
        check(text);
      }),
      { numRuns: RUNS },
    );
  });

  it('of any text crash nothing', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      record,
      directive,
      fc.constantFrom('(', ')', '"', ';', '\\', ' '),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        check(pieces.join(''));
        check(SOA + pieces.join(''));
      }),
      { numRuns: RUNS },
    );
  });
});

/** A text, and the places where it is cut; also between the halves of a character. */
const cut = (text: string) =>
  fc
    .array(fc.nat(text.length), { maxLength: 8 })
    .map((places) => [0, ...places.sort((one, other) => one - other), text.length])
    .map((places) => places.slice(1).map((end, at) => text.slice(places[at], end)));

describe('a zone file in pieces', () => {
  const texts = fc.oneof(
    zoneText,
    mutated(zoneText),
    fc
      .array(fc.oneof(fc.string({ unit: 'binary' }), record, directive))
      .map((pieces) => SOA + pieces.join('')),
  );

  it('reads the same wherever it is cut', () => {
    fc.assert(
      fc.property(
        texts.chain((text) => fc.tuple(fc.constant(text), cut(text))),
        ([text, pieces]) => {
          expect(parseZoneFile(pieces)).toEqual(parseZoneFile(text));
        },
      ),
      { numRuns: RUNS * 3 },
    );
  });

  it('reads the same character by character', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(parseZoneFile(text.split(''))).toEqual(parseZoneFile(text));
      }),
      { numRuns: RUNS },
    );
  });

  it.each([300_000, 300_001, 400_000])('reads the same around a word of %i characters', (length) => {
    for (const text of [`${SOA}a TXT ${'x'.repeat(length)}`, `${SOA}a TXT "${'x'.repeat(length)}"\n\0`]) {
      const pieces = text.match(/.{1,65536}|\n/g)!;
      expect(parseZoneFile(pieces)).toEqual(parseZoneFile(text));
    }
  });
});

describe('work', () => {
  let counted: typeof import('../support/parsed-zone-file.ts');
  beforeAll(() =>
    countable(async () => {
      counted = await import('../support/parsed-zone-file.ts');
    }),
  );

  it.each([
    '(',
    ')',
    '()',
    '"',
    '""',
    'a ',
    '\n',
    ' \n',
    ';',
    ';\n',
    '\\',
    '\\0',
    '$TTL 1\n',
    '$ORIGIN a.\n',
    '( \n',
    '"a" ',
    'a A 1.2.3.4\n',
    '=" ',
  ])('grows with the text, and no faster, where that repeats %j', (piece) => {
    const read = (size: number): unknown => {
      const text = piece.repeat(size / piece.length);
      return [text, SOA + text, `${SOA}a TXT (${text}`].map((one) => counted.parseZoneFile(one));
    };
    expectLinear(read, 2 ** 15);
  });
});
