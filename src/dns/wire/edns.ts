/** The OPT record (RFC 6891 section 6.1). Options are skipped when read and never written. */

import { FormError, type WireReader } from '../encoding/reader.ts';
import type { WireWriter } from '../encoding/writer.ts';
import { TYPE } from '../record-types.ts';

export interface Edns {
  readonly udpSize: number;
  readonly version: number;
  readonly doBit: boolean;
  /** The upper eight bits of the RCODE. */
  readonly extendedRcode: number;
}

/** Octets of an OPT record without options. */
export const OPT_LENGTH = 11;

/** Decodes an OPT record from the fields that other records use for class and TTL. */
export function ednsOf(udpSize: number, ttl: number): Edns {
  return {
    udpSize,
    version: (ttl >>> 16) & 0xff,
    doBit: ((ttl >>> 15) & 1) === 1,
    extendedRcode: ttl >>> 24,
  };
}

/** @throws FormError if the options do not fill the rdata */
export function skipOptions(reader: WireReader, length: number): void {
  reader.within(length, () => {
    while (reader.remaining > 0) {
      reader.u16();
      reader.skip(reader.u16());
    }
  });
}

/** @param rcode of the whole message; its upper bits go into the OPT record */
export function encodeEdns(writer: WireWriter, edns: Edns, rcode: number): void {
  writer.u8(0);
  writer.u16(TYPE.OPT);
  writer.u16(edns.udpSize);
  writer.u8(edns.extendedRcode | (rcode >>> 4));
  writer.u8(edns.version);
  writer.u16(edns.doBit ? 0x8000 : 0);
  writer.u16(0);
}

/** @throws FormError */
export function requireOneOpt(known: Edns | undefined, name: string): void {
  if (known !== undefined) throw new FormError('There are two OPT records.');
  if (name !== '.') throw new FormError('The OPT record has a name other than the root.');
}
