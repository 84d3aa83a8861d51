import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Fqdn,
  parentsOf,
  parseListedName,
  parseZoneName,
  subtreeKey,
  subtreeRange,
  unicodeForm,
} from '../../src/dns/names.ts';
import { countable, expectLinear } from '../support/linear.ts';
import { runs } from '../support/runs.ts';

const canonical =
  /^(?:(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.){2,}|(?:[a-z0-9_/](?:[a-z0-9_/-]{0,61}[a-z0-9_/])?\.)+(?:in-addr|ip6)\.arpa\.)$/;
const label63 = 'a'.repeat(63);
const name254 = `${label63}.${label63}.${label63}.${'a'.repeat(61)}.`;

function fqdn(text: string): Fqdn {
  const parsed = parseListedName(text);
  if (!parsed.ok) throw new Error(`${JSON.stringify(text)}: ${parsed.reason}`);
  return parsed.value;
}

describe('names that are accepted', () => {
  test.each([
    ['plain', 'example.com.', 'example.com.'],
    ['upper case', 'ExAmPlE.COM.', 'example.com.'],
    ['underscore', '_dmarc._tcp.example.com.', '_dmarc._tcp.example.com.'],
    ['digits alone', '2.0.192.in-addr.arpa.', '2.0.192.in-addr.arpa.'],
    ['slash of RFC 2317', '0/25.2.0.192.IN-ADDR.arpa.', '0/25.2.0.192.in-addr.arpa.'],
    ['slash of RFC 2317 in IPv6', '0/5.8.b.d.0.1.0.0.2.ip6.arpa.', '0/5.8.b.d.0.1.0.0.2.ip6.arpa.'],
    ['not taken for an address', '0x7f.1.', '0x7f.1.'],
    ['an address stays a name', '127.0.0.1.', '127.0.0.1.'],
    ['hyphens inside', 'r3---sn-4g5.example.com.', 'r3---sn-4g5.example.com.'],
    ['a label of 63', `${label63}.com.`, `${label63}.com.`],
    ['254 characters', name254, name254],
    ['U-label', 'münchen.de.', 'xn--mnchen-3ya.de.'],
    ['U-label in upper case', 'MÜNCHEN.DE.', 'xn--mnchen-3ya.de.'],
    ['U-label decomposed', 'mu\u0308nchen.de.', 'xn--mnchen-3ya.de.'],
    ['A-label', 'xn--mnchen-3ya.de.', 'xn--mnchen-3ya.de.'],
    ['A-label in upper case', 'XN--MNCHEN-3YA.DE.', 'xn--mnchen-3ya.de.'],
    ['A-label with an upper-case delta', 'xn--mnchen-3YA.de.', 'xn--mnchen-3ya.de.'],
    ['sharp s stays itself', 'faß.de.', 'xn--fa-hia.de.'],
    ['capital sharp s', 'FAẞ.de.', 'xn--fa-hia.de.'],
    ['final sigma stays itself', 'βόλος.com.', 'xn--nxasmm1c.com.'],
    ['full-width letters', 'ｅｘａｍｐｌｅ.com.', 'example.com.'],
    ['full-width underscore', '＿dmarc.example.com.', '_dmarc.example.com.'],
    ['soft hyphen vanishes', 'ex\u00adample.com.', 'example.com.'],
    ['zero width space vanishes', 'ex\u200bample.com.', 'example.com.'],
    ['Kelvin sign', '\u212aelvin.com.', 'kelvin.com.'],
    ['long s', 'ſa.com.', 'sa.com.'],
    ['dotless i is a letter of its own', 'ı.com.', 'xn--cfa.com.'],
    ['I with a dot', 'İ.com.', 'xn--i-9bb.com.'],
    ['ZWJ after a virama', 'क्\u200dष.com.', 'xn--11b2ezcw70k.com.'],
    ['right to left', 'א1.com.', 'xn--1-zhc.com.'],
    ['emoji', '💩.la.', 'xn--ls8h.la.'],
    ['fraction slash is no slash', '½.com.', 'xn--12-c6t.com.'],
    ['full-width A-label', 'ｘn--mnchen-3ya.de.', 'xn--mnchen-3ya.de.'],
  ])('%s: %j', (_, text, name) => {
    const parsed = parseZoneName(text);
    expect(parsed).toEqual({ ok: true, value: name });
  });
});

const character = /^A name may contain only letters, digits, "-", "_" and dots\. Remove U\+/;
const emptyLabel = /^A label must not be empty/;
const hyphen = /^A label must not begin or end with "-"/;
const longLabel = /^A label has at most 63 characters/;
const longName = /^A name has at most 254 characters/;
const dotLike = /^Only the full stop U\+002E separates labels/;
const punctuation = /^UTS 46 maps a character to U\+/;
const notALabel = /" is not an A-label/;
const uts46 = /that UTS 46 disallows/;

const hostile: [string, string, RegExp][] = [
  ['empty', '', /^A name must not be empty/],
  ['no final dot', 'example.com', /^A zone name must end with a dot, such as "example\.com\."\.$/],
  ['one label', 'com.', /^A zone name must have at least two labels/],
  ['one label, no dot', 'ggg', /^A zone name must end with a dot/],
  ['the root', '.', emptyLabel],
  ['two dots', '..', emptyLabel],
  ['leading dot', '.example.com.', emptyLabel],
  ['empty label', 'example..com.', emptyLabel],
  ['two final dots', 'example.com..', emptyLabel],
  ['trailing newline', 'example.com.\n', /Remove U\+000A\.$/],
  ['newline before the dot', 'example.com\n.', /Remove U\+000A\.$/],
  ['carriage return', 'example.com.\r', /Remove U\+000D\.$/],
  ['tab inside', 'exam\tple.com.', /Remove U\+0009\.$/],
  ['NUL', 'example.com.\0', /Remove U\+0000\.$/],
  ['NUL inside', 'exa\0mple.com.', /Remove U\+0000\.$/],
  ['DEL', 'exa\u007fmple.com.', /Remove U\+007F\.$/],
  ['space', 'exam ple.com.', /Remove U\+0020\.$/],
  ['leading space', ' example.com.', character],
  ['escaped dot', 'a\\046b.com.', /Remove U\+005C\.$/],
  ['escaped character', 'a\\.b.com.', character],
  ['wildcard', '*.example.com.', /Remove U\+002A\.$/],
  ['percent-encoding', 'ex%61mple.com.', /Remove U\+0025\.$/],
  ['slash elsewhere than in reverse zones', '0/25.example.com.', character],
  [
    'slash by mapping in a reverse zone',
    'a\u2100.2.0.192.in-addr.arpa.',
    /UTS 46 maps a character to U\+002F/,
  ],
  ['at', 'me@example.com.', character],
  ['colon', 'example.com:53.', character],
  ['brackets', '[::1].com.', character],
  ['bad character in a U-label', 'mün*chen.de.', character],
  ['leading hyphen', '-a.com.', hyphen],
  ['trailing hyphen', 'a-.com.', hyphen],
  ['hyphen alone', '-.com.', hyphen],
  ['leading hyphen of a U-label', '-é.com.', hyphen],
  ['trailing hyphen of a U-label', 'é-.com.', hyphen],
  ['A-label of a label with a leading hyphen', 'xn----bga.com.', hyphen],
  ['full-width hyphen at the start', '\uff0da.com.', hyphen],
  ['hyphen at the end once a soft hyphen is gone', 'a-\u00ad.com.', hyphen],
  ['label of 64', `${'a'.repeat(64)}.com.`, longLabel],
  ['A-label of 64 and more', `${'é'.repeat(60)}${'ü'.repeat(3)}.com.`, longLabel],
  ['255 characters', `a${name254}`.replace(`a${label63}`, `${'a'.repeat(62)}.a`), longName],
  ['long once converted', `${'ü.'.repeat(126)}`, longName],
  ['1 MiB', `${'a.'.repeat(524_288)}`, longName],
  ['1 MiB in one label', 'a'.repeat(1_048_576), longName],
  ['ideographic full stop', 'a\u3002b.com.', dotLike],
  ['full-width full stop', 'a\uff0eb.com.', dotLike],
  ['half-width ideographic full stop', 'a\uff61b.com.', dotLike],
  ['ideographic full stop in place of the final dot', 'example.com\u3002', /must end with a dot/],
  ['one dot leader', 'a\u2024b.com.', uts46],
  ['two dot leader', 'a\u2025b.com.', uts46],
  ['digit with a full stop', '⒈a.com.', uts46],
  ['account of, a/c', '℀.com.', /^UTS 46 maps a character to U\+002F/],
  ['full-width asterisk', '\uff0a.com.', punctuation],
  ['full-width slash', 'a\uff0fb.com.', punctuation],
  ['full-width percent', 'a\uff0541.com.', punctuation],
  ['parenthesised', '⑴.com.', punctuation],
  ['no-break space', 'a\u00a0b.com.', punctuation],
  ['soft hyphen alone', '\u00ad.com.', emptyLabel],
  ['ZWJ in the open', 'a\u200db.com.', uts46],
  ['ZWNJ in the open', 'a\u200cb.com.', uts46],
  ['combining mark first', '\u0301a.com.', uts46],
  ['mixed direction', 'אa.com.', uts46],
  ['digit first in a name with right to left', '1a.א.com.', uts46],
  ['right-to-left override', 'a\u202eb.com.', uts46],
  ['line separator', 'a\u2028b.com.', uts46],
  ['unassigned', 'a\u{e0fff}b.com.', uts46],
  ['private use', 'a\ue000b.com.', uts46],
  ['replacement character', 'a\ufffdb.com.', uts46],
  ['unpaired high surrogate', 'a\ud800.com.', uts46],
  ['unpaired low surrogate', '\udc00.com.', uts46],
  ['A-label alone', 'xn--.com.', hyphen],
  ['A-label that does not decode', 'xn--a.com.', notALabel],
  ['in upper case', 'XN--A.COM.', notALabel],
  ['as the last label', 'example.xn--a.', notALabel],
  ['overflow', 'xn--99999999999.com.', notALabel],
  ['A-label of an ASCII label', 'xn--abc-.com.', hyphen],
  ['A-label of an upper-case label', 'xn--wca.com.', notALabel],
  ['A-label of a soft hyphen', 'xn--kba.com.', notALabel],
  ['A-label of a dot', 'xn--9ca822v.com.', notALabel],
  ['A-label of an unpaired surrogate', 'xn--ab-zd9k.com.', notALabel],
  ['A-label of a decomposed label', 'xn--e-xbb.com.', notALabel],
  ['A-label of a ZWNJ in the open', 'xn--ab-k1t.com.', notALabel],
  ['A-label of a full-width letter', 'xn--mi7c.com.', notALabel],
  ['A-label of an A-label', 'xn--xn---epa.com.', notALabel],
  ['A-label with a Unicode letter', 'xn--é.com.', uts46],
];

describe('names that are refused', () => {
  test.each(hostile)('%s', (_, text, reason) => {
    const parsed = parseZoneName(text);
    expect(parsed.ok ? parsed.value : parsed.reason).toMatch(reason);
  });

  test('a reason never repeats what a terminal or a log could take amiss', () => {
    for (const [, text] of hostile) {
      const parsed = parseZoneName(text);
      expect(parsed).toMatchObject({ ok: false });
      if (!parsed.ok) expect(parsed.reason).toMatch(/^[\x20-\x7e]{1,200}$/);
    }
  });
});

describe('huge and slow-looking input', () => {
  let counted: typeof import('../../src/dns/names.ts');
  beforeAll(() =>
    countable(async () => {
      counted = await import('../../src/dns/names.ts');
    }),
  );

  test('is refused, with no more work than its length', () => {
    for (const piece of ['a', 'ü', '\u200c', 'ب\u200c']) {
      expect(parseZoneName(`${piece.repeat(500)}.com.`).ok).toBe(false);
      expectLinear((size) => counted.parseZoneName(`${piece.repeat(size)}.com.`), 2 ** 15, piece);
    }
  });
});

describe('listed names', () => {
  test.each([
    ['example.com', 'example.com.'],
    ['example.com.', 'example.com.'],
    ['COM', 'com.'],
    ['com.', 'com.'],
    ['münchen.de', 'xn--mnchen-3ya.de.'],
    [name254.slice(0, -1), name254],
  ])('%j is accepted', (text, name) => expect(parseListedName(text)).toEqual({ ok: true, value: name }));

  test.each([
    ['', /^A name must not be empty/],
    ['.', emptyLabel],
    ['*.com', character],
    ['example.com\n', character],
    ['com..', emptyLabel],
    [`a${name254.slice(0, -1)}`, longLabel],
    ['example.com\u3002', dotLike],
    ['a'.repeat(2 ** 20), longName],
  ])('%j is refused', (text, reason) => {
    const parsed = parseListedName(text);
    expect(parsed.ok ? parsed.value : parsed.reason).toMatch(reason);
  });
});

describe('what a name gives', () => {
  test('its Unicode form, where it has A-labels', () => {
    expect(unicodeForm(fqdn('xn--mnchen-3ya.de.'))).toBe('münchen.de.');
    expect(unicodeForm(fqdn('www.xn--fa-hia.de.'))).toBe('www.faß.de.');
    expect(unicodeForm(fqdn('example.com.'))).toBeUndefined();
    expect(unicodeForm(fqdn('axn--b.com.'))).toBeUndefined();
  });

  test('the names above it', () => {
    expect(parentsOf(fqdn('a.b.example.com.'))).toEqual(['b.example.com.', 'example.com.']);
    expect(parentsOf(fqdn('example.com.'))).toEqual([]);
    expect(parentsOf(fqdn('com.'))).toEqual([]);
  });

  test('a key from the root down', () => {
    expect(subtreeKey(fqdn('a.example.com.'))).toBe('com!example!a');
    expect(subtreeRange(fqdn('example.com.'))).toEqual({ from: 'com!example!', to: 'com!example"' });
  });
});

const label = fc
  .stringMatching(/^[a-z0-9_]([a-z0-9_-]{0,4}[a-z0-9_])?$/)
  .filter((text) => !text.startsWith('xn--'));
const someName = fc.array(label, { minLength: 2, maxLength: 5 }).map((labels) => fqdn(labels.join('.')));
const tricky = fc.oneof(
  fc.constantFrom(...hostile.map(([, text]) => text).filter((text) => text.length < 400)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => `${text}.com.`),
  fc
    .string({
      unit: fc.constantFrom(...'aZ09-_.xn\u00ad\u200c\u200dßéÜא١ب\u0308。％\ud800\udc00'),
      maxLength: 12,
    })
    .map((text) => `${text}.a.`),
  fc.stringMatching(/^[xX][nN]--[a-z0-9-]{1,12}$/).map((text) => `${text}.com.`),
);

describe('for every text', () => {
  test('the answer is a name in canonical form, or a reason; never an exception', () => {
    fc.assert(
      fc.property(tricky, (text) => {
        for (const parsed of [parseZoneName(text), parseListedName(text)]) {
          if (!parsed.ok) expect(parsed.reason).toMatch(/^[A-Z"].*\.$/);
        }
        const parsed = parseZoneName(text);
        if (parsed.ok) {
          expect(parsed.value).toMatch(canonical);
          expect(parsed.value.length).toBeLessThanOrEqual(254);
        }
      }),
      { numRuns: runs(5000, 800) },
    );
  });

  test('a canonical name, and its Unicode form, lead back to it', () => {
    fc.assert(
      fc.property(fc.oneof(tricky, someName), (text) => {
        const parsed = parseZoneName(text);
        if (!parsed.ok) return;
        expect(parseZoneName(parsed.value)).toEqual(parsed);
        expect(parseListedName(parsed.value.slice(0, -1))).toEqual(parsed);
        expect(parseZoneName(unicodeForm(parsed.value) ?? parsed.value)).toEqual(parsed);
      }),
      { numRuns: runs(5000, 800) },
    );
  });

  test('the case of ASCII letters never matters', () => {
    const upper = (text: string) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
    fc.assert(
      fc.property(fc.oneof(tricky, someName), (text) => {
        const parsed = parseZoneName(text);
        const raised = parseZoneName(upper(text));
        expect(raised.ok).toBe(parsed.ok);
        if (parsed.ok) expect(raised).toEqual(parsed);
      }),
      { numRuns: runs(5000, 800) },
    );
  });
});

const sortsBefore = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

describe('the tree of names', () => {
  const pair = fc.tuple(someName, fc.oneof(someName, label)).chain(([zone, other]) =>
    fc
      .constantFrom(
        `${other}${other.endsWith('.') ? '' : '.'}`,
        `${other.replace(/\.?$/, '.')}${zone}`,
        `${other.replace(/\.$/, '')}${zone}`,
        `${other.replace(/\.$/, '')}-${zone}`,
      )
      // Two labels joined can look like an A-label.
      .filter((text) => !/(^|\.)xn--/.test(text))
      .map((text): [Fqdn, Fqdn] => [zone, fqdn(text)]),
  );

  test('the range of a zone holds exactly the names below it', () => {
    fc.assert(
      fc.property(pair, ([zone, other]) => {
        const { from, to } = subtreeRange(zone);
        const key = subtreeKey(other);
        const within = !sortsBefore(key, from) && sortsBefore(key, to);
        expect(within).toBe(other.endsWith(`.${zone}`));
        expect(within).toBe(parentsOf(other).includes(zone));
      }),
      { numRuns: runs(3000, 500) },
    );
  });

  test('the order of keys puts a zone right before what is below it', () => {
    fc.assert(
      fc.property(pair, ([zone, other]) => {
        if (other === zone || other.endsWith(`.${zone}`)) return;
        const key = subtreeKey(other);
        expect(sortsBefore(key, subtreeKey(zone)) || !sortsBefore(key, subtreeRange(zone).to)).toBe(true);
      }),
      { numRuns: runs(3000, 500) },
    );
  });
});
