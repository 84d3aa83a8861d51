import { RdataError } from '../rdata/rdata-error.ts';
import { typeName } from '../record-types.ts';
import type { RdataDecoder } from './decoder.ts';

const MAX_WINDOW = 32;

/** The types set in one octet of a bitmap. @param first the type of its highest bit */
function* typesOf(octet: number, first: number): Generator<number, void> {
  for (let bit = 0; bit < 8; bit += 1) if ((octet & (0x80 >> bit)) !== 0) yield first + bit;
}

/** RFC 4034 section 4.1.2. @throws RdataError if text cannot express the octets */
function decodeBitmap(octets: Buffer): number[] {
  const types: number[] = [];
  let last = -1;
  for (let at = 0; at < octets.length; ) {
    const [window, length = 0] = octets.subarray(at, at + 2) as unknown as [number, number?];
    const bits = octets.subarray(at + 2, at + 2 + length);
    const isCanonical = window > last && length > 0 && length <= MAX_WINDOW && bits.at(-1) !== 0;
    if (!isCanonical || bits.length !== length) throw new RdataError('The type bitmap is not canonical.');
    for (const [index, octet] of bits.entries()) types.push(...typesOf(octet, (window << 8) + index * 8));
    last = window;
    at += 2 + length;
  }
  if (types[0] === 0) throw new RdataError('The type bitmap contains type 0.');
  return types;
}

/** RFC 7477. */
export const decodeCsync: RdataDecoder = (reader) =>
  [reader.u32(), reader.u16(), ...decodeBitmap(reader.rest()).map(typeName)].join(' ');
