import type { WireReader } from '../encoding/reader.ts';
import { formatLoc } from '../rdata/loc.ts';
import { RdataError } from '../rdata/rdata-error.ts';
import type { RdataDecoder } from './decoder.ts';

/** A digit times a power of ten, in centimetres (RFC 1876 section 2). */
function precision(reader: WireReader): number {
  const octet = reader.u8();
  const [digit, power] = [octet >> 4, octet & 0xf];
  if (digit > 9 || power > 9 || (digit === 0 && power > 0))
    throw new RdataError('A size or precision is invalid.');
  return digit * 10 ** power;
}

/** RFC 1876. */
export const decodeLoc: RdataDecoder = (reader) => {
  if (reader.u8() !== 0) throw new RdataError('The version is not 0.');
  const precisions = [precision(reader), precision(reader), precision(reader)];
  const [latitude, longitude, altitude] = [reader.u32(), reader.u32(), reader.u32()];
  return formatLoc({ latitude, longitude, altitude, precisions });
};
