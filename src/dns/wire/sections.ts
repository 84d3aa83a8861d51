/** Decodes the sections of a message (RFC 1035 section 4) strictly, within the bounds of the received octets. */

import { decodeCounts, HEADER_LENGTH, type Header, type SectionCounts } from '../encoding/header.ts';
import { decodeName } from '../encoding/names.ts';
import { FormError, WireReader } from '../encoding/reader.ts';
import { TYPE } from '../record-types.ts';
import { type Edns, ednsOf, requireOneOpt, skipOptions } from './edns.ts';
import { decodeExactRdata } from './rdata.ts';
import { type Question, type RecordHead, readHead, type WireRecord } from './record.ts';
import { decodeTsig, type TsigRecord } from './tsig-record.ts';

/** In octets: root name, type, class, TTL and length. */
const MIN_RECORD = 11;
const MIN_QUESTION = 5;
/** In seconds. RFC 2181 section 8: a larger TTL counts as 0. */
const MAX_TTL = 2_147_483_647;

export interface DecodedMessage {
  readonly header: Header;
  readonly questions: readonly Question[];
  readonly answers: readonly WireRecord[];
  readonly authority: readonly WireRecord[];
  /** Without OPT and TSIG. */
  readonly additional: readonly WireRecord[];
  readonly edns: Edns | undefined;
  readonly tsig: TsigRecord | undefined;
}

interface Pseudo {
  edns: Edns | undefined;
  tsig: TsigRecord | undefined;
}

/** Upper limits on what is read. */
export interface SectionBounds {
  readonly maxQuestions: number;
  readonly maxRecords: number;
}

/** @throws FormError if the counts exceed the bounds, or what fits in the message */
export function requireCounts(
  counts: SectionCounts,
  length: number,
  { maxQuestions, maxRecords }: SectionBounds,
): void {
  const records = counts.answers + counts.authority + counts.additional;
  if (counts.questions > maxQuestions) throw new FormError('There is more than one question.');
  if (records > maxRecords) throw new FormError(`There are more than ${maxRecords} records.`);
  if (HEADER_LENGTH + counts.questions * MIN_QUESTION + records * MIN_RECORD > length) {
    throw new FormError('The message is too short for the records that it counts.');
  }
}

/** Reads `count` values in order. */
function times<T>(count: number, read: (index: number) => T): T[] {
  const values: T[] = [];
  for (let index = 0; index < count; index += 1) values.push(read(index));
  return values;
}

/** Whether an octet of a name is an upper-case letter; lengths of labels are smaller. */
const isUpperCase = (octet: number): boolean => octet >= 0x41 && octet <= 0x5a;

/** Reads a question. Its name is never compressed, since no name precedes it. @throws FormError */
export function readQuestion(reader: WireReader): Question {
  const { offset } = reader;
  const name = decodeName(reader, false);
  const octets = reader.slice(offset, reader.offset);
  const rest = { type: reader.u16(), class: reader.u16() };
  return octets.some(isUpperCase) ? { name, octets, ...rest } : { name, ...rest };
}

function recordOf(reader: WireReader, head: RecordHead): WireRecord {
  const { name, type, length } = head;
  if (type === TYPE.OPT || type === TYPE.TSIG) throw new FormError('An OPT or a TSIG is in a wrong place.');
  const ttl = head.ttl > MAX_TTL ? 0 : head.ttl;
  return { name, type, class: head.class, ttl, rdata: decodeExactRdata(reader, type, length) };
}

/** Reads an ordinary record. @throws FormError, also for an OPT or a TSIG */
export const readRecord = (reader: WireReader): WireRecord => recordOf(reader, readHead(reader));

/** Reads a record of the additional section. OPT and TSIG are stored in `pseudo` instead of returned. */
function readAdditional(reader: WireReader, pseudo: Pseudo, isLast: boolean): WireRecord[] {
  const head = readHead(reader);
  if (head.type === TYPE.OPT) {
    requireOneOpt(pseudo.edns, head.name);
    pseudo.edns = ednsOf(head.class, head.ttl);
    skipOptions(reader, head.length);
    return [];
  }
  if (head.type === TYPE.TSIG && isLast) {
    pseudo.tsig = decodeTsig(reader, head);
    return [];
  }
  return [recordOf(reader, head)];
}

/** Reads the sections of a message whose header was decoded. @throws FormError */
export function decodeSections(message: Buffer, header: Header, bounds: SectionBounds): DecodedMessage {
  const counts = decodeCounts(message);
  requireCounts(counts, message.length, bounds);
  const reader = new WireReader(message, HEADER_LENGTH);
  const pseudo: Pseudo = { edns: undefined, tsig: undefined };
  const questions = times(counts.questions, () => readQuestion(reader));
  const answers = times(counts.answers, () => readRecord(reader));
  const authority = times(counts.authority, () => readRecord(reader));
  const last = counts.additional - 1;
  const additional = times(counts.additional, (index) => readAdditional(reader, pseudo, index === last));
  reader.requireEnd();
  return { header, questions, answers, authority, additional: additional.flat(), ...pseudo };
}
