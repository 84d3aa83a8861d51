import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeName } from '../../src/dns/encoding/names.ts';
import { WireReader } from '../../src/dns/encoding/reader.ts';
import { WireWriter } from '../../src/dns/encoding/writer.ts';
import { parseRdata } from '../../src/dns/parse-rdata.ts';
import { RECORD_TYPES, type RecordType, typeNumber } from '../../src/dns/record-types.ts';
import { decodeRdata, encodeRdata } from '../../src/dns/wire/rdata.ts';
import { RDATA } from '../support/rdata-generators.ts';

const SEED = 20_240_102;
const SAMPLES = 30;
const SOA_ZONES = 5;
/** What is asked is what BIND makes of the text, not whether it likes the data. */
const OPTIONS = [
  '-k',
  'ignore',
  '-i',
  'none',
  ...'MSTWr'.split('').flatMap((check) => [`-${check}`, 'ignore']),
];
/** BIND's format "raw", version 1: format, version, time, flags, and the serials of the source and the last transfer. */
const RAW_HEADER = 24;
const SOA = 'ns1.example.net. host.example.net. 1 2 3 4 5';

/** A test that needs BIND says so, and never passes without it. */
function requireBind(): void {
  try {
    execFileSync('named-compilezone', ['-v'], { stdio: 'ignore' });
  } catch {
    throw new Error('named-compilezone cannot be run. Install BIND (Debian: the package bind9-utils).');
  }
}

/** Distinct rdata of one type, in canonical text. */
function sample(type: RecordType): string[] {
  const results = fc
    .sample(RDATA[type], { numRuns: SAMPLES, seed: SEED })
    .map((text) => parseRdata(type, text));
  return [...new Set(results.flatMap((result) => (result.ok ? [result.rdata] : [])))];
}

/** The rdata of all records of a type in a raw file, by their owners; each of its parts is one owner's records of one type. */
function rdataOf(type: RecordType, raw: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  const reader = new WireReader(raw, RAW_HEADER);
  while (reader.remaining > 0) {
    const length = reader.u32();
    reader.within(length - 4, () => {
      reader.u16();
      const number = reader.u16();
      reader.skip(2 + 4);
      const records = reader.u32();
      const owner = reader.within(reader.u16(), () => decodeName(reader, false));
      for (let left = records; left > 0; left -= 1) {
        const rdata = reader.bytes(reader.u16());
        if (number === typeNumber(type)) found.set(owner, rdata);
      }
    });
  }
  return found;
}

function ownRdata(type: RecordType, text: string): Buffer {
  const writer = new WireWriter();
  encodeRdata(writer, type, text, { compress: false });
  return writer.toBuffer();
}

/** Types that BIND knows and that have only a number here. It calls MD and MF, 3 and 4, obsolete. */
const NUMBERED = [
  ...[
    7, 8, 9, 10, 11, 14, 19, 20, 21, 22, 23, 25, 26, 27, 31, 32, 34, 36, 38, 40, 42, 45, 49, 55, 56, 57, 58,
  ],
  ...[66, 67, 68, 104, 105, 106, 107, 108, 109, 258, 259, 260, 261, 262, 32_768, 32_769, 65_280],
] as const;
/** Those of them that a BIND before 9.18.40 does not know: it takes anything. */
const NEW = [66, 67, 68, 261, 262];

/** Bytes of which many are lengths, kinds and empty names, and some are digits. */
const BYTES = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(0, 1, 2, 3, 4, 5) },
      { weight: 2, arbitrary: fc.constantFrom(0x31, 0x61) },
      fc.integer({ min: 0, max: 255 }),
    ),
    { maxLength: 26 },
  )
  .map((bytes) => `\\# ${bytes.length} ${Buffer.from(bytes).toString('hex')}`.trim());

/** An X.121 address, ATM addresses, prefixes of IPv6, digests, and hosts of several kinds: random bytes seldom have their forms. */
const RARE = [
  '0431323334',
  '0431323361',
  '0131323334',
  '0131323361',
  `00${'0a'.repeat(16)}`,
  `40${'0a'.repeat(8)}016100`,
  '5761010531050400',
  '5701010531050400',
  `80016100`,
  `81016100`,
  `00021010${'0a'.repeat(16)}`,
  `00021011${'0a'.repeat(17)}`,
  `00012004c0000201`,
  `00012104c0000201`,
  `000101${'0a'.repeat(20)}`,
  `00010101${'0a'.repeat(20)}`,
  `00010102${'0a'.repeat(32)}`,
  `00010104${'0a'.repeat(48)}`,
  `010202${'0a'.repeat(17)}`,
  `0102${'0a'.repeat(16)}`,
  '01030101610001',
].map((bytes) => `\\# ${bytes.length / 2} ${bytes}`);

describe('the rdata that BIND makes of our text', () => {
  beforeAll(requireBind);
  const folder = mkdtempSync(join(tmpdir(), 'rdata-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function compiled(lines: readonly string[]): Buffer {
    const [input, output] = [join(folder, 'in'), join(folder, 'out')];
    writeFileSync(input, `${lines.join('\n')}\n`);
    execFileSync('named-compilezone', [...OPTIONS, '-F', 'raw=1', '-o', output, 'example.com', input], {
      stdio: 'pipe',
    });
    return readFileSync(output);
  }

  /** A zone has one SOA; of other types, each record has an owner of its own. */
  function zonesOf(type: RecordType): (readonly (readonly [owner: string, text: string])[])[] {
    const texts = sample(type);
    if (type === 'SOA') return texts.slice(0, SOA_ZONES).map((text) => [['example.com.', text]]);
    return [texts.map((text, index) => [`r${index}.example.com.`, text])];
  }

  it.each(RECORD_TYPES)('is ours, and reads as our text: %s', (type) => {
    for (const records of zonesOf(type)) {
      const soa = type === 'SOA' ? [] : [`example.com. 60 IN SOA ${SOA}`];
      const lines = records.map(([owner, text]) => `${owner} 60 IN ${type} ${text}`);
      const theirs = rdataOf(type, compiled([...soa, 'example.com. 60 IN NS ns1.example.net.', ...lines]));
      for (const [owner, text] of records) {
        const rdata = theirs.get(owner)!;
        expect(ownRdata(type, text).toString('hex'), text).toBe(rdata.toString('hex'));
        expect(decodeRdata(new WireReader(rdata), typeNumber(type), rdata.length)).toBe(text);
      }
    }
  });

  /** The places of the texts that BIND refuses. */
  function refused(texts: readonly string[]): Set<number> {
    const [file, head] = [join(folder, 'numbered'), [`@ 60 SOA ${SOA}`, '@ 60 NS ns1.example.net.']];
    writeFileSync(file, `${[...head, ...texts.map((text, place) => `r${place} 60 ${text}`)].join('\n')}\n`);
    const { stdout } = spawnSync('named-checkzone', [...OPTIONS, 'example.com', file], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    const lines = [...stdout.matchAll(/numbered:([0-9]+):/g)].map(([, line]) => Number(line));
    return new Set(lines.map((line) => line - head.length - 1));
  }

  it('is refused by both, or by neither, of types that have only a number', () => {
    const texts = [...RARE, ...fc.sample(BYTES, { numRuns: 1000, seed: SEED })];
    const cases = texts.flatMap((text) => NUMBERED.map((type) => [type, text] as const));
    const theirs = refused(cases.map(([type, text]) => `TYPE${type} ${text}`));
    const disagreements = cases.filter(([type, text], place) => {
      const takes = parseRdata(`TYPE${type}`, text).ok;
      return takes ? theirs.has(place) : !theirs.has(place) && !NEW.includes(type);
    });
    const taken = new Set(cases.filter((_, place) => !theirs.has(place)).map(([type]) => type));
    expect(NUMBERED.filter((type) => !taken.has(type))).toEqual([]);
    expect(disagreements).toEqual([]);
  });
});
