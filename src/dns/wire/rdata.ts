/** Rdata between canonical text and the wire. */

import { encodeName } from '../encoding/names.ts';
import type { WireReader } from '../encoding/reader.ts';
import type { WireWriter } from '../encoding/writer.ts';
import { readRdata } from '../parse-rdata.ts';
import { Fields } from '../rdata/fields.ts';
import { RdataError } from '../rdata/rdata-error.ts';
import { tokenizeLine } from '../rdata/tokens.ts';
import { DECODERS } from '../rdata-codecs/decoders.ts';
import { formatGeneral, isGeneral, parseGeneral } from '../rdata-codecs/general.ts';
import { decodeUnnamed } from '../rdata-codecs/unnamed.ts';
import type { RecordType } from '../record-types.ts';
import { findRecordType } from '../record-types.ts';

/** RFC 3597 section 4: names are compressed only in the rdata of the types of RFC 1035. */
const COMPRESSED: ReadonlySet<RecordType> = new Set(['CNAME', 'MX', 'NS', 'PTR', 'SOA']);
const ONE_NAME: ReadonlySet<RecordType> = new Set(['CNAME', 'DNAME', 'NS', 'PTR']);

function encodeFields(writer: WireWriter, type: RecordType, text: string, compress: boolean): void {
  const { wire, names } = readRdata(type, new Fields(tokenizeLine(text), null));
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
 * Writes the rdata of canonical text, without its length; any type may have the general form of RFC 3597, and a type that is
 * not known here has no other.
 * @throws RdataError if the text is no rdata of the type, MessageFull
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
    return DECODERS[type](reader);
  } catch (error) {
    if (error instanceof RdataError) return undefined;
    throw error;
  }
}

/**
 * Reads rdata of so many octets, and gives its canonical text: what parseRdata makes of the same octets. What the form of its
 * type cannot express, and types that are not known here, are in the general form of RFC 3597.
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
