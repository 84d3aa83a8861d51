/** What stands in the sections of a message: RFC 1035 sections 4.1.2 and 4.1.3. */
import { decodeName } from '../encoding/names.ts';
import type { WireReader } from '../encoding/reader.ts';

export interface Question {
  /** In canonical text. */
  readonly name: string;
  /** The octets of the name as it came, if letters of it are in upper case: an answer repeats them (RFC 1035 section 4.1). */
  readonly octets?: Buffer;
  readonly type: number;
  readonly class: number;
}

export interface WireRecord {
  /** In canonical text. */
  readonly name: string;
  readonly type: number;
  readonly class: number;
  /** In seconds. */
  readonly ttl: number;
  /** In canonical text, or in the general form of RFC 3597. */
  readonly rdata: string;
}

/** A record without its rdata, which comes next. */
export interface RecordHead {
  readonly name: string;
  readonly type: number;
  readonly class: number;
  readonly ttl: number;
  /** Octets of the rdata. */
  readonly length: number;
}

/** @throws FormError */
export function readHead(reader: WireReader): RecordHead {
  const name = decodeName(reader);
  const type = reader.u16();
  return { name, type, class: reader.u16(), ttl: reader.u32(), length: reader.u16() };
}
