import { FormError, WireReader } from './encoding/reader.ts';
import { readA, readAaaa } from './rdata/addresses.ts';
import { RdataFields } from './rdata/fields.ts';
import { readAfsdb, readMx, readRp, readSoa, readSrv, readTarget } from './rdata/hosts.ts';
import { readCert, readDnskey, readDs, readOpenpgpkey, readSshfp, readTlsa } from './rdata/keys.ts';
import { readLoc } from './rdata/loc.ts';
import { readNaptr } from './rdata/naptr.ts';
import { RdataError } from './rdata/rdata-error.ts';
import { readCaa, readHinfo, readTxt, readUri } from './rdata/strings.ts';
import { readSvcb } from './rdata/svcb.ts';
import { isBlank, type RdataToken, tokenizeLine } from './rdata/tokens.ts';
import { readCsync } from './rdata/type-bitmap.ts';
import { DECODERS } from './rdata-codecs/decoders.ts';
import { parseGeneral } from './rdata-codecs/general.ts';
import { malformedType } from './rdata-codecs/numbered-types.ts';
import { decodeUnnamed } from './rdata-codecs/unnamed.ts';
import { isRecordType, type RecordType, type StoredType, typeNumber } from './record-types.ts';

/** Each reader reads all fields of its type. @throws RdataError with the reason if the text is not valid rdata */
const READERS: Readonly<Record<RecordType, (fields: RdataFields) => void>> = {
  A: readA,
  AAAA: readAaaa,
  AFSDB: readAfsdb,
  CAA: readCaa,
  CDNSKEY: readDnskey,
  CDS: readDs,
  CERT: readCert,
  CNAME: readTarget,
  CSYNC: readCsync,
  DNAME: readTarget,
  DNSKEY: readDnskey,
  DS: readDs,
  HINFO: readHinfo,
  HTTPS: readSvcb,
  LOC: readLoc,
  MX: readMx,
  NAPTR: readNaptr,
  NS: readTarget,
  OPENPGPKEY: readOpenpgpkey,
  PTR: readTarget,
  RP: readRp,
  SMIMEA: readTlsa,
  SOA: readSoa,
  SPF: readTxt,
  SRV: readSrv,
  SSHFP: readSshfp,
  SVCB: readSvcb,
  TLSA: readTlsa,
  TXT: readTxt,
  URI: readUri,
};

/** The first word of rdata in the general form (RFC 3597 section 5). */
const GENERAL_FORM = '\\#';

const HEXADECIMAL = /^(?:[0-9A-Fa-f]{2})*$/;

function isGeneral(fields: RdataFields): boolean {
  const first = fields.peek();
  return first?.text === GENERAL_FORM && !first.quoted;
}

/** The bytes of the general form: a length, and that many bytes in hexadecimal. @throws RdataError */
function readGeneralForm(fields: RdataFields): Buffer {
  fields.takeWord('general form');
  const length = fields.takeNumber('number of bytes', 65_535);
  const text = fields.hasMore ? fields.takeRest('bytes') : '';
  if (text.length !== 2 * length || !HEXADECIMAL.test(text)) {
    throw new RdataError(
      'The rdata is not in the general form of RFC 3597. Write \\#, the number of bytes, and the bytes in hexadecimal.',
    );
  }
  return Buffer.from(text, 'hex');
}

/** The canonical text of the bytes (RFC 3597, section 5). @throws RdataError */
function textOf(type: StoredType, octets: Buffer): string {
  try {
    const reader = new WireReader(octets, 0, false);
    return reader.within(octets.length, () =>
      isRecordType(type) ? DECODERS[type](reader) : decodeUnnamed(reader, typeNumber(type)),
    );
  } catch (error) {
    if (!(error instanceof FormError) && !(error instanceof RdataError)) throw error;
    throw new RdataError(
      `The bytes after \\# are not valid rdata of the type ${type}. Write the rdata in the type's own form.`,
    );
  }
}

/** Reads rdata of a type without its own form. @throws RdataError */
function readUnnamed(type: `TYPE${number}`, fields: RdataFields): RdataFields {
  if (!isGeneral(fields)) {
    throw new RdataError(
      `Records of ${type} must be in the general form of RFC 3597. Write \\#, the number of bytes, and the bytes in hexadecimal.`,
    );
  }
  const octets = readGeneralForm(fields);
  const name = malformedType(typeNumber(type), octets);
  if (name !== undefined) {
    throw new RdataError(
      `The bytes after \\# are not valid rdata of the type ${name}, which is ${type}. Name servers that know the type would refuse the zone.`,
    );
  }
  const text = textOf(type, octets);
  const read = new RdataFields([], null);
  read.write(text, [...parseGeneral(text)]);
  return read;
}

/**
 * Reads all fields of the rdata, in the type's own form or in the general form (RFC 3597).
 * @returns fields that hold the canonical text and the wire form
 * @throws RdataError
 */
export function readRdata(type: StoredType, fields: RdataFields): RdataFields {
  if (!isRecordType(type)) return readUnnamed(type, fields);
  const own = isGeneral(fields)
    ? new RdataFields(tokenizeLine(textOf(type, readGeneralForm(fields))), null)
    : fields;
  READERS[type](own);
  own.requireEnd();
  return own;
}

/** The text without surrounding blanks. An escaped blank at its end is kept. */
export function trimRdata(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  let backslashes = 0;
  while (end - backslashes > start && text.charAt(end - backslashes - 1) === '\\') backslashes += 1;
  return text.slice(start, backslashes % 2 === 1 ? end + 1 : end);
}

/** The fields of one record outside zone files. There, a TXT or SPF of several words without quotes is one string. */
function fieldsOf(type: StoredType, text: string): RdataFields {
  const tokens = tokenizeLine(text);
  const isBare = ({ quoted, value }: RdataToken) => !quoted && value === undefined;
  const isText = (type === 'TXT' || type === 'SPF') && tokens[0]?.text !== GENERAL_FORM;
  const isOneText = isText && tokens.length > 1 && tokens.every(isBare);
  return new RdataFields(isOneText ? [{ text: trimRdata(text), quoted: true, line: 1 }] : tokens, null);
}

export type RdataResult =
  | { readonly ok: true; readonly rdata: string; readonly wireLength: number }
  | { readonly ok: false; readonly reason: string };

/**
 * The canonical text and wire length in bytes of one rdata, or why the text is invalid; never throws. Texts with the
 * same wire form have the same canonical text, which is one line of visible ASCII and parses to itself.
 */
export function parseRdata(type: StoredType, text: string): RdataResult {
  try {
    const { text: rdata, wire } = readRdata(type, fieldsOf(type, text));
    return { ok: true, rdata, wireLength: wire.length };
  } catch (error) {
    if (error instanceof RdataError) return { ok: false, reason: error.reason };
    throw error;
  }
}

/** The wire form of a valid text, with names uncompressed. @throws RdataError */
export function encodeRdata(type: StoredType, text: string): Uint8Array {
  return Uint8Array.from(readRdata(type, fieldsOf(type, text)).wire);
}
