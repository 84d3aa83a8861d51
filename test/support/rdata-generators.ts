import fc from 'fast-check';
import type { RecordType } from '../../src/dns/record-types.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const u8 = fc.integer({ min: 0, max: 255 }).map(String);
const u16 = fc.integer({ min: 0, max: 65_535 }).map(String);
const u32 = fc.integer({ min: 0, max: 4_294_967_295 }).map(String);
const bytes = (min: number, max: number) => fc.uint8Array({ minLength: min, maxLength: max });

const decimalEscape = (byte: number): string => `\\${String(byte).padStart(3, '0')}`;
const plainByte = fc.constantFrom(...'abcxyzABCXYZ0189-_').map((c) => c as string);
const labelByte = fc.oneof(
  { weight: 8, arbitrary: plainByte },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }).map(decimalEscape) },
  { weight: 1, arbitrary: fc.constantFrom('\\.', '\\\\', '\\;', '\\"', '\\(', '\\@', '*', '/', '+') },
);
const label = fc.array(labelByte, { minLength: 1, maxLength: 20 }).map((parts) => parts.join(''));
export const domainName = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => `${labels.join('.')}.`),
  },
  { weight: 1, arbitrary: fc.constantFrom('.', 'münchen.example.', 'xn--mnchen-3ya.example.') },
);

const stringByte = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abcXYZ 019;()=,.!\t') },
  { weight: 1, arbitrary: fc.constantFrom('\\"', '\\\\', '\\;', '\\a', 'ü', '€', '😀') },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }).map(decimalEscape) },
);
const quotedOf = (maxLength: number) =>
  fc.array(stringByte, { maxLength }).map((parts) => `"${parts.join('')}"`);
const bareString = fc
  .array(fc.constantFrom('a', 'Z', '0', '\\"', '\\;', '\\032', '\\255', '=', ','), {
    minLength: 1,
    maxLength: 20,
  })
  .map((parts) => parts.join(''))
  .filter((word) => !word.startsWith('\\#'));
const texts = fc.oneof(
  fc.array(quotedOf(60), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(' ')),
  bareString,
);

/** Long words broken up at random, as binary fields may be. */
const brokenUp = (word: fc.Arbitrary<string>) =>
  fc.tuple(word, fc.array(fc.nat(60), { maxLength: 3 })).map(([whole, cuts]) => {
    let result = whole;
    for (const cut of cuts)
      if (cut > 0 && cut < result.length) result = `${result.slice(0, cut)} ${result.slice(cut)}`;
    return result;
  });
const base64 = brokenUp(bytes(1, 60).map((data) => Buffer.from(data).toString('base64')));
const hexOf = (min: number, max: number) =>
  brokenUp(
    fc.tuple(bytes(min, max), fc.boolean()).map(([data, upper]) => {
      const hex = Buffer.from(data).toString('hex');
      return upper ? hex.toUpperCase() : hex;
    }),
  );
const digest = (lengths: Readonly<Record<string, number>>) =>
  fc
    .constantFrom(...Object.keys(lengths), '200')
    .chain((type) =>
      (lengths[type] === undefined ? hexOf(1, 40) : hexOf(lengths[type], lengths[type])).map(
        (hex) => `${type} ${hex}`,
      ),
    );

const words = (...fields: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...fields).map((parts) => parts.join(' '));

const list = (item: fc.Arbitrary<string>) =>
  fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(','));
const parameter: fc.Arbitrary<string> = fc.oneof(
  list(fc.constantFrom('h2', 'h3', 'f\\\\\\\\oo', 'a\\\\,b', 'h2\\032x\\255')).map((ids) => `alpn="${ids}"`),
  u16.map((port) => `port=${port}`),
  list(fc.ipV4()).map((hints) => `ipv4hint=${hints}`),
  list(fc.ipV6()).map((hints) => `ipv6hint=${hints}`),
  bytes(1, 20).map((data) => `ech=${Buffer.from(data).toString('base64')}`),
  fc.constantFrom(
    'dohpath=/q{?dns}',
    'dohpath=/{+dns,x*}',
    'tls-supported-groups=29,23',
    'docpath=n,s',
    'pvd',
    'ohttp',
    'mandatory=alpn',
    'mandatory=port,alpn',
    'no-default-alpn',
    'key8=',
  ),
  fc.tuple(fc.integer({ min: 0, max: 65_534 }), quotedOf(20)).map(([key, value]) => `key${key}=${value}`),
  bytes(2, 2).map(([a, b]) => `key3=${decimalEscape(a!)}${decimalEscape(b!)}`),
);
const svcb = fc.oneof(
  domainName.map((target) => `0 ${target}`),
  words(
    u16,
    domainName,
    fc
      .uniqueArray(parameter, { maxLength: 5, selector: (text) => text.split('=')[0] })
      .map((all) => all.join(' ')),
  ),
);

const angle = (max: number, letters: string) =>
  words(
    fc.integer({ min: 0, max }).map(String),
    fc.oneof(
      fc.constant(''),
      fc.integer({ min: 0, max: 59 }).map(String),
      fc
        .tuple(fc.nat(59), fc.nat(59), fc.nat(999))
        .map(([minutes, seconds, rest]) => `${minutes} ${seconds}.${String(rest).padStart(3, '0')}`),
    ),
    fc.constantFrom(...letters, ...letters.toLowerCase()),
  );
const precision = fc
  .tuple(fc.nat(9), fc.nat(7), fc.constantFrom('', 'm'))
  .map(([d, zeros, m]) => `${d}${'0'.repeat(zeros)}${m}`);
const loc = words(
  angle(89, 'NS'),
  angle(179, 'EW'),
  fc
    .tuple(fc.integer({ min: -99_999, max: 9_999_999 }), fc.nat(99))
    .map(([m, cm]) => `${m}.${String(cm).padStart(2, '0')}m`),
  fc.array(precision, { maxLength: 3 }).map((all) => all.join(' ')),
);

const seconds = fc.oneof(u32, fc.constantFrom('1h', '1H30M', '2w', '1d12h', '90s'));
const expression = fc
  .array(
    fc
      .constantFrom(
        'a',
        '.',
        '^',
        '$',
        '(',
        ')',
        '(a)',
        '|',
        '*',
        '+',
        '?',
        '{2}',
        '{1,3}',
        '{',
        '[',
        ']',
        '[^a-z]',
        '[]-]',
        '-',
      )
      .map((piece) => piece as string),
    { minLength: 1, maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));
const naptrEnd = fc.oneof(
  domainName.map((name) => `"" ${name}`),
  fc.constantFrom('"!^.*$!sip:info@example.com!" .', '"/(a)\\\\/b/c\\\\1/i" .', '"" .'),
  fc
    .tuple(expression, fc.constantFrom('', 'x', '\\\\1', '\\\\2'))
    .map(([left, right]) => `"!${left}!${right}!" .`),
);

/** A URI in quotes. `fc.webUrl()` builds its generators anew for each value, which takes longer than the rest. */
const uri = fc
  .tuple(
    fc.constantFrom('https://', 'ftp://', 'sip:alice@'),
    fc.domain(),
    fc.stringMatching(/^(?:\/(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-F]{2}){0,9}){0,4}(?:\?[\w/?=&+-]{0,9})?$/),
  )
  .map((parts) => `"${parts.join('')}"`);

const ds = words(u16, fc.oneof(u8, fc.constant('ED25519')), digest({ 1: 20, 2: 32, 3: 32, 4: 48 }));
const dnskey = words(u16, fc.constant('3'), fc.oneof(u8, fc.constant('ED25519')), base64);

/** Texts that are nearly always accepted: what is refused of them is so for a rule between fields. */
export const RDATA: Readonly<Record<RecordType, fc.Arbitrary<string>>> = {
  A: fc.ipV4(),
  AAAA: fc.oneof(
    fc.ipV6(),
    fc.ipV4().map((ip) => `::ffff:${ip}`),
  ),
  AFSDB: words(u16, domainName),
  CAA: words(u8, fc.constantFrom('issue', 'ISSUEWILD', 'iodef', 'x1'), fc.oneof(quotedOf(400), bareString)),
  CDNSKEY: dnskey,
  CDS: ds,
  CERT: words(
    fc.oneof(u16, fc.constantFrom('PKIX', 'pgp', 'OID')),
    u16,
    fc.oneof(u8, fc.constant('RSASHA256')),
    base64,
  ),
  CNAME: domainName,
  CSYNC: words(
    u32,
    u16,
    fc
      .array(
        fc.oneof(
          fc.constantFrom('A', 'ns', 'AAAA', 'TYPE28', 'CAA'),
          fc.integer({ min: 1, max: 65535 }).map((n) => `TYPE${n}`),
        ),
      )
      .map((types) => types.join(' ')),
  ),
  DNAME: domainName,
  DNSKEY: dnskey,
  DS: ds,
  HINFO: words(fc.oneof(quotedOf(255), bareString), fc.oneof(quotedOf(255), bareString)),
  HTTPS: svcb,
  LOC: loc,
  MX: words(u16, domainName),
  NAPTR: words(u16, u16, fc.constantFrom('""', '"u"', 'S'), quotedOf(20), naptrEnd),
  NS: domainName,
  OPENPGPKEY: base64,
  PTR: domainName,
  RP: words(domainName, domainName),
  SMIMEA: words(u8, u8, digest({ 1: 32, 2: 64 })),
  SOA: words(domainName, domainName, u32, seconds, seconds, seconds, seconds),
  SPF: texts,
  SRV: words(u16, u16, u16, domainName),
  SSHFP: words(u8, digest({ 1: 20, 2: 32 })),
  SVCB: svcb,
  TLSA: words(u8, u8, digest({ 1: 32, 2: 64 })),
  TXT: texts,
  URI: words(u16, u16, uri),
};

/** Text with a few characters put in, taken out or changed. */
export function mutated(original: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.constantFrom(
      '"',
      '\\',
      ';',
      '(',
      ')',
      '\n',
      '\r',
      '\0',
      ' ',
      '.',
      '..',
      '=',
      ',',
      '@',
      '\\0',
      '\\999',
      '\ud800',
    ),
    fc.constantFrom(
      '$ORIGIN ',
      '$TTL ',
      'IN',
      '\\# ',
      '\u3002',
      '*',
      '::',
      '-',
      '99999999999',
      '\u007f',
      '\ufeff',
    ),
    text,
  );
  const edit = fc.tuple(fc.nat(10_000), fc.nat(5), piece);
  return fc.tuple(original, fc.array(edit, { minLength: 1, maxLength: 4 })).map(([start, edits]) => {
    let result = start;
    for (const [position, removed, added] of edits) {
      const at = result.length === 0 ? 0 : position % (result.length + 1);
      result = result.slice(0, at) + added + result.slice(at + removed);
    }
    return result;
  });
}
