import { execFileSync } from 'node:child_process';
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
});
