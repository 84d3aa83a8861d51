/** Converts rdata between canonical text and the wire. */

import { encodeName } from '../encoding/names.ts';
import { FormError, WireReader } from '../encoding/reader.ts';
import type { WireWriter } from '../encoding/writer.ts';
import { readRdata } from '../parse-rdata.ts';
import { RdataFields } from '../rdata/fields.ts';
import { RdataError } from '../rdata/rdata-error.ts';
import { tokenizeLine } from '../rdata/tokens.ts';
import { DECODERS } from '../rdata-codecs/decoders.ts';
import { formatGeneral, isGeneral, parseGeneral } from '../rdata-codecs/general.ts';
import { decodeUnnamed } from '../rdata-codecs/unnamed.ts';
import type { RecordType, StoredType } from '../record-types.ts';
import { findRecordType, typeNumber } from '../record-types.ts';

/** RFC 3597 section 4: names are compressed only in rdata of types from RFC 1035. */
const COMPRESSED: ReadonlySet<RecordType> = new Set(['CNAME', 'MX', 'NS', 'PTR', 'SOA']);
const ONE_NAME: ReadonlySet<RecordType> = new Set(['CNAME', 'DNAME', 'NS', 'PTR']);

/** Types whose decoders also write text that their own form refuses, such as a digest that is too short. */
const REFUSABLE: ReadonlySet<RecordType> = new Set([
  'CDNSKEY',
  'CDS',
  'DNSKEY',
  'DS',
  'HTTPS',
  'NAPTR',
  'SMIMEA',
  'SSHFP',
  'SVCB',
  'TLSA',
  'URI',
]);

const readText = (type: RecordType, text: string): RdataFields =>
  readRdata(type, new RdataFields(tokenizeLine(text), null));

function encodeFields(writer: WireWriter, type: RecordType, text: string, compress: boolean): void {
  const { wire, names } = readText(type, text);
  if (!compress) {
    writer.bytes(wire);
    return;
  }
  let at = 0;
  for (const { offset, name } of names) {
    writer.bytes(wire.slice(at, offset));
    encodeName(writer, name.text, true);
    at = offset + name.wire.length;
  }
  writer.bytes(wire.slice(at));
}

/**
 * Writes canonical text as rdata, without its length. Any type may use the general form (RFC 3597); unknown types must.
 * @throws RdataError if the text is not rdata of the type, MessageFull
 */
export function encodeRdata(
  writer: WireWriter,
  type: RecordType | number,
  text: string,
  { compress }: { readonly compress: boolean },
): void {
  const known = typeof type === 'number' ? findRecordType(type) : type;
  if (known === undefined || isGeneral(text)) writer.bytes(parseGeneral(text));
  else if (ONE_NAME.has(known)) encodeName(writer, text, compress && COMPRESSED.has(known));
  else encodeFields(writer, known, text, compress && COMPRESSED.has(known));
}

function decodeKnown(reader: WireReader, type: RecordType): string | undefined {
  try {
    const text = DECODERS[type](reader);
    if (REFUSABLE.has(type)) readText(type, text);
    return text;
  } catch (error) {
    if (error instanceof RdataError) return undefined;
    throw error;
  }
}

/** Types in whose rdata the case of letters is signed (RFC 4034 section 6.2), although canonical text has lower case. */
const SIGNED_AS_SENT: ReadonlySet<RecordType> = new Set(['CAA', 'HTTPS', 'SVCB']);

/**
 * Like `decodeRdata`, but in the general form if the text would not give these very octets again. For records that are passed on
 * as they came, perhaps with a signature.
 * @throws FormError
 */
export function decodeExactRdata(reader: WireReader, type: number, length: number): string {
  const start = reader.offset;
  const text = decodeRdata(reader, type, length);
  const known = findRecordType(type);
  if (known === undefined || !SIGNED_AS_SENT.has(known) || isGeneral(text)) return text;
  const octets = reader.slice(start, start + length);
  return octets.equals(Buffer.from(readText(known, text).wire)) ? text : formatGeneral(octets);
}

/**
 * Reads `length` octets of rdata as canonical text, identical to that of parseRdata for these octets. The result is in
 * the general form (RFC 3597) if the type is unknown or its own form cannot express the octets.
 * @throws FormError
 */
export function decodeRdata(reader: WireReader, type: number, length: number): string {
  const known = findRecordType(type);
  return reader.within(length, () => {
    if (known === undefined) return decodeUnnamed(reader, type);
    const start = reader.offset;
    const text = length === 0 ? undefined : decodeKnown(reader, known);
    if (text !== undefined) return text;
    reader.rest();
    return formatGeneral(reader.slice(start, start + length));
  });
}

/** Whether text in the general form is what `decodeExactRdata` makes of its octets. */
export function isExactRdata(type: StoredType, text: string): boolean {
  try {
    const octets = parseGeneral(text);
    return decodeExactRdata(new WireReader(octets), typeNumber(type), octets.length) === text;
  } catch (error) {
    if (error instanceof RdataError || error instanceof FormError) return false;
    throw error;
  }
}
