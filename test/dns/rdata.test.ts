import { describe, expect, it } from 'vitest';
import { encodeRdata, parseRdata } from '../../src/dns/parse-rdata.ts';
import { isRecordType, RECORD_TYPES, type RecordType } from '../../src/dns/record-types.ts';

interface Table {
  /** Text and its canonical form; one text alone is canonical. */
  readonly accepted: readonly (readonly [string, string] | string)[];
  /** Text and what the reason says. */
  readonly refused: readonly (readonly [string, string])[];
}

const HEX20 = '123456789abcdef67890123456789abcdef67890';
const HEX32 = 'd4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a';
const HEX48 =
  '72d7b62976ce06438e9c0bf319013cf801f09ecc84b8d7e9495f27e305c6a9b0563a9b5f4d288405c3008a946df983d6';

const nameTable: Table = {
  accepted: [
    'host.example.com.',
    '.',
    ['HOST.Example.COM.', 'host.example.com.'],
    ['_x.*.a/b.example.', '_x.*.a/b.example.'],
    // RFC 1035 section 5.1, RFC 4343 section 2
    ['a\\.b\\032\\065\\\\.example.', 'a\\.b\\032a\\\\.example.'],
    ['\\(\\)\\;\\"\\@\\$\\000\\255.example.', '\\(\\)\\;\\"\\@\\$\\000\\255.example.'],
    ['münchen.example.', 'xn--mnchen-3ya.example.'],
    [`${'a'.repeat(63)}.`, `${'a'.repeat(63)}.`],
    [
      `${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(61)}.`,
      `${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(61)}.`,
    ],
  ],
  refused: [
    ['', 'missing'],
    ['host.example.com', 'no final dot'],
    ['host\\.', 'no final dot'],
    ['@', 'origin'],
    ['a..b.', 'empty label'],
    ['..', 'empty label'],
    ['.a.', 'empty label'],
    [`${'a'.repeat(64)}.`, 'at most 63'],
    [`${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(62)}.`, 'at most 255'],
    [`${'\\097'.repeat(64)}.`, 'at most 63'],
    ['\\256.', '\\DDD'],
    ['\\1a.', '\\DDD'],
    ['a\\', 'backslash'],
    ['"host.example."', 'in quotes'],
    ['host.example. more', 'more fields'],
    ['a b.example.', 'no final dot'],
    ['a;b.', 'comment'],
    ['a\u3002b.', 'A-label'],
    ['a\nb.', 'line break'],
    ['a.\n', 'line break'],
    ['a\u0000b.', 'control character 0'],
    ['\\# 2 00', 'RFC 3597'],
    ['\\# 0', 'not valid rdata of the type'],
    // RFC 3597 section 5: no compression
    ['\\# 4 0161c000', 'not valid rdata of the type'],
  ],
};

const textTable: Table = {
  accepted: [
    '"v=spf1 include:example.com -all"',
    ['bare', '"bare"'],
    ['""', '""'],
    ['  "a"\t"b" ', '"a" "b"'],
    ['"a""b"', '"a" "b"'],
    ['"say \\"hi\\" \\\\ \\;"', '"say \\"hi\\" \\\\ ;"'],
    ['"\\065\\010\\255"', '"A\\010\\255"'],
    ['"ü€😀"', '"\\195\\188\\226\\130\\172\\240\\159\\152\\128"'],
    ['"tab\there"', '"tab\\009here"'],
    ['"(a; b)"', '"(a; b)"'],
    [`"${'x'.repeat(255)}"`, `"${'x'.repeat(255)}"`],
    [`"${'\\120'.repeat(255)}"`, `"${'x'.repeat(255)}"`],
  ],
  refused: [
    ['', 'missing'],
    ['   ', 'missing'],
    ['"quoted" bare', 'outside quotes'],
    ['v=DMARC1;p=none', 'comment'],
    ['a(b)', 'joins lines'],
    ['"open', 'not closed'],
    ['"open\\"', 'not closed'],
    ['"a"b', 'followed by more text'],
    ['a"b"', 'inside the word'],
    ['a="b c"', 'inside the text'],
    ['trailing\\', 'escapes nothing'],
    ['"a\nb"', 'line break'],
    ['"a\r"', 'line break'],
    ['"a"\n', 'line break'],
    ['"\u0007"', 'control character 7'],
    ['"\u007f"', 'control character 127'],
    ['"\\256"', '\\DDD'],
    ['"\\12"', '\\DDD'],
    ['"\ud800"', 'surrogate'],
    [`"${'x'.repeat(256)}"`, 'Split it'],
    [`"${'ü'.repeat(128)}"`, 'Split it'],
    [`"${'x'.repeat(255)}" `.repeat(256).concat('"x"'), '64000 bytes'],
  ],
};

const svcbTable: Table = {
  accepted: [
    // RFC 9460 appendix D.1 and D.2
    '0 foo.example.com.',
    '1 .',
    '16 foo.example.com. port=53',
    ['1 foo.example.com. key667="hello"', '1 foo.example.com. key667=hello'],
    '1 foo.example.com. key667="hello\\210qoo"',
    [
      '1 foo.example.com. ipv6hint="2001:db8::1,2001:db8::53:1"',
      '1 foo.example.com. ipv6hint=2001:db8::1,2001:db8::53:1',
    ],
    [
      '1 example.com. ipv6hint="2001:db8:122:344::192.0.2.33"',
      '1 example.com. ipv6hint=2001:db8:122:344::c000:221',
    ],
    [
      '16 foo.example.org. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1',
      '16 foo.example.org. mandatory=alpn,ipv4hint alpn=h2,h3-19 ipv4hint=192.0.2.1',
    ],
    '16 foo.example.org. alpn="f\\\\\\\\oo\\\\,bar,h2"',
    [
      '16 foo.example.org. alpn=f\\\\\\092oo\\092,bar,h2',
      '16 foo.example.org. alpn="f\\\\\\\\oo\\\\,bar,h2"',
    ],
    // one wire form, one text
    ['1 . key3=\\001\\187', '1 . port=443'],
    ['1 . key1=\\002h2 key2', '1 . alpn=h2 no-default-alpn'],
    ['1 . key0=\\000\\003 port=1', '1 . mandatory=port port=1'],
    ['1 . key4=\\192\\000\\002\\001', '1 . ipv4hint=192.0.2.1'],
    ['1 . no-default-alpn="" alpn=h2', '1 . alpn=h2 no-default-alpn'],
    ['1 . key667=', '1 . key667'],
    ['1 . ohttp', '1 . key8'],
    ['1 . port=0443', '1 . port=443'],
    // RFC 9461 section 5
    ['1 . alpn=h2 dohpath=/dns-query{?dns}', '1 . alpn=h2 dohpath="/dns-query{?dns}"'],
    // RFC 6570: any expression may have the variable
    ...'/{dns} /{+dns} /{#dns} /a{.dns} /{;dns} /{dns:9999} /{dns*} /q?a=b{&dns} /{a}/{?%41,dns} /%C3%A9{?a.b,dns,x*}'
      .concat(' /q{?dns}\\195\\169')
      .split(' ')
      .map((path) => `1 . dohpath="${path}"`),
    // RFC 9460 section 2.4.2: an alias should have none, and clients ignore them.
    ['0 foo.example.com. port=1 alpn=h2', '0 foo.example.com. alpn=h2 port=1'],
    // the keys of the registry without an RFC that all servers know
    ['1 . tls-supported-groups=29,23', '1 . key9="\\000\\029\\000\\023"'],
    ['1 . docpath=n,s\\\\,t', '1 . key10="\\001n\\003s,t"'],
    ['1 . docpath pvd', '1 . key10 key11'],
    ['1 . mandatory=pvd pvd=""', '1 . mandatory=key11 key11'],
    '1 . key9=x key11=y',
    '1 . ech=AEX+DQBBpQAgACB/',
    '1 . key65534=x',
  ],
  refused: [
    // RFC 9460 appendix D.3
    ['1 foo.example.com. key123=abc key123=def', 'twice'],
    ['1 foo.example.com. mandatory', 'Use one of'],
    ['1 foo.example.com. alpn', 'empty or longer than 255 bytes'],
    ['1 foo.example.com. port', 'whole number'],
    ['1 foo.example.com. ipv4hint', 'IPv4 address'],
    ['1 foo.example.com. ipv6hint', 'IPv6 address'],
    ['1 foo.example.com. no-default-alpn=abc', 'must be empty'],
    ['1 foo.example.com. mandatory=key123', 'mandatory but missing'],
    ['1 foo.example.com. mandatory=mandatory', 'ascending'],
    ['1 foo.example.com. mandatory=key123,key123 key123=abc', 'ascending'],
    // RFC 9460 sections 2.1, 7.2, 7.3 and 8, and appendix A.1
    ['1 . PORT=80', 'in lower case'],
    ['1 . KEY3=\\000\\080', 'in lower case'],
    ['1 . mandatory=PORT port=80', 'in lower case'],
    ['1 . port=8\\0480', 'no escapes'],
    ['1 . port="8\\0"', 'no escapes'],
    ['1 . mandatory=\\alpn alpn=h2', 'no escapes'],
    ['1 . ipv4hint=192.0.2.\\1', 'no escapes'],
    ['1 . ipv6hint=2001:db8::\\1', 'no escapes'],
    ['1 . ech=AE\\X+DQBBpQAgACB/', 'no escapes'],
    ['1 . alpn=a\\\\b', 'four'],
    ['1 . alpn=a\\\\', 'four'],
    // and more
    ['1', 'missing'],
    ['x .', 'whole number'],
    ['1 foo', 'final dot'],
    ['0 foo.example.com. mandatory=port', 'mandatory but missing'],
    ['1 . no-default-alpn', 'needs the parameter alpn'],
    ['1 . tls-supported-groups', 'is not a list of numbers'],
    ['1 . tls-supported-groups=29,', 'is not a list of numbers'],
    ['1 . tls-supported-groups=65536', 'is not a list of numbers'],
    ['1 . tls-supported-groups=29,23,029', 'a group twice'],
    ['1 . docpath=n,,s', '255 bytes'],
    ['1 . docpath=n\\\\s', 'four'],
    ['1 . pvd=x', 'must be empty'],
    ['1 . alpn=h2,', '255 bytes'],
    ['1 . alpn=', '255 bytes'],
    ['1 . key1=', 'is empty'],
    ['1 . key1=\\003h2', 'not a list'],
    ['1 . key0=\\000', 'ascending'],
    ['1 . key0=', 'is empty'],
    ['1 . key3=\\001', 'two bytes'],
    ['1 . key4=abc', 'not a list of addresses'],
    ['1 . key5=', 'is empty'],
    ['1 . ech=????', 'base64'],
    ['1 . port=65536', 'whole number'],
    ['1 . dohpath=/dns-query', 'variable dns'],
    ['1 . dohpath=/\\255{?dns}', 'variable dns'],
    ...'q{?dns} /{?dnsx} /{?x}dns /{?dns /?dns} /{}{?dns} /{??dns} /{=dns} /{?dns:0} /{?dns:10000} /{?dns:01}'
      .concat(' /{?dns,} /{?.dns} /%a{?dns} /{?dns,%a} /{?dns,a-b}')
      .split(' ')
      .map((path) => [`1 . dohpath="${path}"`, 'variable dns'] as const),
    ['1 . key65535=x', 'is unknown'],
    ['1 . key007=x', 'is unknown'],
    ['1 . nonsense=x', 'is unknown'],
    ['1 . \u212aey9=x', 'is unknown'],
    ['1 . "port=1"', 'in quotes'],
    ['1 . port="1" x"', 'inside the word'],
    [`1 . alpn=${'x'.repeat(256)}`, '255 bytes'],
  ],
};

const TABLES: Readonly<Record<RecordType, Table>> = {
  A: {
    accepted: ['192.0.2.1', '0.0.0.0', '255.255.255.255', [' 192.0.2.1 ', '192.0.2.1']],
    refused: [
      ['', 'missing'],
      ['192.0.2', 'not an IPv4 address'],
      ['192.0.2.256', 'not an IPv4 address'],
      ['192.0.2.01', 'leading zeros'],
      ['192.0.2.1.', 'not an IPv4 address'],
      ['0x7f.1', 'not an IPv4 address'],
      ['192.0.2.1 192.0.2.2', 'more fields'],
      ['"192.0.2.1"', 'in quotes'],
      ['192.0.2.1\n', 'line break'],
      ['１92.0.2.1', 'not an IPv4 address'],
      ['2001:db8::1', 'not an IPv4 address'],
      ['\\# 4 c00002', 'RFC 3597'],
      ['\\# 4 c00002zz', 'RFC 3597'],
      ['\\# x c0000201', 'whole number'],
      ['\\# 5 c000020100', 'not valid rdata of the type A'],
    ],
  },
  AAAA: {
    accepted: [
      '::',
      '::1',
      '1::',
      // RFC 5952 sections 1, 2 and 4
      ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
      ['2001:0db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
      ['2001:db8:0:0:0:0:2:1', '2001:db8::2:1'],
      ['2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
      ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
      ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
      ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
      // RFC 4291 section 2.2, RFC 5952 section 5
      ['::13.1.68.3', '::d01:4403'],
      ['0:0:0:0:0:FFFF:129.144.52.38', '::ffff:129.144.52.38'],
      ['::ffff:c000:201', '::ffff:192.0.2.1'],
    ],
    refused: [
      ['', 'missing'],
      ['192.0.2.1', 'not an IPv6 address'],
      [':::', 'not an IPv6 address'],
      ['1::2::3', 'not an IPv6 address'],
      ['1:2:3:4:5:6:7', 'not an IPv6 address'],
      ['1:2:3:4:5:6:7:8:9', 'not an IPv6 address'],
      ['1:2:3:4::5:6:7:8', 'not an IPv6 address'],
      [':1:2:3:4:5:6:7', 'not an IPv6 address'],
      ['12345::', 'not an IPv6 address'],
      ['fe80::1%eth0', 'not an IPv6 address'],
      ['::192.0.2.1:1', 'not an IPv6 address'],
      ['::192.0.2.01', 'not an IPv6 address'],
      ['2001:db8::/32', 'not an IPv6 address'],
    ],
  },
  CAA: {
    accepted: [
      // RFC 8659 sections 4.1.1, 4.2 to 4.5
      '0 issue "ca1.example.net"',
      '0 issue "ca1.example.net; account=230123"',
      '0 issuewild ";"',
      '0 iodef "mailto:security@example.com"',
      '128 tbs "Unknown"',
      ['0 ISSUE ca1.example.net', '0 issue "ca1.example.net"'],
      '0 issue ""',
      `0 contactemail "${'x'.repeat(300)}"`,
    ],
    refused: [
      ['0 issue', 'value is missing'],
      ['256 issue "x"', 'from 0 to 255'],
      ['-1 issue "x"', 'from 0 to 255'],
      ['0 "issue" "x"', 'in quotes'],
      ['0 is-sue "x"', 'letters and digits'],
      ['0 \u212aey "x"', 'letters and digits'],
      [`0 ${'a'.repeat(256)} "x"`, 'letters and digits'],
      ['0 issue "a" "b"', 'more fields'],
      ['0 issue ;', 'comment'],
      [`0 issue "${'x'.repeat(64_000)}"`, '64000 bytes'],
    ],
  },
  CERT: {
    accepted: [
      ['PGP 0 0 AQIDBA==', '3 0 0 AQIDBA=='],
      ['pkix 12345 RSASHA256 AQ ID BA==', '1 12345 8 AQIDBA=='],
      '65535 65535 255 AQID',
      ['254 0 PRIVATEOID AQID', '254 0 254 AQID'],
    ],
    refused: [
      ['PGP 0 0', 'certificate is missing'],
      ['0 0 0 AA==', 'is reserved'],
      ['FOO 0 0 AQID', 'from 0 to 65535'],
      ['65536 0 0 AQID', 'from 0 to 65535'],
      ['1 0 256 AQID', 'from 0 to 255'],
      ['1 0 0 AQI', 'not base64'],
      ['\u017fPKI 0 0 AQID', 'certificate type'],
      ['1 0 0 AQ=D', 'not base64'],
      ['1 0 0 AQ-_', 'not base64'],
      ['1 0 0 AR==', 'bits that do not fill a byte'],
      ['1 0 0 "AQID"', 'in quotes'],
    ],
  },
  AFSDB: {
    accepted: ['1 db.example.', ['2 DB.Example.', '2 db.example.']],
    refused: [
      ['1', 'missing'],
      ['65536 db.example.', 'from 0 to 65535'],
    ],
  },
  RP: {
    // RFC 1183 section 2.3
    accepted: [
      ['Louie.TRANTOR.umd.edu. LAM1.people.umd.edu.', 'louie.trantor.umd.edu. lam1.people.umd.edu.'],
      '. .',
    ],
    refused: [['louie.trantor.umd.edu.', 'missing']],
  },
  HINFO: {
    accepted: [
      ['DEC-2060 TOPS20', '"DEC-2060" "TOPS20"'],
      ['"RFC8482" ""', '"RFC8482" ""'],
    ],
    refused: [
      ['one', 'operating system is missing'],
      ['a b c', 'more fields'],
    ],
  },
  DNSKEY: {
    accepted: [
      [
        '257 3 ED25519 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
        '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
      ],
      ['256 3 8 AQID BAUG', '256 3 8 AQIDBAUG'],
      // RFC 4034 appendix A.1.1: the name foo. or the object identifier 1.2.3.4, and one byte.
      '256 3 253 A2ZvbwAB',
      '256 3 254 BgMqAwQB',
    ],
    refused: [
      ['256 3 253 A2ZvbwA=', 'of its algorithm'],
      ['256 3 253 A2Zv', 'of its algorithm'],
      ['256 3 254 BgMqAwQ=', 'of its algorithm'],
      ['256 3 254 BgMqA4QB', 'of its algorithm'],
      ['256 3 254 BQMqAwQB', 'of its algorithm'],
      // RFC 4034 section 2.1.2
      ['256 2 8 AQID', 'protocol must be 3'],
      ['256 3 8', 'public key is missing'],
      ['256 3 NOPE AQID', 'from 0 to 255'],
    ],
  },
  CDNSKEY: {
    // RFC 8078 section 4
    accepted: ['0 3 0 AA==', '257 3 8 AQID'],
    refused: [['0 0 0 AA==', 'protocol must be 3']],
  },
  CDS: {
    // RFC 8078 section 4
    accepted: ['0 0 0 00', [`60485 5 1 ${HEX20.toUpperCase()}`, `60485 5 1 ${HEX20}`]],
    refused: [['60485 5 1 2BB183', '3 bytes, but its type requires 20']],
  },
  CSYNC: {
    accepted: [
      // RFC 7477 section 2.1.2.2
      '66 3 A NS AAAA',
      ['66 3 aaaa TYPE1 NS ns type256 TYPE65280', '66 3 A NS AAAA URI TYPE65280'],
      '0 0',
    ],
    refused: [
      ['66 3 NOPE', "'NOPE' is unknown"],
      ['66 3 TYPE0', 'unknown'],
      ['66 3 TYPE65536', 'unknown'],
      ['66', 'flags field is missing'],
    ],
  },
  SMIMEA: {
    accepted: ['3 0 0 308201', [`3 1 1 ${HEX32.toUpperCase()}`, `3 1 1 ${HEX32}`]],
    refused: [['3 1 1 ab', '1 bytes, but its type requires 32']],
  },
  CNAME: nameTable,
  DNAME: nameTable,
  NS: nameTable,
  PTR: nameTable,
  DS: {
    accepted: [
      // RFC 4034 section 5.4, RFC 4509 section 2.3, RFC 6605 section 6.2
      [
        '60485 5 1 2BB183AF5F22588179A53B0A 98631FAD1A292118',
        '60485 5 1 2bb183af5f22588179a53b0a98631fad1a292118',
      ],
      [`60485 RSASHA1 2 ${HEX32.toUpperCase()}`, `60485 5 2 ${HEX32}`],
      [`10771 ECDSAP384SHA384 4 ${HEX48}`, `10771 14 4 ${HEX48}`],
      '1 8 99 ab',
    ],
    refused: [
      ['60485 5 1', 'digest is missing'],
      ['60485 5 1 2BB183', '3 bytes, but its type requires 20'],
      [`60485 5 2 ${HEX20}`, '20 bytes, but its type requires 32'],
      ['60485 5 99 abc', 'is not hexadecimal'],
      ['60485 5 99 0xab', 'is not hexadecimal'],
      ['65536 5 1 ab', 'from 0 to 65535'],
      ['1 NOPE 1 ab', 'from 0 to 255'],
      ['1 5 SHA1 ab', 'from 0 to 255'],
      ['60485 5 1 ( 2BB183AF5F22588179A53B0A )', 'joins lines'],
    ],
  },
  HTTPS: svcbTable,
  LOC: {
    accepted: [
      // RFC 1876 section 4
      ['42 21 54 N 71 06 18 W -24m 30m', '42 21 54.000 N 71 6 18.000 W -24.00m 30.00m 10000.00m 10.00m'],
      [
        '42 21 43.952 N 71 5 6.344 W -24m 1m 200m',
        '42 21 43.952 N 71 5 6.344 W -24.00m 1.00m 200.00m 10.00m',
      ],
      ['52 14 05 N 00 08 50 E 10m', '52 14 5.000 N 0 8 50.000 E 10.00m 1.00m 10000.00m 10.00m'],
      ['32 7 19 S 116 2 25 E 10m', '32 7 19.000 S 116 2 25.000 E 10.00m 1.00m 10000.00m 10.00m'],
      [
        '42 21 28.764 N 71 00 51.617 W -44m 2000m',
        '42 21 28.764 N 71 0 51.617 W -44.00m 2000.00m 10000.00m 10.00m',
      ],
      // one wire form, one text
      ['0 s 0 w 0', '0 0 0.000 N 0 0 0.000 E 0.00m 1.00m 10000.00m 10.00m'],
      ['90 0 0 S 180 0 0 W -100000 0 0 0', '90 0 0.000 S 180 0 0.000 W -100000.00m 0.00m 0.00m 0.00m'],
      '90 0 0.000 N 180 0 0.000 E 42849672.95m 90000000.00m 0.01m 0.50m',
      ['0 N 0 E 0 35m 1999.99m 0.19m', '0 0 0.000 N 0 0 0.000 E 0.00m 30.00m 1000.00m 0.10m'],
      ['0 0 .5 N 0 0 5. E .5m 5.m', '0 0 0.500 N 0 0 5.000 E 0.50m 5.00m 10000.00m 10.00m'],
      ['1 2 3.4 N 5 6 7.89 E +1.5', '1 2 3.400 N 5 6 7.890 E 1.50m 1.00m 10000.00m 10.00m'],
    ],
    refused: [
      ['', 'latitude is missing'],
      ['N 0 E 0', 'latitude is invalid'],
      ['91 N 0 E 0', 'latitude is invalid'],
      ['90 0 0.001 N 0 E 0', 'latitude is invalid'],
      ['0 60 N 0 E 0', 'latitude is invalid'],
      ['0 0 60 N 0 E 0', 'latitude is invalid'],
      ['0 0 0.0001 N 0 E 0', 'latitude is invalid'],
      ['0 0 0 0 N 0 E 0', 'latitude is invalid'],
      ['0 E 0 N 0', 'latitude is invalid'],
      ['0 N 181 E 0', 'longitude is invalid'],
      ['0 \u017f 0 E 0', 'latitude is invalid'],
      ['0 N 0 E', 'altitude is missing'],
      ['0 N 0 E 42849672.96', 'altitude'],
      ['0 N 0 E -100000.01', 'altitude'],
      ['0 N 0 E 1.234m', 'two decimals'],
      ['0 N 0 E 1km', 'not a length'],
      ['0 N 0 E .', 'not a length'],
      ['0 N 0 E m', 'not a length'],
      ['0 0 . N 0 E 0', 'latitude is invalid'],
      ['0 N 0 E 0 -1m', 'from 0 to 90000000m'],
      ['0 N 0 E 0 90000001m', 'from 0 to 90000000m'],
      ['0 N 0 E 0 1m 1m 1m 1m', 'more fields'],
    ],
  },
  MX: {
    accepted: [
      '10 mail.example.com.',
      '0 .',
      '10 .',
      ['010 MAIL.example.com.', '10 mail.example.com.'],
      '65535 a.',
    ],
    refused: [
      ['10', 'mail server is missing'],
      ['mail.example.com.', 'preference'],
      ['10 mail.example.com', 'final dot'],
      ['65536 a.', 'from 0 to 65535'],
      ['1.5 a.', 'whole number'],
      ['1e3 a.', 'whole number'],
      ['\\# 4 000ac000', 'not valid rdata of the type'],
    ],
  },
  NAPTR: {
    accepted: [
      // RFC 3403 section 6.1, RFC 2915 section 7
      '100 50 "a" "z3950+N2L+N2C" "" cidserver.example.com.',
      '100 10 "" "" "!^urn:cid:.+@([^\\\\.]+\\\\.)(.*)$!\\\\2!i" .',
      '100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .',
      [
        '100 50 s http+I2L+I2C+I2R "" _http._tcp.Foo.com.',
        '100 50 "s" "http+I2L+I2C+I2R" "" _http._tcp.foo.com.',
      ],
      '100 10 "" "" "" .',
      '0 65535 "" "" "/a\\\\/b/c/" .',
      '1 1 "u" "" "!^(\\\\+[0-9]{1,3}|[^][:alpha:]_+-])*$!tel:\\\\1!i" .',
      '1 1 "u" "" "!a{2,}b{3}{x}|c\\\\*!y!" .',
    ],
    refused: [
      ['100 50 "a" "b"', 'regexp is missing'],
      ['100 50 "a" "b" ""', 'replacement is missing'],
      ['100 50 "a-b" "c" "" .', 'flags'],
      ['100 50 "u" "c" "!a!b" .', 'not a substitution'],
      ['100 50 "u" "c" "!a!b!x" .', 'not a substitution'],
      ['100 50 "u" "c" "!a!b!i!" .', 'not a substitution'],
      ['100 50 "u" "c" "iaibi" .', 'not a substitution'],
      ['100 50 "u" "c" "!a\\000!b!" .', 'not a substitution'],
      ['100 50 "u" "c" "!(a)!\\\\2!" .', 'group \\2'],
      ['100 50 "u" "c" "!(a)!\\\\0!" .', 'group \\0'],
      ...[
        '',
        '*a',
        'a**',
        '^*',
        '(a',
        'a)',
        '()',
        '(a|)',
        'a|',
        '|a',
        '[a',
        '[]',
        '[z-a]',
        '[a-c-e]',
        '[[:x:]]',
        '[[.a.]]',
      ]
        .concat(['a{2,1}', 'a{256}', 'a{1', '{1}', '\\\\1', '[[:alpha:]-z]', '[0-9-_]'])
        .map((expression) => [`1 1 "u" "" "!${expression}!b!" .`, 'regular expression'] as const),
      ['100 10 "" "" "!^urn:(.*)$!\\2!i" .', '\\DDD'],
      [`100 10 "" "${'x'.repeat(256)}" "" .`, 'at most 255'],
    ],
  },
  OPENPGPKEY: {
    accepted: ['AQIDBA==', ['AQ ID\tBA==', 'AQIDBA==']],
    refused: [
      ['', 'missing'],
      ['AQIDBA', 'not base64'],
      ['====', 'not base64'],
      ['AQIDBB==', 'bits that do not fill a byte'],
      ['A'.repeat(4 * 21_846), '64000 bytes'],
    ],
  },
  SOA: {
    accepted: [
      // RFC 1035 section 5.3
      [
        'VENERA.ISI.EDU. Action\\.domains.ISI.EDU. 20 7200 600 3600000 60',
        'venera.isi.edu. action\\.domains.isi.edu. 20 7200 600 3600000 60',
      ],
      ['ns1.a. h.a. 4294967295 1h 15M 2w1d 1h30m', 'ns1.a. h.a. 4294967295 3600 900 1296000 5400'],
      '. . 0 0 0 0 2147483647',
      // RFC 1035 section 3.3.13: 32 bits
      '. . 4294967295 4294967295 4294967295 4294967295 4294967295',
      ['ns1.a. h\\@x.a. 1 2 3 4 5', 'ns1.a. h\\@x.a. 1 2 3 4 5'],
    ],
    refused: [
      ['ns1.a. h.a. 1 2 3 4', 'minimum timer is missing'],
      ['ns1.a. h@a. 1 2 3 4 5', 'a dot instead'],
      ['ns1.a h.a. 1 2 3 4 5', 'final dot'],
      ['ns1.a. h.a. 4294967296 2 3 4 5', 'serial'],
      ['ns1.a. h.a. 1h 2 3 4 5', 'serial'],
      ['ns1.a. h.a. 1 2 3 4 4294967296', 'minimum timer'],
      ['ns1.a. h.a. 1 2 3 7102w 5', 'expire timer'],
      ['ns1.a. h.a. 1 2y 3 4 5', 'refresh timer'],
      ['ns1.a. h.a. 1 2 3 4 5 6', 'more fields'],
    ],
  },
  SPF: textTable,
  TXT: textTable,
  SRV: {
    accepted: [
      // RFC 2782
      '0 1 9 old-slow-box.example.com.',
      '0 0 0 .',
      ['1 3 9 New-Fast-Box.example.com.', '1 3 9 new-fast-box.example.com.'],
    ],
    refused: [
      ['0 1 9', 'target is missing'],
      ['0 1 9 host', 'final dot'],
      ['0 1 65536 host.', 'port'],
      ['0 1 host.', 'port'],
      ['0 x 9 host.', 'weight'],
    ],
  },
  SSHFP: {
    accepted: [
      // RFC 4255 section 3.2, RFC 6594 section 5, RFC 7479 section 4
      `2 1 ${HEX20}`,
      [`1 2 ${HEX32.toUpperCase()}`, `1 2 ${HEX32}`],
      `4 2 a87f1b687ac0e57d2a081a2f282672334d90ed316d2b818ca9580ea384d92401`,
      [`3 1 ${HEX20.slice(0, 10)} ${HEX20.slice(10)}`, `3 1 ${HEX20}`],
      '6 200 00',
    ],
    refused: [
      ['2 1', 'fingerprint is missing'],
      ['2 1 1234', '2 bytes, but its type requires 20'],
      [`2 2 ${HEX20}`, '20 bytes, but its type requires 32'],
      ['256 1 00', 'algorithm'],
      ['2 9 0g', 'hexadecimal'],
    ],
  },
  SVCB: svcbTable,
  TLSA: {
    accepted: [
      // RFC 6698 section 2.3
      [`0 0 1 ${HEX32.toUpperCase()}`, `0 0 1 ${HEX32}`],
      `3 1 2 ${HEX32}${HEX32}`,
      ['3 0 0 30 82', '3 0 0 3082'],
      '255 255 255 00',
    ],
    refused: [
      ['3 1 1', 'missing'],
      ['3 1 1 00', '1 bytes, but its type requires 32'],
      [`3 1 2 ${HEX32}`, '32 bytes, but its type requires 64'],
      ['3 1 0 000', 'is not hexadecimal'],
      ['DANE-EE 1 1 00', 'certificate usage'],
    ],
  },
  URI: {
    accepted: [
      // RFC 7553 sections 4.1 and 5
      '10 1 "ftp://ftp1.example.com/public"',
      ['10 1 https://example.com/a', '10 1 "https://example.com/a"'],
      `1 1 "x:${'y'.repeat(300)}"`,
    ],
    refused: [
      ['10 1', 'target is missing'],
      ['10 1 ""', 'not a URI'],
      ['10 1 "/relative"', 'not a URI'],
      ['10 1 "https://example.com/a b"', 'not a URI'],
      ['10 1 "https://münchen.example/"', 'percent-encode'],
      ['10 1 "a:b" "c:d"', 'more fields'],
      ['65536 1 "a:b"', 'priority'],
    ],
  },
};

const shortened = (text: string): string =>
  text.length > 70 ? `${text.slice(0, 70)}… (${text.length})` : text;

describe.each(RECORD_TYPES)('%s rdata', (type) => {
  const { accepted, refused } = TABLES[type];
  const pairs = accepted.map((row) => (typeof row === 'string' ? ([row, row] as const) : row));

  it.each(pairs.map(([text, canonical]) => ({ name: shortened(text), text, canonical })))(
    'takes $name',
    (row) => {
      const accepted = {
        ok: true,
        rdata: row.canonical,
        wireLength: encodeRdata(type, row.canonical).length,
      };
      expect(parseRdata(type, row.text)).toEqual(accepted);
      expect(parseRdata(type, row.canonical)).toEqual(accepted);
      expect(encodeRdata(type, row.canonical)).toEqual(encodeRdata(type, row.text));
    },
  );

  it.each(refused.map(([text, why]) => ({ name: shortened(text), text, why })))(
    'refuses $name',
    ({ text, why }) => {
      const result = parseRdata(type, text);
      expect(result).toMatchObject({ ok: false, reason: expect.stringContaining(why) });
      if (result.ok) return;
      expect(result.reason).toMatch(/^[A-Z'].*\.$/);
      expect(result.reason).toMatch(/^[\x20-\x7e…]*$/);
      expect(result.reason.length).toBeLessThan(300);
    },
  );

  it('refuses more text than any rdata needs', () => {
    expect(parseRdata(type, 'a'.repeat(300_001))).toMatchObject({ ok: false });
  });
});

describe('rdata of types that have only a number', () => {
  it.each([
    ['MINFO', 'TYPE14', '\\# 6 016100016200', '\\# 2 0161'],
    ['X25', 'TYPE19', '\\# 5 0431323334', '\\# 4 03313233'],
    ['APL', 'TYPE42', '\\# 8 00011804c0000201', '\\# 8 00012104c0000201'],
    ['IPSECKEY', 'TYPE45', '\\# 8 0a0102c000020100', '\\# 4 0a0102c0'],
    ['EUI48', 'TYPE108', '\\# 6 00005e0053a2', '\\# 5 00005e0053'],
    ['DLV', 'TYPE32769', '\\# 5 0001080500', '\\# 5 0001080100'],
  ] as const)('is that of %s', (name, type, right, wrong) => {
    expect(parseRdata(type, right)).toMatchObject({ ok: true, rdata: right });
    const reason = expect.stringContaining(`not valid rdata of the type ${name}, which is ${type}`);
    expect(parseRdata(type, wrong)).toEqual({ ok: false, reason });
  });

  it('is anything where no RFC gives the type a form', () => {
    for (const text of ['\\# 0', '\\# 3 c0ffee']) {
      expect(parseRdata('TYPE65280', text)).toMatchObject({ ok: true, rdata: text });
    }
  });
});

const hex = (type: RecordType, text: string): string => Buffer.from(encodeRdata(type, text)).toString('hex');
const FOO = '03666f6f076578616d706c6503636f6d00';
const FOO_ORG = '03666f6f076578616d706c65036f726700';

describe('the wire form', () => {
  it.each<[RecordType, string, string]>([
    ['A', '192.0.2.1', 'c0000201'],
    ['AAAA', '2001:db8::1', '20010db8000000000000000000000001'],
    ['MX', '10 foo.example.com.', `000a${FOO}`],
    ['TXT', '"a" ""', '016100'],
    ['CAA', '0 issue "ca"', '000569737375656361'],
    ['URI', '10 1 "a:b"', '000a0001613a62'],
    ['LOC', '42 21 54 N 71 06 18 W -24m 30m', '0033161389172dd070be15f000988d20'],
    // RFC 9460 appendix D
    ['HTTPS', '0 foo.example.com.', `0000${FOO}`],
    ['SVCB', '1 .', '000100'],
    ['SVCB', '16 foo.example.com. port=53', `0010${FOO}000300020035`],
    ['SVCB', '1 foo.example.com. key667=hello', `0001${FOO}029b000568656c6c6f`],
    ['SVCB', '1 foo.example.com. key667="hello\\210qoo"', `0001${FOO}029b000968656c6c6fd2716f6f`],
    [
      'SVCB',
      '16 foo.example.org. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1',
      `0010${FOO_ORG}000000040001000400010009026832${'0568332d3139'}00040004c0000201`,
    ],
    [
      'SVCB',
      '16 foo.example.org. alpn=f\\\\\\092oo\\092,bar,h2',
      `0010${FOO_ORG}0001000c08665c6f6f2c626172026832`,
    ],
    // RFC 7477 section 2.1.2.2
    ['CSYNC', '66 3 A NS AAAA', '000000420003000460000008'],
    ['CSYNC', '1 0 NS CAA', '000000010000' + '000120' + '010140'],
    ['HINFO', 'a ""', '016100'],
    ['AFSDB', '1 a.', '0001016100'],
    ['CDNSKEY', '0 3 0 AA==', '0000030000'],
  ])('of %s %s', (type, text, wire) => {
    expect(hex(type, text)).toBe(wire);
  });
});

describe('record types', () => {
  it('are known by their exact name', () => {
    expect(RECORD_TYPES.every(isRecordType)).toBe(true);
    expect(['a', 'ANY', 'toString', '__proto__', 'TYPE1', ''].some(isRecordType)).toBe(false);
  });
});
