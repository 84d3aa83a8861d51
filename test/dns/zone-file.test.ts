import { describe, expect, it } from 'vitest';
import { canonicalName } from '../../src/dns/names.ts';
import { formatZoneFile, zoneFileParts } from '../../src/dns/zone-file/format.ts';
import type { ZoneFile } from '../../src/dns/zone-file/zone.ts';
import { faultsOf, parseZoneFile, readPieces } from '../support/parsed-zone-file.ts';
import { runs } from '../support/runs.ts';

const SOA = 'example.com. 3600 IN SOA ns1.example.com. host.example.com. 1 2 3 4 5\n';
const WRITTEN_SOA = `$TTL 3600\n${SOA.replace(' 3600', ' ')}`;

function zoneOf(text: string, origin?: string): ZoneFile {
  const result = parseZoneFile(text, origin === undefined ? {} : { origin });
  if (result.ok !== true) throw new Error(JSON.stringify(result));
  return result.zone;
}

/** One line per record, after the SOA. */
function records(text: string, origin?: string): string[] {
  return formatZoneFile(zoneOf(text, origin)).trimEnd().split('\n').slice(3);
}

describe('a zone file', () => {
  it('of RFC 1035 section 5.3 is read', () => {
    const text = `@   IN  SOA     VENERA      Action\\.domains (
                                 20     ; SERIAL
                                 7200   ; REFRESH
                                 600    ; RETRY
                                 3600000; EXPIRE
                                 60)    ; MINIMUM

        NS      A.ISI.EDU.
        NS      VENERA
        NS      VAXA
        MX      10      VENERA
        MX      20      VAXA

A       A       26.3.0.103

VENERA  A       10.1.0.52
        A       128.9.0.32

VAXA    A       10.2.0.27
        A       128.9.0.33
`;
    expect(parseZoneFile(text, { origin: 'isi.edu.' })).toMatchObject({
      ok: true,
      zone: {
        origin: 'isi.edu.',
        soa: { ttl: 60, rdata: 'venera.isi.edu. action\\.domains.isi.edu. 20 7200 600 3600000 60' },
        recordsets: [
          {
            name: 'isi.edu.',
            type: 'NS',
            ttl: 60,
            records: ['a.isi.edu.', 'venera.isi.edu.', 'vaxa.isi.edu.'],
          },
          { name: 'isi.edu.', type: 'MX', ttl: 60, records: ['10 venera.isi.edu.', '20 vaxa.isi.edu.'] },
          { name: 'a.isi.edu.', type: 'A', ttl: 60, records: ['26.3.0.103'] },
          { name: 'venera.isi.edu.', type: 'A', ttl: 60, records: ['10.1.0.52', '128.9.0.32'] },
          { name: 'vaxa.isi.edu.', type: 'A', ttl: 60, records: ['10.2.0.27', '128.9.0.33'] },
        ],
      },
    });
  });

  it('of RFC 2308 section 4 is read: $TTL is the default', () => {
    const text = `$ORIGIN EXAMPLE.COM.
$TTL 3600
@ IN SOA ns1 host 1 2 3 4 86400
www A 192.0.2.1
$TTL 1h30m
ftp 60 IN A 192.0.2.2
    TXT x
`;
    expect(records(text)).toEqual([
      'www.example.com. 3600 IN A 192.0.2.1',
      'ftp.example.com. 60 IN A 192.0.2.2',
      'ftp.example.com. 5400 IN TXT "x"',
    ]);
  });

  it.each<[string, string, string[]]>([
    ['TTL then class', 'a 60 IN A 192.0.2.1', ['a.example.com. 60 IN A 192.0.2.1']],
    ['class then TTL', 'a in 1m A 192.0.2.1', ['a.example.com. 60 IN A 192.0.2.1']],
    ['neither: the last TTL', 'a a 192.0.2.1', ['a.example.com. 3600 IN A 192.0.2.1']],
    [
      'the last TTL given',
      'a 7 A 192.0.2.1\nb A 192.0.2.2',
      ['a.example.com. 7 IN A 192.0.2.1', 'b.example.com. 7 IN A 192.0.2.2'],
    ],
    [
      'an owner named like a class or a type',
      'in 60 IN A 192.0.2.1\nA A 192.0.2.2\n60 A 192.0.2.3',
      [
        'in.example.com. 60 IN A 192.0.2.1',
        'a.example.com. 60 IN A 192.0.2.2',
        '60.example.com. 60 IN A 192.0.2.3',
      ],
    ],
    [
      'parentheses around anything',
      'a ( 60\n IN\nA ) 192.0.2.1 ( ; x (\n)',
      ['a.example.com. 60 IN A 192.0.2.1'],
    ],
    ['nested parentheses', 'a 60 TXT (("a" (b)))', ['a.example.com. 60 IN TXT "a" "b"']],
    [
      'bare strings',
      'a 60 TXT one two\\ three "a;b(c"',
      ['a.example.com. 60 IN TXT "one" "two three" "a;b(c"'],
    ],
    [
      'comments and blank lines',
      '; x\n\n  \t; y\na 60 A 192.0.2.1;z\n;',
      ['a.example.com. 60 IN A 192.0.2.1'],
    ],
    [
      'CRLF',
      'a 60 A 192.0.2.1\r\n  A 192.0.2.2 ; x\r\n',
      ['a.example.com. 60 IN A 192.0.2.1', 'a.example.com. 60 IN A 192.0.2.2'],
    ],
    ['no newline at the end', 'a 60 A 192.0.2.1', ['a.example.com. 60 IN A 192.0.2.1']],
    ['@ in owner and rdata', '@ 60 MX 10 @', ['example.com. 60 IN MX 10 example.com.']],
    ['letter case', 'WwW 60 in CnAmE Host.EXAMPLE.com.', ['www.example.com. 60 IN CNAME host.example.com.']],
    [
      'wildcards',
      '* 60 A 192.0.2.1\n*.b 60 A 192.0.2.1',
      ['*.example.com. 60 IN A 192.0.2.1', '*.b.example.com. 60 IN A 192.0.2.1'],
    ],
    [
      'U-labels',
      'münchen 60 CNAME bücher',
      ['xn--mnchen-3ya.example.com. 60 IN CNAME xn--bcher-kva.example.com.'],
    ],
    ['escaped letters of the owner', '\\119\\119w 60 A 192.0.2.1', ['www.example.com. 60 IN A 192.0.2.1']],
    [
      'the owner before the $ORIGIN',
      'a 60 A 192.0.2.1\n$ORIGIN b\n  A 192.0.2.2\nc A 192.0.2.3',
      [
        'a.example.com. 60 IN A 192.0.2.1',
        'a.example.com. 60 IN A 192.0.2.2',
        'c.b.example.com. 60 IN A 192.0.2.3',
      ],
    ],
    [
      '@ under each $ORIGIN',
      '@ 60 A 192.0.2.1\n$ORIGIN b\n@ A 192.0.2.2',
      ['example.com. 60 IN A 192.0.2.1', 'b.example.com. 60 IN A 192.0.2.2'],
    ],
    ['a root $ORIGIN', '$ORIGIN .\nx.example.com 60 A 192.0.2.1', ['x.example.com. 60 IN A 192.0.2.1']],
    [
      'scattered records of one recordset',
      'a 60 A 192.0.2.2\nb 60 A 192.0.2.3\na 60 A 192.0.2.1',
      [
        'a.example.com. 60 IN A 192.0.2.2',
        'a.example.com. 60 IN A 192.0.2.1',
        'b.example.com. 60 IN A 192.0.2.3',
      ],
    ],
    [
      'a record twice, once (RFC 2181 section 5)',
      'a 60 AAAA ::1\na 60 AAAA 0:0::1',
      ['a.example.com. 60 IN AAAA ::1'],
    ],
    [
      'different TTLs, the lowest (RFC 2181 section 5.2)',
      'a 60 A 192.0.2.1\na 30 A 192.0.2.2\na 90 A 192.0.2.3',
      [
        'a.example.com. 30 IN A 192.0.2.1',
        'a.example.com. 30 IN A 192.0.2.2',
        'a.example.com. 30 IN A 192.0.2.3',
      ],
    ],
    ['the SOA again, as at the end of a transfer', SOA, []],
    [
      'SvcParams with quotes',
      'a 60 HTTPS 1 . alpn="h2,h3" ; x',
      ['a.example.com. 60 IN HTTPS 1 . alpn=h2,h3'],
    ],
  ])('may have %s', (_, text, expected) => {
    expect(records(SOA + text, 'example.com.')).toEqual(expected);
    expect(records(SOA + text)).toEqual(expected);
  });

  it('without any TTL before the SOA has its minimum as the default', () => {
    const text = '@ SOA ns1 host 1 2 3 4 300\na A 192.0.2.1\nb 60 A 192.0.2.2\nc A 192.0.2.3\n';
    expect(zoneOf(text, 'example.com.').soa.ttl).toBe(300);
    expect(records(text, 'example.com.')).toEqual([
      'a.example.com. 300 IN A 192.0.2.1',
      'b.example.com. 60 IN A 192.0.2.2',
      'c.example.com. 300 IN A 192.0.2.3',
    ]);
  });

  it('may begin with a byte order mark', () => {
    expect(zoneOf(`\ufeff${SOA}`).origin).toBe('example.com.');
  });

  it('may write known types, classes and rdata in the general form of RFC 3597', () => {
    const text = `${SOA}a 60 CLASS1 TYPE1 \\# 4 c0000201\nb 60 IN A \\# 4 C0 00 02 02\nc 60 TYPE257 0 issue "x"\nd 60 TYPE65280 ( \\# 3\n  0A 0b0C )\n`;
    expect(records(text)).toEqual([
      'a.example.com. 60 IN A 192.0.2.1',
      'b.example.com. 60 IN A 192.0.2.2',
      'c.example.com. 60 IN CAA 0 issue "x"',
      'd.example.com. 60 IN TYPE65280 \\# 3 0a0b0c',
    ]);
  });

  it('may have the SOA last', () => {
    expect(records(`$ORIGIN example.com.\nwww 60 A 192.0.2.1\n${SOA}`)).toEqual([
      'www.example.com. 60 IN A 192.0.2.1',
    ]);
  });

  it('keeps duplicates out of large recordsets too', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `a 60 A 192.0.2.${i % 30}\n`);
    expect(records(SOA + lines.join(''))).toHaveLength(30);
  });
});

describe('a wrong zone file is refused with line and reason', () => {
  it.each<[string, number, string]>([
    ['', 1, 'no SOA'],
    ['; nothing\n\n', 3, 'no SOA'],
    ['a.example.com. 60 A 192.0.2.1\n', 2, 'no SOA'],
    [`${SOA}\n\nwww 60 A 192.0.2.256\n`, 4, 'not an IPv4 address'],
    [`${SOA}www 60 A (\n\n192.0.2.256\n)`, 4, 'not an IPv4 address'],
    [`${SOA}www 60 MX (\n 10\n mail\n extra )`, 5, 'more fields'],
    [`${SOA}www 60 A`, 2, 'missing'],
    [`${SOA}www 60 IN`, 2, 'no type'],
    [`${SOA}www`, 2, 'no type'],
    [`${SOA}www 60 60 A 192.0.2.1`, 2, "'60'"],
    [`${SOA}www 60 \u017fRV 0 0 0 .`, 2, 'is not supported'],
    [`${SOA}www CH A 192.0.2.1`, 2, 'class CH'],
    [`${SOA}www 60 APL 1:192.0.2.0/24`, 2, 'is not supported'],
    [`${SOA}www 60 NXT a b`, 2, 'A DNSSEC signer generates NXT records'],
    [`${SOA}www 60 TYPE250 \\# 0`, 2, 'RFC 6895'],
    [`${SOA}www 60 TYPE65536 \\# 0`, 2, 'is not supported'],
    [`${SOA}www 60 RRSIG x`, 2, 'A DNSSEC signer generates RRSIG records'],
    [`${SOA}www 60 TYPE65534 0a`, 2, 'RFC 3597'],
    [`${SOA}www 60 TYPE65534 \\# 2 0a`, 2, 'RFC 3597'],
    [`${SOA}www 60 A \\# 4 c00002`, 2, 'RFC 3597'],
    [`${SOA}www 2147483648 A 192.0.2.1`, 2, 'TTL'],
    [`${SOA}www "60" A 192.0.2.1`, 2, 'in quotes'],
    [`${SOA}"www" 60 A 192.0.2.1`, 2, 'in quotes'],
    [`${SOA}$INCLUDE other.zone`, 2, '$INCLUDE is not supported'],
    [`${SOA}$generate 1-10 a$ A 192.0.2.$`, 2, '$GENERATE is not supported'],
    [`${SOA}$DATE x`, 2, 'is unknown'],
    [`${SOA}$TTL`, 2, 'missing'],
    [`${SOA}$TTL x`, 2, 'TTL'],
    [`${SOA}$TTL 60 60`, 2, 'more fields'],
    [`${SOA}$ORIGIN a..b.`, 2, 'empty label'],
    [`${SOA}$ORIGIN "a."`, 2, 'in quotes'],
    [`${SOA}www.example.org. 60 A 192.0.2.1`, 2, 'outside the zone'],
    [`${SOA}notexample.com. 60 A 192.0.2.1`, 2, 'outside the zone'],
    [`www.example.org. 60 A 192.0.2.1\n${SOA}`, 1, 'outside the zone'],
    [`${SOA}example.com. 60 SOA ns1 host 9 2 3 4 5`, 2, 'second SOA'],
    [`${SOA}www 60 SOA ns1 host 1 2 3 4 5`, 2, 'the zone is'],
    [`www A 192.0.2.1\n${SOA}`, 1, 'relative, but there is no origin'],
    [`@ SOA a. b. 1 2 3 4 5`, 1, 'relative, but there is no origin'],
    [`a.example.com. A 192.0.2.1\n${SOA}`, 1, 'no TTL'],
    ['  A 192.0.2.1', 1, 'no record before it'],
    [`${SOA}a\\.b 60 A 192.0.2.1`, 2, 'contains a dot'],
    [`${SOA}a.*.b 60 A 192.0.2.1`, 2, 'leftmost'],
    [`${SOA}a 60 TXT "b\nc"`, 2, 'line break'],
    [`${SOA}a 60 TXT "b`, 2, 'not closed'],
    [`${SOA}a 60 TXT (\n"b"\n`, 2, 'never closed'],
    [`${SOA}a 60 TXT "b")\n`, 2, 'has no opening'],
    [`${SOA}a 60 TXT b\rc`, 2, 'carriage return'],
    [`${SOA}a 60 TXT b\0c`, 2, 'control character 0'],
    [`${SOA}a 60 TXT (\n"b"\n"\u0001")`, 4, 'control character 1'],
    [`${SOA}a 60 TXT (${' "0123456789"'.repeat(30_000)})`, 2, 'record is too long'],
    [`. 60 SOA a. b. 1 2 3 4 5`, 1, 'empty label'],
  ])('%j', (text, line, why) => {
    expect(parseZoneFile(text)).toEqual({ ok: false, line, reason: expect.stringContaining(why) });
  });

  it('in several lines: each is named, wherever the text is cut', () => {
    const text = [
      SOA.trim(),
      'a 60 A 192.0.2.256',
      'b 60 TXT "open',
      'c 60 TXT "a"b',
      '  A 192.0.2.1',
      'd 60 A (192.0.2.1',
      '  192.0.2.2)',
      'e.example.org. 60 A 192.0.2.1',
      '$INCLUDE f',
      'g 60 A 192.0.2.1)',
      'h 60 A 192.0.2.1',
      'i 60 AAAA 192.0.2.1',
    ].join('\n');
    const lines = [2, 3, 4, 7, 8, 9, 10, 12];
    for (const pieces of [[text], text.split(''), text.match(/[\s\S]{1,7}/g)!]) {
      expect(faultsOf(pieces).map(([line]) => line)).toEqual(lines);
    }
  });

  it.each<[string, string, number[]]>([
    ['an unknown owner', `${SOA}a..b 60 A 192.0.2.1\n  60 A 192.0.2.2\n  60 A x\nc 60 A 192.0.2.1`, [2, 4]],
    [
      'an unknown origin',
      `${SOA}$ORIGIN a..b\nwww 60 A 192.0.2.1\nwww.example.org. 60 A 192.0.2.1\nx 60 A y`,
      [2, 5],
    ],
    ['no origin', `@ SOA a. b. 1 2 3 4 5\nwww 60 A 192.0.2.1\n  60 A 192.0.2.2`, [1]],
    ['no TTL', `a.example.com. A 192.0.2.1\nb.example.com. A 192.0.2.1\n${SOA}`, [1]],
    ['a TTL that is none', `a.example.com. 9999999999 A 192.0.2.1\nb.example.com. A 192.0.2.1\n${SOA}`, [1]],
    ['a $TTL that is none', `$TTL x\na.example.com. A 192.0.2.1\n${SOA}`, [1]],
    ['nothing to inherit', `  60 A 192.0.2.1\n  60 A 192.0.2.2\n${SOA}`, [1]],
    [
      'a damaged SOA',
      'example.com. 60 SOA a. b. 1 2 3 4\nwww.example.com. 60 A 192.0.2.1\nx. 60 A 192.0.2.1',
      [1, 3],
    ],
    [
      'an SOA in a line that is none',
      'example.com. 60 SOA a. "b". 1 2 3 4 5\nwww.example.com. 60 A 192.0.2.1',
      [1],
    ],
    ['a parenthesis without its end', `${SOA}a 60 A x\nb 60 A (192.0.2.1\nc 60 A x`, [2, 3]],
    ['a control character in parentheses', `${SOA}a 60 TXT (\n\u0001\n)\nc 60 A x`, [3]],
  ])('with faults that %s would bring along left out', (_, text, lines) => {
    expect(faultsOf(text).map(([line]) => line)).toEqual(lines);
  });

  it('in more lines than are kept: the others are counted', () => {
    const { end } = readPieces([`${SOA}${'x\n'.repeat(5000)}`]);
    expect(end).toMatchObject({ kind: 'faulty', count: 5000 });
    expect(end.kind === 'faulty' && end.faults.length).toBe(100);
  });

  it('where the SOA is not at the given origin', () => {
    expect(parseZoneFile(SOA, { origin: 'example.org.' })).toMatchObject({ ok: false, line: 1 });
    expect(parseZoneFile(SOA, { origin: 'example.com' })).toMatchObject({ ok: false, line: 1 });
  });
});

describe('a written zone file', () => {
  const zone = zoneOf(`${SOA}b 60 TXT "a\\010b" "ü"\nb 70 A 192.0.2.1\na 60 TXT x`);

  it('has the TTL of the zone and the SOA first, every name in full, and the TTLs of recordsets that have one', () => {
    expect(formatZoneFile(zone)).toBe(
      `$ORIGIN example.com.\n${WRITTEN_SOA}b.example.com. 60 IN TXT "a\\010b" "\\195\\188"\n` +
        'b.example.com. 70 IN A 192.0.2.1\na.example.com. 60 IN TXT "x"\n',
    );
    expect([...zoneFileParts(zone)].join('')).toBe(formatZoneFile(zone));
    const inheriting = { ...zone, recordsets: zone.recordsets.map((one) => ({ ...one, ttl: null })) };
    expect(formatZoneFile(inheriting)).toBe(
      `$ORIGIN example.com.\n${WRITTEN_SOA}b.example.com.  IN TXT "a\\010b" "\\195\\188"\n` +
        'b.example.com.  IN A 192.0.2.1\na.example.com.  IN TXT "x"\n',
    );
  });

  it('is read back unchanged', () => {
    expect(zoneOf(formatZoneFile(zone))).toEqual(zone);
  });

  it('is never written from text with a line break', () => {
    const evil = {
      name: canonicalName('a.example.com.'),
      type: 'TXT',
      ttl: 60,
      records: ['"x"\nb.example.com. 60 IN A 192.0.2.1'],
    } as const;
    expect(() => formatZoneFile({ ...zone, recordsets: [evil] })).toThrow(TypeError);
  });
});

describe('a large zone file', () => {
  const size = Math.min(2 ** 20, runs(2 ** 20, 2 ** 18));
  const many = (piece: string, after = '') => `${SOA}${piece.repeat(size / piece.length)}${after}`;

  it.each([
    ['blank lines', many('\n')],
    ['comments', many('; x\n')],
    ['blanks in one line', many(' ')],
    ['one record in parentheses', `${SOA}a TXT (${'\n'.repeat(size)} x )\n`],
    ['directives', many('$TTL 1\n')],
    ['records', many('a A 192.0.2.1\n')],
    ['names beyond ASCII', many('m\u00fcnchen A 192.0.2.1\n')],
    ['owners before the SOA', `${'a.example.com. 60 A 192.0.2.1\n'.repeat(size / 32)}${SOA}`],
  ])('gives others their turn at least every 32,768 characters: %s', (_, text) => {
    for (const pieces of [[text], text.match(/[\s\S]{1,65536}/g)!]) {
      const { end, turns } = readPieces(pieces);
      expect(end.kind).toBe('read');
      expect(turns + pieces.length).toBeGreaterThan(text.length / 32_768);
    }
  });

  it('is read no further than the record that is refused', () => {
    const text = `${SOA}a A 192.0.2.1\n\na A 192.0.2.2\nb A 192.0.2.3\n)`;
    let asked = 0;
    const goesOn = () => ++asked < 2;
    expect(parseZoneFile(text, { goesOn })).toEqual({ ok: 'stopped', line: 4 });
    expect(asked).toBe(2);
    expect(parseZoneFile(text)).toMatchObject({ ok: false, line: 6 });
  });

  it('keeps each of many names, records and types apart', () => {
    const names = Array.from({ length: runs(20_000, 5000) }, (_, at) => `h${at}`);
    const lines = names.flatMap((name, at) => [
      `${name} 60 A 192.0.2.${at % 256}`,
      `${name} 60 TXT ${at % 7}`,
      `${name} 50 TXT ${at}`,
      `${name} 60 A 192.0.2.${at % 256}`,
    ]);
    const { recordsets } = zoneOf(`${SOA}${lines.join('\n')}`);
    expect(recordsets).toEqual(
      names.flatMap((name, at) => [
        { name: `${name}.example.com.`, type: 'A', ttl: 60, records: [`192.0.2.${at % 256}`] },
        {
          name: `${name}.example.com.`,
          type: 'TXT',
          ttl: 50,
          records: [...new Set([`"${at % 7}"`, `"${at}"`])],
        },
      ]),
    );
  });
});
