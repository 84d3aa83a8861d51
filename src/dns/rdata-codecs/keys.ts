import { type RdataDecoder, requiredRest } from './decoder.ts';

/** RFC 4398. */
export const decodeCert: RdataDecoder = (reader) =>
  `${reader.u16()} ${reader.u16()} ${reader.u8()} ${requiredRest(reader).toString('base64')}`;

/** RFC 4034. */
export const decodeDs: RdataDecoder = (reader) =>
  `${reader.u16()} ${reader.u8()} ${reader.u8()} ${requiredRest(reader).toString('hex')}`;

/** RFC 4034. */
export const decodeDnskey: RdataDecoder = (reader) =>
  `${reader.u16()} ${reader.u8()} ${reader.u8()} ${requiredRest(reader).toString('base64')}`;

/** RFC 4255. */
export const decodeSshfp: RdataDecoder = (reader) =>
  `${reader.u8()} ${reader.u8()} ${requiredRest(reader).toString('hex')}`;

/** RFC 6698. */
export const decodeTlsa: RdataDecoder = (reader) =>
  `${reader.u8()} ${reader.u8()} ${reader.u8()} ${requiredRest(reader).toString('hex')}`;

/** RFC 7929. */
export const decodeOpenpgpkey: RdataDecoder = (reader) => requiredRest(reader).toString('base64');
