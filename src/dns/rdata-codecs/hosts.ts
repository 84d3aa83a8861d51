import { decodeName } from '../encoding/names.ts';
import type { RdataDecoder } from './decoder.ts';

/** NS, CNAME, PTR: RFC 1035. */
export const decodeTarget: RdataDecoder = (reader) => decodeName(reader);

/** RFC 6672: the target is never compressed. */
export const decodeDname: RdataDecoder = (reader) => decodeName(reader, false);

export const decodeMx: RdataDecoder = (reader) => `${reader.u16()} ${decodeName(reader)}`;

/** RFC 2782 forbids compression, but RFC 3597 section 4 requires decoding it. */
export const decodeSrv: RdataDecoder = (reader) =>
  `${reader.u16()} ${reader.u16()} ${reader.u16()} ${decodeName(reader)}`;

/** RP and AFSDB, RFC 1183. RFC 3597 section 4 requires decoding compressed names. */
export const decodeRp: RdataDecoder = (reader) => `${decodeName(reader)} ${decodeName(reader)}`;

export const decodeAfsdb: RdataDecoder = (reader) => `${reader.u16()} ${decodeName(reader)}`;

export const decodeSoa: RdataDecoder = (reader) => {
  const fields: (string | number)[] = [decodeName(reader), decodeName(reader)];
  for (let timers = 0; timers < 5; timers += 1) fields.push(reader.u32());
  return fields.join(' ');
};
