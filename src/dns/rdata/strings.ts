/** Types that hold text. */
import { formatQuoted } from './character-string.ts';
import type { RdataFields } from './fields.ts';
import { lowerAscii } from './letter-case.ts';
import { RdataError, shown } from './rdata-error.ts';

/**
 * TXT: RFC 1035 section 3.3.14. SPF has the same form: RFC 7208 section 3.1, RFC 4408 section 3.1.1. Bare words are
 * separate strings in a zone file. In the API, bare words alone have already been joined into one string; bare words
 * beside quoted strings mean that quotes are missing, and are refused.
 */
export function readTxt(fields: RdataFields): void {
  let strings = 0;
  let bare = 0;
  do {
    if (fields.peek()?.quoted === false) bare += 1;
    fields.readCharacterString('text');
    strings += 1;
  } while (fields.hasMore);
  if (fields.origin === null && strings > 1 && bare > 0) {
    throw new RdataError(
      'The text has words both inside and outside quotes. Put all of it in quotes: "like this", ' +
        'or "in several" "strings", which are joined without a space.',
    );
  }
}

/** HINFO: RFC 1035 section 3.3.2. */
export function readHinfo(fields: RdataFields): void {
  fields.readCharacterString('CPU');
  fields.readCharacterString('operating system');
}

const CAA_TAG = /^[A-Za-z0-9]{1,255}$/;

/** CAA: RFC 8659 section 4.1. Tags are case-insensitive, so canonical text is lower case. */
export function readCaa(fields: RdataFields): void {
  fields.readNumber('flags field', 1);
  const tag = lowerAscii(fields.takeWord('tag'));
  if (!CAA_TAG.test(tag)) {
    throw new RdataError(
      `The tag ${shown(tag)} is not 1 to 255 letters and digits. Write a tag such as issue or iodef.`,
    );
  }
  fields.write(tag, [tag.length, ...Buffer.from(tag, 'latin1')]);
  const value = fields.takeString('value');
  fields.write(formatQuoted(value), value);
}

const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[\x21-\x7e]*$/;

/** URI: RFC 7553 section 4. */
export function readUri(fields: RdataFields): void {
  fields.readNumber('priority', 2);
  fields.readNumber('weight', 2);
  const target = fields.takeString('target');
  const uri = Buffer.from(target).toString('latin1');
  if (!URI.test(uri)) {
    throw new RdataError(
      `The target ${shown(uri)} is not a URI. Write a scheme, a colon and visible ASCII, such as "https://example.com/"; ` +
        'percent-encode other characters.',
    );
  }
  fields.write(formatQuoted(target), target);
}
