/** The TSIG record: RFC 8945 section 4.2. */
import { decodeName, encodeName } from './names.ts';
import { FormError, type WireReader } from './reader.ts';
import { CLASS, TYPE } from './record-types.ts';
import type { WireWriter } from './writer.ts';

const TIME_SPAN = 2 ** 32;

export interface TsigRecord {
  /** Of the key, in canonical text. */
  readonly name: string;
  /** In lower case, without a final dot: `hmac-sha256`. */
  readonly algorithm: string;
  /** In seconds since 1970. */
  readonly time: number;
  /** In seconds. */
  readonly fudge: number;
  readonly mac: Buffer;
  readonly originalId: number;
  /** An RCODE, or 0. */
  readonly error: number;
  readonly otherData: Buffer;
}

/** Where the fields of a record are that all records have. */
export interface RecordHead {
  readonly name: string;
  readonly class: number;
  readonly ttl: number;
  readonly length: number;
}

export function encodeTime(writer: WireWriter, time: number): void {
  writer.u16(Math.floor(time / TIME_SPAN));
  writer.u32(time % TIME_SPAN);
}

/** Reads the rdata of a TSIG, which must be the last record. @throws FormError */
export function decodeTsig(reader: WireReader, head: RecordHead): TsigRecord {
  if (head.class !== CLASS.ANY || head.ttl !== 0) {
    throw new FormError('The TSIG has another class than ANY, or another TTL than 0.');
  }
  const record = reader.within(head.length, () => ({
    name: head.name,
    algorithm: decodeName(reader, false).slice(0, -1),
    time: reader.u16() * TIME_SPAN + reader.u32(),
    fudge: reader.u16(),
    mac: Buffer.from(reader.bytes(reader.u16())),
    originalId: reader.u16(),
    error: reader.u16(),
    otherData: Buffer.from(reader.bytes(reader.u16())),
  }));
  reader.requireEnd();
  return record;
}

/** @throws MessageFull */
export function encodeTsig(writer: WireWriter, record: TsigRecord): void {
  encodeName(writer, record.name, false);
  writer.u16(TYPE.TSIG);
  writer.u16(CLASS.ANY);
  writer.u32(0);
  writer.withLength(() => {
    encodeName(writer, `${record.algorithm}.`, false);
    encodeTime(writer, record.time);
    writer.u16(record.fudge);
    writer.withLength(() => writer.bytes(record.mac));
    writer.u16(record.originalId);
    writer.u16(record.error);
    writer.withLength(() => writer.bytes(record.otherData));
  });
}
