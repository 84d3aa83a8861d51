/** The TSIG record: RFC 8945 section 4.2. */

import { decodeCounts, HEADER_LENGTH } from '../encoding/header.ts';
import { decodeName, encodeName, skipName } from '../encoding/names.ts';
import { FormError, WireReader } from '../encoding/reader.ts';
import type { WireWriter } from '../encoding/writer.ts';
import { TYPE } from '../record-types.ts';
import { CLASS } from './codes.ts';
import { type RecordHead, readHead } from './record.ts';

const TIME_SPAN = 2 ** 32;
/** The offset of the count of additional records in a message. */
export const ADDITIONAL_COUNT_AT = 10;

export interface TsigRecord {
  /** The key name, in canonical text. */
  readonly name: string;
  /** Lower case, without a final dot: `hmac-sha256`. */
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

export function encodeTime(writer: WireWriter, time: number): void {
  writer.u16(Math.floor(time / TIME_SPAN));
  writer.u32(time % TIME_SPAN);
}

/** Reads the rdata of a TSIG, which must be the last record. @throws FormError */
export function decodeTsig(reader: WireReader, head: RecordHead): TsigRecord {
  if (head.class !== CLASS.ANY || head.ttl !== 0) {
    throw new FormError('The TSIG has a class other than ANY, or a TTL other than 0.');
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

/** Skips a record that is not the last. */
function skipRecord(reader: WireReader): void {
  skipName(reader);
  if (reader.u16() === TYPE.TSIG) throw new FormError('A TSIG is not the last record.');
  reader.skip(6);
  reader.skip(reader.u16());
}

/**
 * The TSIG of a message and the offset of its first octet, or undefined if the message has none.
 * @throws FormError if a TSIG is not at the end of the message, or if the message cannot be read
 */
export function findTsig(
  message: Buffer,
): { readonly record: TsigRecord; readonly start: number } | undefined {
  if (message.length < HEADER_LENGTH) throw new FormError('The message is shorter than a header.');
  const { questions, answers, authority, additional } = decodeCounts(message);
  const reader = new WireReader(message, HEADER_LENGTH);
  for (let left = questions; left > 0; left -= 1) {
    skipName(reader);
    reader.skip(4);
  }
  const before = answers + authority + additional - 1;
  for (let left = before; left > 0; left -= 1) skipRecord(reader);
  const start = reader.offset;
  const head = before < 0 ? undefined : readHead(reader);
  if (head?.type !== TYPE.TSIG) return undefined;
  if (additional === 0) throw new FormError('A TSIG is not in the last section.');
  return { record: decodeTsig(reader, head), start };
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
