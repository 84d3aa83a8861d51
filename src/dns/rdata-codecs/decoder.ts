import type { WireReader } from '../encoding/reader.ts';
import { formatQuoted } from '../rdata/character-string.ts';
import { RdataError } from '../rdata/rdata-error.ts';

/**
 * Reads the whole rdata of one type as canonical text.
 * @throws FormError if a field does not end within the rdata; RdataError if the type's own form cannot express the
 * value, so that the general form is needed
 */
export type RdataDecoder = (reader: WireReader) => string;

/** A character string: a length octet, and that many octets. */
export function characterString(reader: WireReader): string {
  return quoted(reader.bytes(reader.u8()));
}

export function quoted(octets: Buffer): string {
  return formatQuoted([...octets]);
}

/** The rest of the rdata. Must not be empty, since text cannot express an empty field. @throws RdataError */
export function requiredRest(reader: WireReader): Buffer {
  const octets = reader.rest();
  if (octets.length === 0) throw new RdataError('The last field is empty.');
  return octets;
}
