import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalName, type OwnerName } from '../../../src/dns/names.ts';
import { parseRdata } from '../../../src/dns/parse-rdata.ts';
import { RECORD_TYPES, type RecordType } from '../../../src/dns/record-types.ts';
import { POINTING_TYPES, targetsOf } from '../../../src/model/guardrails/targets.ts';
import { domainName, RDATA } from '../../support/rdata-generators.ts';
import { runs } from '../../support/runs.ts';

const OWNER: OwnerName = canonicalName('www.example.org.');

function canonical(type: RecordType, text: string): string {
  const parsed = parseRdata(type, text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.rdata;
}
const targets = (type: RecordType, texts: readonly string[], name = OWNER) =>
  targetsOf({ name, type, records: texts.map((text) => canonical(type, text)) });

it.each<[RecordType, string, readonly string[]]>([
  ['CNAME', 'Web.Example.NET.', ['web.example.net.']],
  ['MX', '10 mail.example.org.', ['mail.example.org.']],
  ['MX', '0 .', []],
  ['SRV', '0 5 5060 sip.example.org.', ['sip.example.org.']],
  ['SRV', '0 0 0 .', []],
  ['NS', 'ns1.example.org.', ['ns1.example.org.']],
  ['HTTPS', '0 web.example.org.', ['web.example.org.']],
  ['HTTPS', '0 .', []],
  ['HTTPS', '1 . alpn="h2,h3" ipv4hint=192.0.2.1', [OWNER]],
  ['SVCB', '16 svc.example.org. port=8443', ['svc.example.org.']],
  ['CNAME', 'a\\032b.example.org.', ['a\\032b.example.org.']],
  ['DNAME', 'example.net.', []],
  ['PTR', 'www.example.org.', []],
  ['TXT', '"10 mail.example.org."', []],
])('finds the targets of %s %s', (type, text, expected) => {
  expect(targets(type, [text])).toEqual(expected);
});

it('names a target once, and none for the service form at a wildcard', () => {
  expect(targets('MX', ['10 a.example.org.', '20 a.example.org.', '30 b.example.org.'])).toEqual([
    'a.example.org.',
    'b.example.org.',
  ]);
  expect(targets('HTTPS', ['1 .'], canonicalName('*.example.org.'))).toEqual([]);
});

it('finds the name in rdata of each type that points at one', () => {
  const before = { CNAME: '', NS: '', MX: '7 ', SRV: '1 2 3 ', SVCB: '1 ', HTTPS: '0 ' };
  fc.assert(
    fc.property(fc.constantFrom(...POINTING_TYPES), domainName, (type, name) => {
      const [, expected = '.'] = canonical('MX', `0 ${name}`).split(' ');
      fc.pre(expected !== '.');
      expect(targets(type, [before[type] + name])).toEqual([expected]);
    }),
    { numRuns: runs(300, 100) },
  );
});

it('finds at most one target for each record of any type', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...RECORD_TYPES).chain((type) => RDATA[type].map((text) => ({ type, text }))),
      ({ type, text }) => {
        const parsed = parseRdata(type, text);
        fc.pre(parsed.ok);
        const found = targets(type, [text]);
        expect(found.length).toBeLessThanOrEqual(1);
        for (const name of found) expect(parseRdata('NS', name)).toMatchObject({ ok: true, rdata: name });
      },
    ),
    { numRuns: runs(300, 100) },
  );
});
