import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { canonicalName } from '../../src/dns/names.ts';
import { parseRdata } from '../../src/dns/parse-rdata.ts';
import { RECORD_TYPES, type RecordType, type StoredType } from '../../src/dns/record-types.ts';
import { formatZoneFile } from '../../src/dns/zone-file/format.ts';
import type { ZoneFile } from '../../src/dns/zone-file/zone.ts';
import {
  inGeneralForm,
  type TakenZone,
  type WrittenRecordset,
  writeZone,
  writtenZone,
} from '../support/api-zones.ts';
import { RDATA } from '../support/rdata-generators.ts';
import { runs } from '../support/runs.ts';
import { startTestService } from '../support/service.ts';
import { tenantOf } from '../support/tenant.ts';
import { exportFile, unmanaged } from '../support/zone-files.ts';

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
  const line = (name: string, type: StoredType, text: string): string =>
    `${name} 60 IN ${type} ${inGeneralForm(type, text)}\n`;
  return [
    line(zone.origin, 'SOA', zone.soa.rdata),
    ...zone.recordsets.map((set) => line(set.name, set.type, set.records[0]!)),
  ].join('');
}

/** BIND loads no zone whose CDS or CDNSKEY have no DNSKEY that fits them. */
function isLoaded({ owner, type }: WrittenRecordset): boolean {
  return owner !== '' || (type !== 'CDS' && type !== 'CDNSKEY');
}

/** A file of what was taken: names as they were sent, but for U-labels, which BIND does not take, and rdata by its bytes. */
function takenFile({ name: apex, taken }: TakenZone, ttlOfZone: number): string {
  const lines = taken.flatMap(({ name, type, ttl, records }) =>
    records.map(
      (text) =>
        `${name.replace('münchen', 'xn--mnchen-3ya')} ${ttl ?? ttlOfZone} IN ${type} ${inGeneralForm(type, text)}`,
    ),
  );
  return [`${apex} 60 IN SOA . . 1 2 3 4 5`, `${apex} 60 IN NS ns.`, ...lines, ''].join('\n');
}

describe('named-compilezone', () => {
  beforeAll(requireBind);
  const folder = mkdtempSync(join(tmpdir(), 'zone-file-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function compiled(text: string, origin = 'example.com'): string {
    const [input, output] = [join(folder, 'in'), join(folder, 'out')];
    writeFileSync(input, text);
    execFileSync('named-compilezone', [...OPTIONS, '-s', 'full', '-o', output, origin, input], {
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

  it('reads what the API has taken from its export', async () => {
    const service = await startTestService({
      ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
      ZONEWARDEN_DEFAULT__QUOTA_API_EXPORT_SIZE: '-1',
    });
    onTestFinished(() => service.remove());
    const tenant = await tenantOf(service, 'shop');
    const token = await service.token('shop', 'member');
    /** Without the apex, and with the owners in lower case: BIND keeps theirs. */
    const recordsOf = (text: string, name: string): readonly string[] =>
      unmanaged(`$ORIGIN ${name}\n${compiled(text, name).replace(/[ \t]+/g, ' ')}`)
        .slice(1)
        .map((line) => line.replace(/^\S+/, (owner) => owner.toLowerCase()));
    let [count, records] = [0, 0];
    await fc.assert(
      fc.asyncProperty(writtenZone, async (written) => {
        const zone = { ...written, recordsets: written.recordsets.filter(isLoaded) };
        count += 1;
        const made = await writeZone(tenant, `w${count}.example.`, zone);
        const { text } = await exportFile(service, token, made.id);
        const [exported, taken] = [text, takenFile(made, zone.ttl)].map((file) => recordsOf(file, made.name));
        records += taken!.length;
        expect(exported).toEqual(taken);
      }),
      { numRuns: runs(60) },
    );
    expect(records).toBeGreaterThan(3 * count);
  });
});
