/** Questions and records of a message (RFC 1035 sections 4.1.2 and 4.1.3). */
import { decodeName } from '../encoding/names.ts';
import type { WireReader } from '../encoding/reader.ts';

export interface Question {
  /** Canonical text. */
  readonly name: string;
  /** The name as received, if it has upper-case letters: an answer repeats them (RFC 1035 section 4.1). */
  readonly octets?: Buffer;
  readonly type: number;
  readonly class: number;
}

export interface WireRecord {
  /** Canonical text. */
  readonly name: string;
  readonly type: number;
  readonly class: number;
  /** In seconds. */
  readonly ttl: number;
  /** Canonical text, or the general form of RFC 3597. */
  readonly rdata: string;
}

/** A record up to its rdata, which follows. */
export interface RecordHead {
  readonly name: string;
  readonly type: number;
  readonly class: number;
  readonly ttl: number;
  /** Length of the rdata in octets. */
  readonly length: number;
}

/** @throws FormError */
export function readHead(reader: WireReader): RecordHead {
  const name = decodeName(reader);
  const type = reader.u16();
  return { name, type, class: reader.u16(), ttl: reader.u32(), length: reader.u16() };
}
