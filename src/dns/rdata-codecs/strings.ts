import { decodeName } from '../encoding/names.ts';
import { RdataError } from '../rdata/rdata-error.ts';
import { characterString, quoted, type RdataDecoder } from './decoder.ts';

/** TXT and SPF: RFC 1035 section 3.3.14. */
export const decodeTxt: RdataDecoder = (reader) => {
  const strings: string[] = [];
  while (reader.remaining > 0) strings.push(characterString(reader));
  return strings.join(' ');
};

/** RFC 1035 section 3.3.2. */
export const decodeHinfo: RdataDecoder = (reader) => `${characterString(reader)} ${characterString(reader)}`;

const TAG = /^[a-z0-9]+$/;

/** RFC 8659 section 4.1. */
export const decodeCaa: RdataDecoder = (reader) => {
  const flags = reader.u8();
  const tag = reader.bytes(reader.u8()).toString('latin1').toLowerCase();
  const value = quoted(reader.rest());
  if (!TAG.test(tag)) throw new RdataError('The tag is not letters and digits.');
  return `${flags} ${tag} ${value}`;
};

/** RFC 7553. */
export const decodeUri: RdataDecoder = (reader) => `${reader.u16()} ${reader.u16()} ${quoted(reader.rest())}`;

/** RFC 3403. A compressed replacement is decoded (RFC 3597 section 4). */
export const decodeNaptr: RdataDecoder = (reader) => {
  const fields: (string | number)[] = [reader.u16(), reader.u16()];
  for (let strings = 0; strings < 3; strings += 1) fields.push(characterString(reader));
  return `${fields.join(' ')} ${decodeName(reader)}`;
};
