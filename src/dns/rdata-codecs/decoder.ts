import type { WireReader } from '../encoding/reader.ts';
import { formatQuoted } from '../rdata/character-string.ts';
import { RdataError } from '../rdata/rdata-error.ts';

/**
 * Reads all rdata of one type, and gives it in canonical text. It throws FormError where a field does not end within the
 * rdata, and RdataError where the form of the type cannot express what stands there: then the general form can.
 */
export type RdataDecoder = (reader: WireReader) => string;

/** A character string: a length, and so many octets. */
export function characterString(reader: WireReader): string {
  return quoted(reader.bytes(reader.u8()));
}

export function quoted(octets: Buffer): string {
  return formatQuoted([...octets]);
}

/** The rest of the rdata, which must not be empty: text has no form for that. @throws RdataError */
export function requiredRest(reader: WireReader): Buffer {
  const octets = reader.rest();
  if (octets.length === 0) throw new RdataError('The last field is empty.');
  return octets;
}
