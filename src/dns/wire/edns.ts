/** The OPT record (RFC 6891 section 6.1). Options are skipped when read; the only one written is an Extended DNS Error. */

import { FormError, type WireReader } from '../encoding/reader.ts';
import type { WireWriter } from '../encoding/writer.ts';
import { TYPE } from '../record-types.ts';

/** An Extended DNS Error (RFC 8914): why an answer is no success. */
export interface ExtendedError {
  /** An INFO-CODE. */
  readonly code: number;
  /** The EXTRA-TEXT. */
  readonly text: string;
}

/** INFO-CODEs (RFC 8914 section 4). */
export const EXTENDED_ERROR = { OTHER: 0, PROHIBITED: 18 } as const;

/** The option code of an Extended DNS Error, and the octets of one without its text: code, length and INFO-CODE. */
const ERROR_OPTION = 15;
const ERROR_LENGTH = 6;

export interface Edns {
  readonly udpSize: number;
  readonly version: number;
  readonly doBit: boolean;
  /** The upper eight bits of the RCODE. */
  readonly extendedRcode: number;
  /** For encoding only. */
  readonly error?: ExtendedError | undefined;
}

/** Octets of an OPT record without options. */
const OPT_LENGTH = 11;

/** Octets of an OPT record. */
export function optLength({ error }: Edns): number {
  return OPT_LENGTH + (error === undefined ? 0 : ERROR_LENGTH + Buffer.byteLength(error.text));
}

/** The error with as much of its text as fits into an OPT record of some octets; undefined if not even its code does. */
export function errorWithin({ code, text }: ExtendedError, octets: number): ExtendedError | undefined {
  const room = octets - OPT_LENGTH - ERROR_LENGTH;
  if (room < 0) return undefined;
  const whole = Buffer.from(text);
  if (whole.length <= room) return { code, text };
  let end = room;
  // Not within a character: its later octets are 10xxxxxx.
  while (end > 0 && (whole[end]! & 0xc0) === 0x80) end -= 1;
  return { code, text: whole.subarray(0, end).toString() };
}

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

function encodeError(writer: WireWriter, error: ExtendedError | undefined): void {
  if (error === undefined) return;
  writer.u16(ERROR_OPTION);
  writer.withLength(() => {
    writer.u16(error.code);
    writer.bytes(Buffer.from(error.text));
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
  writer.withLength(() => encodeError(writer, edns.error));
}

/** @throws FormError */
export function requireOneOpt(known: Edns | undefined, name: string): void {
  if (known !== undefined) throw new FormError('There are two OPT records.');
  if (name !== '.') throw new FormError('The OPT record has a name other than the root.');
}
