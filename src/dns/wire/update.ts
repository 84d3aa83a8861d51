/** UPDATE messages (RFC 2136 section 2). */

import { decodeCounts, decodeHeader, HEADER_LENGTH, type Header } from '../encoding/header.ts';
import { skipName } from '../encoding/names.ts';
import { FormError, WireReader } from '../encoding/reader.ts';
import { findRecordType, isMeta, type StoredType, storedType, TYPE } from '../record-types.ts';
import { CLASS } from './codes.ts';
import { type Edns, ednsOf, requireOneOpt, skipOptions } from './edns.ts';
import { decodeRdata } from './rdata.ts';
import { type Question, type RecordHead, readHead } from './record.ts';
import { readQuestion, requireCounts } from './sections.ts';

/** Every record has at least 11 octets, so no message has more records than this. */
const MAX_RECORDS = Math.floor(65_535 / 11);
/** In seconds: RFC 2181 section 8. */
const MAX_TTL = 2_147_483_647;

/** Section 2.4. Names and rdata are canonical text. */
export type Prerequisite =
  | { readonly kind: 'name in use' | 'name not in use'; readonly name: string }
  | { readonly kind: 'set exists' | 'no set exists'; readonly name: string; readonly type: StoredType }
  /** All of these for a name and type together are the whole set. */
  | {
      readonly kind: 'record exists';
      readonly name: string;
      readonly type: StoredType;
      readonly rdata: string;
    };

/** Section 2.5. Names and rdata are canonical text. */
export type UpdateStep =
  | {
      readonly kind: 'add';
      readonly name: string;
      readonly type: StoredType;
      /** In seconds. */
      readonly ttl: number;
      readonly rdata: string;
    }
  | { readonly kind: 'delete set'; readonly name: string; readonly type: StoredType }
  | { readonly kind: 'delete name'; readonly name: string }
  | {
      readonly kind: 'delete record';
      readonly name: string;
      readonly type: StoredType;
      readonly rdata: string;
    };

/** What an UPDATE asks for. */
export interface UpdateSections {
  readonly prerequisites: readonly Prerequisite[];
  readonly steps: readonly UpdateStep[];
}

/** An UPDATE message whose frame has been read. */
export interface OpenedUpdate {
  readonly header: Header;
  /** The zone section. */
  readonly zone: Question;
  readonly edns: Edns | undefined;
  /** Reads what it asks for, and checks the rest. @throws FormError */
  read(): UpdateSections;
}

function requireEmpty({ length }: RecordHead): void {
  if (length > 0) throw new FormError('A record without data has data.');
}

function requireNoTtl({ ttl }: RecordHead): void {
  if (ttl > 0) throw new FormError('A record has a TTL where none is possible.');
}

/** A type that records of a zone can have. @throws FormError */
function dataType({ type }: RecordHead): StoredType {
  if (isMeta(type)) throw new FormError('A record has a type that no record of a zone has.');
  return storedType(type);
}

function rdataOf(reader: WireReader, { type, length }: RecordHead): string {
  if (length === 0 && findRecordType(type) !== undefined) throw new FormError('A record has no data.');
  return decodeRdata(reader, type, length);
}

function readPrerequisite(reader: WireReader): Prerequisite {
  const head = readHead(reader);
  const { name } = head;
  requireNoTtl(head);
  if (head.class === CLASS.IN) {
    const type = dataType(head);
    return { kind: 'record exists', name, type, rdata: rdataOf(reader, head) };
  }
  requireEmpty(head);
  if (head.class !== CLASS.ANY && head.class !== CLASS.NONE)
    throw new FormError('A prerequisite has another class.');
  const isThere = head.class === CLASS.ANY;
  if (head.type === TYPE.ANY) return { kind: isThere ? 'name in use' : 'name not in use', name };
  return { kind: isThere ? 'set exists' : 'no set exists', name, type: dataType(head) };
}

function readDeletionOfSets(head: RecordHead): UpdateStep {
  const { name, type } = head;
  requireNoTtl(head);
  requireEmpty(head);
  return type === TYPE.ANY
    ? { kind: 'delete name', name }
    : { kind: 'delete set', name, type: dataType(head) };
}

function readStep(reader: WireReader): UpdateStep {
  const head = readHead(reader);
  const { name, ttl } = head;
  if (head.class === CLASS.ANY) return readDeletionOfSets(head);
  const type = dataType(head);
  if (head.class === CLASS.NONE) {
    requireNoTtl(head);
    return { kind: 'delete record', name, type, rdata: rdataOf(reader, head) };
  }
  if (head.class !== CLASS.IN) throw new FormError('An update has another class.');
  if (ttl > MAX_TTL) throw new FormError('A TTL is larger than 2147483647.');
  return { kind: 'add', name, type, ttl, rdata: rdataOf(reader, head) };
}

function readAll<T>(reader: WireReader, count: number, read: (reader: WireReader) => T): readonly T[] {
  return Array.from({ length: count }, () => read(reader));
}

function skipRecord(reader: WireReader): void {
  skipName(reader);
  reader.skip(8);
  reader.skip(reader.u16());
}

/** The type of the next record. Its name is only skipped, as there may be thousands. */
function peekType(message: Buffer, { offset }: WireReader): number {
  const reader = new WireReader(message, offset);
  skipName(reader);
  return reader.u16();
}

/** Reads the additional section, of which only the OPT matters. */
function readEdns(message: Buffer, reader: WireReader, count: number): Edns | undefined {
  let edns: Edns | undefined;
  for (let left = count; left > 0; left -= 1) {
    const type = peekType(message, reader);
    if (type === TYPE.TSIG) throw new FormError('A TSIG is in a wrong place.');
    if (type !== TYPE.OPT) skipRecord(reader);
    else {
      const head = readHead(reader);
      requireOneOpt(edns, head.name);
      edns = ednsOf(head.class, head.ttl);
      skipOptions(reader, head.length);
    }
  }
  return edns;
}

function readZone(reader: WireReader, count: number): Question {
  if (count !== 1) throw new FormError('There is not exactly one zone.');
  const zone = readQuestion(reader);
  if (zone.type !== TYPE.SOA) throw new FormError('The zone section has a type other than SOA.');
  return zone;
}

/**
 * Reads the frame of an UPDATE.
 * @param message without its TSIG
 * @throws FormError
 */
export function openUpdate(message: Buffer): OpenedUpdate {
  const header = decodeHeader(message);
  if (header === undefined) throw new FormError('The message is shorter than a header.');
  const counts = decodeCounts(message);
  requireCounts(counts, message.length, { maxQuestions: 1, maxRecords: MAX_RECORDS });
  const reader = new WireReader(message, HEADER_LENGTH);
  const zone = readZone(reader, counts.questions);
  const { answers: prerequisites, authority: steps, additional } = counts;
  for (let left = prerequisites + steps; left > 0; left -= 1) skipRecord(reader);
  const edns = readEdns(message, reader, additional);
  reader.requireEnd();
  return {
    header,
    zone,
    edns,
    read() {
      const again = new WireReader(message, HEADER_LENGTH);
      readQuestion(again);
      const sections = {
        prerequisites: readAll(again, prerequisites, readPrerequisite),
        steps: readAll(again, steps, readStep),
      };
      for (let left = additional; left > 0; left -= 1) again.skip(readHead(again).length);
      return sections;
    },
  };
}
