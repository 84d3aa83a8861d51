import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalName, type OwnerName } from '../../../src/dns/names.ts';
import { formatQuoted } from '../../../src/dns/rdata/character-string.ts';
import { dmarcFault } from '../../../src/model/guardrails/dmarc.ts';
import { mailPolicyFaults } from '../../../src/model/guardrails/mail-policy.ts';
import { spfFault } from '../../../src/model/guardrails/spf.ts';
import { runs } from '../../support/runs.ts';

const NAME: OwnerName = canonicalName('example.org.');
const DMARC_NAME: OwnerName = canonicalName('_dmarc.example.org.');
const rdataOf = (text: string) => formatQuoted([...Buffer.from(text, 'latin1')]);
const faultsOf = (name: OwnerName, texts: readonly string[], before: readonly string[] = []) =>
  mailPolicyFaults({ name, type: 'TXT', records: texts.map(rdataOf) }, before.map(rdataOf));

describe('an SPF record', () => {
  it.each([
    'v=spf1 -all',
    'v=spf1',
    'v=spf1 ',
    'V=SPF1 A MX -ALL',
    'v=spf1 include:_spf.google.com ~all',
    'v=spf1 include:spf.protection.outlook.com -all',
    'v=spf1 include:amazonses.com include:servers.mcsv.net ?all',
    'v=spf1 ip4:192.0.2.0/24 ip4:198.51.100.7 ip6:2001:db8::/32 -all',
    'v=spf1 ip6:2001:db8::1 a:mail.example.org/24//64 mx//64 a/24 -all',
    'v=spf1 a mx ptr ptr:example.org exists:%{i}._spf.%{d2}.example.org redirect=_spf.example.org',
    'v=spf1 exists:%{ir}.%{v}.arpa.%{d1r.-+,/_=} -all',
    'v=spf1 include:%{d}  mx:mail.example.org. exp=explain._spf.%{d} -all',
    'v=spf1 unknown=a%%b%_c%-d -all',
    'v=spf1 a:xn--mnchen-3ya.xn--p1ai -all',
  ])('parses: %s', (text) => {
    expect(spfFault(text)).toBeUndefined();
  });

  it.each([
    ['v=spf1;include:_spf.google.com ~all', 'a space must follow'],
    ['v=spf1include:_spf.google.com ~all', 'a space must follow'],
    ['v=spf1 include:_spf.google.com, ~all', 'include:_spf.google.com,'],
    ['v=spf1 include: spf.example.org -all', 'include:'],
    ['v=spf1 include -all', "'include'"],
    ['v=spf1 ipv4:192.0.2.1 -all', 'ipv4:192.0.2.1'],
    ['v=spf1 ip4:192.0.2 -all', 'ip4:192.0.2'],
    ['v=spf1 ip4:192.0.2.0/33 -all', 'ip4:192.0.2.0/33'],
    ['v=spf1 ip4:2001:db8::1 -all', 'ip4:2001:db8::1'],
    ['v=spf1 ip6:2001:db8::/129 -all', 'ip6:2001:db8::/129'],
    ['v=spf1 ip6:fe80::1%eth0 -all', 'ip6:fe80::1%eth0'],
    ['v=spf1 192.0.2.1 -all', '192.0.2.1'],
    ['v=spf1 mail.example.org -all', 'mail.example.org'],
    ['v=spf1 a:localhost -all', 'a:localhost'],
    ['v=spf1 a:192.0.2.1 -all', 'a:192.0.2.1'],
    ['v=spf1 a/33 -all', 'a/33'],
    ['v=spf1 mx//129 -all', 'mx//129'],
    ['v=spf1 -all:example.org', '-all:example.org'],
    ['v=spf1 exists:%{x}.example.org -all', 'exists:%{x}'],
    ['v=spf1 exists:%{d0}.example.org -all', 'exists:%{d0}'],
    ['v=spf1 redirect=', 'redirect='],
    ['v=spf1 redirect=a.example redirect=b.example', 'occurs more than once'],
    ['v=spf1 a\tmx -all', 'a\\u0009mx'],
    ['v=spf1 -all"', '-all'],
  ])('does not parse: %s', (text, named) => {
    expect(spfFault(text)).toContain(named);
  });

  it.each(['', 'v=spf10 -all', 'v=spf1.1 -all', 'v=spf2.0/pra -all', 'spf1 -all', 'some text'])(
    'is not meant by: %s',
    (text) => {
      expect(spfFault(text)).toBeUndefined();
    },
  );
});

describe('a DMARC record', () => {
  it.each([
    'v=DMARC1; p=none',
    'v=DMARC1;p=reject;',
    'v=DMARC1; p=quarantine; pct=50; rua=mailto:dmarc@example.org',
    'v=DMARC1; p=none; rua=mailto:a@example.org,mailto:b@example.org!10m; ruf=mailto:c@example.org; fo=1:d:s',
    'v = DMARC1 ; p = reject ; sp=none; adkim=s; aspf=r; ri=86400; rf=afrf',
    'v=DMARC1; rua=mailto:a@example.org; p=none; np=reject; t=y',
  ])('parses: %s', (text) => {
    expect(dmarcFault(text)).toBeUndefined();
  });

  it.each([
    ['p=none', 'begin with'],
    ['v=dmarc1; p=none', 'begin with'],
    ['v=DMARC1 p=none', 'begin with'],
    ['v=DMARC2; p=none', 'begin with'],
    ['v=DMARC1', '"p" is missing'],
    ['v=DMARC1; rua=mailto:a@example.org', '"p" is missing'],
    ['v=DMARC1; p=block', "'p' is not valid"],
    ['v=DMARC1; p=none; sp=all', "'sp'"],
    ['v=DMARC1; p=none; pct=101', "'pct'"],
    ['v=DMARC1; p=none; rua=dmarc@example.org', "'rua'"],
    ['v=DMARC1; p=none; rua=mailto:a@example.org;mailto:b@example.org', 'mailto:b@example.org'],
    ['v=DMARC1; p=none; fo=2', "'fo'"],
    ['v=DMARC1; p=none; adkim=strict', "'adkim'"],
    ['v=DMARC1; p=none; p=reject', 'more than once'],
    ['v=DMARC1; ; p=none', 'is not a tag'],
    ['v=DMARC1; p=none; -', 'is not a tag'],
  ])('does not parse: %s', (text, named) => {
    expect(dmarcFault(text)).toContain(named);
  });
});

describe('the mail policies of a recordset', () => {
  it('are one SPF record at most', () => {
    expect(faultsOf(NAME, ['v=spf1 a -all', 'v=spf1 mx -all', 'text'])).toEqual([
      expect.stringContaining('2 SPF records'),
    ]);
    expect(faultsOf(NAME, ['v=spf1 a -all', 'v=spf10 -all', 'text'])).toEqual([]);
  });

  it('are checked only where they are new', () => {
    expect(faultsOf(NAME, ['v=spf1 x', 'text'], ['v=spf1 x'])).toEqual([]);
    expect(faultsOf(NAME, ['v=spf1 a', 'v=spf1 mx'], ['v=spf1 a', 'v=spf1 mx', 'v=spf1 ptr'])).toEqual([]);
  });

  it('read the strings of a record as one text', () => {
    const records = ['"v=spf1 include:_spf.exam" "ple.org -all"'];
    expect(mailPolicyFaults({ name: NAME, type: 'SPF', records }, [])).toEqual([]);
    const split = ['"v=spf1 mx" "a -all"'];
    expect(mailPolicyFaults({ name: NAME, type: 'TXT', records: split }, [])).toEqual([
      expect.stringContaining("'mxa'"),
    ]);
  });

  it('have DMARC at _dmarc alone', () => {
    expect(faultsOf(NAME, ['v=DMARC1; p=wrong'])).toEqual([]);
    expect(faultsOf(DMARC_NAME, ['v=DMARC1; p=wrong'])).toEqual([expect.stringContaining('DMARC')]);
    expect(faultsOf(canonicalName('a._report._dmarc.example.org.'), ['v=DMARC1'])).toEqual([]);
  });
});

/** Terms of the grammar, as RFC 7208 has it. */
const domain = fc
  .array(fc.constantFrom('example', '_spf', '%{d}', '%{ir}', 'a-b', '%%', 'x1'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((labels) => `${labels.join('.')}.org`);
const length = (most: number) =>
  fc.oneof(
    fc.constant(''),
    fc.nat(most).map((bits) => `/${bits}`),
  );
const ip4 = fc.ipV4();
const ip6 = fc.ipV6().filter((address) => !address.includes('.'));
const mechanism = fc.oneof(
  fc.constantFrom('all', 'a', 'mx', 'ptr'),
  domain.map((name) => `include:${name}`),
  domain.map((name) => `exists:${name}`),
  fc
    .tuple(fc.constantFrom('a', 'mx'), domain, length(32))
    .map(([kind, name, bits]) => `${kind}:${name}${bits}`),
  fc.tuple(ip4, length(32)).map(([address, bits]) => `ip4:${address}${bits}`),
  fc.tuple(ip6, length(128)).map(([address, bits]) => `ip6:${address}${bits}`),
);
const directive = fc.tuple(fc.constantFrom('', '+', '-', '~', '?'), mechanism).map((parts) => parts.join(''));
const spf = fc
  .tuple(fc.array(directive, { maxLength: 8 }), fc.option(domain, { nil: undefined }))
  .map(([terms, other]) =>
    ['v=spf1', ...terms, ...(other === undefined ? [] : [`redirect=${other}`])].join(' '),
  );

describe('the grammar of SPF', () => {
  it('takes every record that it makes, in any letter case', () => {
    fc.assert(
      fc.property(spf, fc.boolean(), (text, isUpper) => {
        expect(spfFault(isUpper ? text.toUpperCase() : text)).toBeUndefined();
      }),
      { numRuns: runs(500, 200) },
    );
  });

  it('refuses every record with a word that is neither a mechanism nor a modifier', () => {
    const word = fc.stringMatching(/^[b-z][0-9]{1,8}$/);
    fc.assert(
      fc.property(spf, word, (text, wrong) => {
        expect(spfFault(`${text} ${wrong}`)).toContain(wrong);
      }),
      { numRuns: runs(200, 100) },
    );
  });

  it('has an answer to any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        const record = `v=spf1 ${text}`;
        expect(['string', 'undefined']).toContain(typeof spfFault(record));
        expect(['string', 'undefined']).toContain(typeof dmarcFault(`v=DMARC1; ${text}`));
      }),
      { numRuns: runs(500, 200) },
    );
  });
});
