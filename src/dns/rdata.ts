import { readA, readAaaa } from './rdata/addresses.ts';
import { Fields } from './rdata/fields.ts';
import { readMx, readSoa, readSrv, readTarget } from './rdata/hosts.ts';
import { readCert, readDs, readOpenpgpkey, readSshfp, readTlsa } from './rdata/keys.ts';
import { readLoc } from './rdata/loc.ts';
import { readNaptr } from './rdata/naptr.ts';
import { RdataError } from './rdata/rdata-error.ts';
import { readCaa, readTxt, readUri } from './rdata/strings.ts';
import { readSvcb } from './rdata/svcb.ts';
import { isBlank, type Token, tokenizeLine } from './rdata/tokens.ts';

export const RECORD_TYPES = [
  'A',
  'AAAA',
  'CAA',
  'CERT',
  'CNAME',
  'DNAME',
  'DS',
  'HTTPS',
  'LOC',
  'MX',
  'NAPTR',
  'NS',
  'OPENPGPKEY',
  'PTR',
  'SOA',
  'SPF',
  'SRV',
  'SSHFP',
  'SVCB',
  'TLSA',
  'TXT',
  'URI',
] as const;

export type RecordType = (typeof RECORD_TYPES)[number];

/** The type of a recordset as it is stored: what is transferred in may have any other type by its number (RFC 3597). */
export type StoredType = RecordType | `TYPE${number}`;

/** Each reads all fields of its type, and throws RdataError with the reason if the text is not valid rdata. */
const READERS: Readonly<Record<RecordType, (fields: Fields) => void>> = {
  A: readA,
  AAAA: readAaaa,
  CAA: readCaa,
  CERT: readCert,
  CNAME: readTarget,
  DNAME: readTarget,
  DS: readDs,
  HTTPS: readSvcb,
  LOC: readLoc,
  MX: readMx,
  NAPTR: readNaptr,
  NS: readTarget,
  OPENPGPKEY: readOpenpgpkey,
  PTR: readTarget,
  SOA: readSoa,
  SPF: readTxt,
  SRV: readSrv,
  SSHFP: readSshfp,
  SVCB: readSvcb,
  TLSA: readTlsa,
  TXT: readTxt,
  URI: readUri,
};

export function isRecordType(text: string): text is RecordType {
  return Object.hasOwn(READERS, text);
}

/** The first word of rdata in the general form of RFC 3597 section 5. */
const GENERAL_FORM = '\\#';

/** Only the type's own form is read, so that every rdata is checked by its type's rules. */
function refuseGeneralForm(fields: Fields): void {
  const first = fields.peek();
  if (first?.text !== GENERAL_FORM || first.quoted) return;
  throw new RdataError("The rdata is in the general form \\# of RFC 3597. Write it in the type's own form.");
}

/**
 * Reads all fields of the rdata; they contain its canonical text and wire form afterwards.
 * @throws RdataError
 */
export function readRdata(type: RecordType, fields: Fields): Fields {
  refuseGeneralForm(fields);
  READERS[type](fields);
  fields.requireEnd();
  return fields;
}

/** The text without the blanks around it; an escaped blank at its end belongs to it. */
export function trimRdata(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  let backslashes = 0;
  while (end - backslashes > start && text.charAt(end - backslashes - 1) === '\\') backslashes += 1;
  return text.slice(start, backslashes % 2 === 1 ? end + 1 : end);
}

/** The fields of one record outside zone files, where a text of several words without any quotes is one string. */
function fieldsOf(type: RecordType, text: string): Fields {
  const tokens = tokenizeLine(text);
  const isBare = ({ quoted, value }: Token) => !quoted && value === undefined;
  const isText = (type === 'TXT' || type === 'SPF') && tokens[0]?.text !== GENERAL_FORM;
  const isOneText = isText && tokens.length > 1 && tokens.every(isBare);
  return new Fields(isOneText ? [{ text: trimRdata(text), quoted: true, line: 1 }] : tokens, null);
}

export type RdataResult =
  | { readonly ok: true; readonly rdata: string; readonly wireLength: number }
  | { readonly ok: false; readonly reason: string };

/**
 * The canonical text of one rdata and the bytes of its wire form, or why the text is not valid; never throws. Two texts of one wire rdata have the same
 * canonical text, which is one line of visible ASCII and its own canonical text.
 */
export function parseRdata(type: RecordType, text: string): RdataResult {
  try {
    const { text: rdata, wire } = readRdata(type, fieldsOf(type, text));
    return { ok: true, rdata, wireLength: wire.length };
  } catch (error) {
    if (error instanceof RdataError) return { ok: false, reason: error.reason };
    throw error;
  }
}

/** The wire form of an accepted text, names uncompressed. @throws RdataError */
export function encodeRdata(type: RecordType, text: string): Uint8Array {
  return Uint8Array.from(readRdata(type, fieldsOf(type, text)).wire);
}
