import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalName } from '../../src/dns/names.ts';
import { encodeRdata, parseRdata, RECORD_TYPES, type RecordType } from '../../src/dns/rdata.ts';
import { formatZoneFile } from '../../src/dns/zone-file/format.ts';
import type { ZoneFile } from '../../src/dns/zone-file/zone.ts';
import { RDATA } from '../support/rdata-generators.ts';

const SEED = 20_240_101;
const SAMPLES = 500;
/** What is asked is whether BIND reads the file, not whether it likes the data. */
const OPTIONS = [
  '-k',
  'ignore',
  '-i',
  'none',
  ...'MSTWr'.split('').flatMap((check) => [`-${check}`, 'ignore']),
];

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
  const texts = fc.sample(RDATA[type], { numRuns: SAMPLES, seed: SEED });
  const results = texts.map((text) => parseRdata(type, text));
  return [...new Set(results.flatMap((result) => (result.ok ? [result.rdata] : [])))];
}

function zoneOf(type: RecordType, rdata: readonly string[]): ZoneFile {
  const soa = { ttl: 60, rdata: type === 'SOA' ? rdata[0]! : 'ns1.example.net. host.example.net. 1 2 3 4 5' };
  const data = type === 'SOA' ? [] : rdata;
  return {
    origin: 'example.com.',
    soa,
    recordsets: [
      { name: canonicalName('example.com.'), type: 'NS', ttl: 60, records: ['ns1.example.net.'] },
      ...data.map((text, index) => ({
        name: canonicalName(`r${index}.example.com.`),
        type,
        ttl: 60,
        records: [text],
      })),
    ],
  };
}

/** The same records in the general form of RFC 3597. */
function generalForm(zone: ZoneFile): string {
  const line = (name: string, type: RecordType, text: string): string => {
    const wire = Buffer.from(encodeRdata(type, text));
    return `${name} 60 IN ${type} \\# ${wire.length} ${wire.toString('hex')}\n`;
  };
  return [
    line(zone.origin, 'SOA', zone.soa.rdata),
    ...zone.recordsets.map((set) => line(set.name, set.type, set.records[0]!)),
  ].join('');
}

describe('named-compilezone', () => {
  beforeAll(requireBind);
  const folder = mkdtempSync(join(tmpdir(), 'zone-file-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function compiled(text: string): string {
    const [input, output] = [join(folder, 'in'), join(folder, 'out')];
    writeFileSync(input, text);
    execFileSync('named-compilezone', [...OPTIONS, '-s', 'full', '-o', output, 'example.com', input], {
      stdio: 'pipe',
    });
    return readFileSync(output, 'utf8');
  }

  it.each(RECORD_TYPES)('reads every %s record, and the same from text as from the wire form', (type) => {
    const zone = zoneOf(type, sample(type));
    const fromText = compiled(formatZoneFile(zone));
    expect(fromText).toBe(compiled(generalForm(zone)));
    expect(fromText.trimEnd().split('\n')).toHaveLength(zone.recordsets.length + 1);
  });
});
