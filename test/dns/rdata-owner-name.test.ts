import { describe, expect, it } from 'vitest';
import { parseOwnerName } from '../../src/dns/owner-name.ts';

const LONG = `${`${'a'.repeat(62)}.`.repeat(4)}a.`;

describe('owner names', () => {
  it.each([
    ['example.com.', 'example.com.'],
    ['WWW.Example.COM.', 'www.example.com.'],
    ['*.example.com.', '*.example.com.'],
    ['*.', '*.'],
    ['_sip._tcp.example.com.', '_sip._tcp.example.com.'],
    ['a-b--c.example.', 'a-b--c.example.'],
    ['München.DE.', 'xn--mnchen-3ya.de.'],
    ['XN--MNCHEN-3YA.de.', 'xn--mnchen-3ya.de.'],
    ['straße.de.', 'xn--strae-oqa.de.'],
    ['_dmarc.münchen.de.', '_dmarc.xn--mnchen-3ya.de.'],
    ['_dmarc.עברית.', '_dmarc.xn--5dbqzzl.'],
    ['1.example.', '1.example.'],
    [`${'a'.repeat(63)}.`, `${'a'.repeat(63)}.`],
    [LONG, LONG],
  ])('takes %s', (text, name) => {
    expect(parseOwnerName(text)).toEqual({ ok: true, value: name });
    expect(parseOwnerName(name)).toEqual({ ok: true, value: name });
  });

  it.each([
    ['', 'final dot'],
    ['example.com', 'final dot'],
    ['.', 'empty label'],
    ['a..b.', 'empty label'],
    ['.a.', 'empty label'],
    ['a.*.b.', 'leftmost'],
    ['a*.b.', 'leftmost'],
    ['**.b.', 'leftmost'],
    ['-a.b.', 'hyphen'],
    ['a-.b.', 'hyphen'],
    ['a b.', 'characters other than'],
    ['a/b.', 'characters other than'],
    ['a\\.b.', 'characters other than'],
    ['a@b.', 'characters other than'],
    ['a.\n', 'final dot'],
    ['a\n.', 'characters other than'],
    ['a\u0000.', 'characters other than'],
    [`${'a'.repeat(64)}.`, 'at most 63'],
    [LONG.replace('a.', 'aa.'), 'at most 254'],
    ['a'.repeat(1001), 'at most 254'],
    ['xn--a.de.', 'not an A-label'],
    ['xn--.de.', 'hyphen'],
    ['xn--abc-.de.', 'hyphen'],
    ['a\u3002b.de.', 'A-label'],
    ['\uff0a.de.', 'A-label'],
    ['a\uff0fb.de.', 'A-label'],
    ['\uff0dü.de.', 'not an A-label'],
    ['-ü.de.', 'not an A-label'],
    ['xn----eha.de.', 'not an A-label'],
    ['a\u200db.de.', 'UTS 46'],
    ['\ud800.de.', 'UTS 46'],
    ['\u00ad.de.', 'A-label'],
    ['אa.de.', 'UTS 46'],
    [`${'ü'.repeat(253)}.`, 'too long'],
  ])('refuses %j', (text, why) => {
    expect(parseOwnerName(text)).toMatchObject({ ok: false, reason: expect.stringContaining(why) });
  });
});
