/** DNS messages (RFC 1035 section 4). */

import { decodeHeader, type Header, headerBits } from '../encoding/header.ts';
import { encodeName } from '../encoding/names.ts';
import { FormError } from '../encoding/reader.ts';
import { MAX_MESSAGE, MessageFull, WireWriter } from '../encoding/writer.ts';
import { type Edns, encodeEdns, optLength } from './edns.ts';
import { encodeRdata } from './rdata.ts';
import type { Question, WireRecord } from './record.ts';
import { type DecodedMessage, decodeSections, type SectionBounds } from './sections.ts';

export type { Header } from '../encoding/header.ts';
export type { Edns } from './edns.ts';
export type { Question, WireRecord } from './record.ts';
export type { DecodedMessage } from './sections.ts';

/** Room for an SOA for IXFR or NOTIFY, OPT and TSIG; no supported query needs more. */
const MAX_QUERY_RECORDS = 32;
export interface EncodeOptions {
  /** In octets, including OPT. Leave room for a TSIG (`tsigLength`). */
  readonly limit?: number;
  /** Whether names may be compressed; true by default. */
  readonly compress?: boolean;
}

const SECTIONS = ['questions', 'answers', 'authority', 'additional'] as const;
/** The offset of the four counts. */
const COUNTS_AT = 4;

/** Packs one message after another: `start`, `tryAdd` until it is full, `finish`. */
export class MessageBuilder {
  readonly #compress: boolean;
  readonly #limit: number;
  #writer: WireWriter;
  #counts = { questions: 0, answers: 0, authority: 0, additional: 0 };
  #edns: Edns | undefined;
  #rcode = 0;

  constructor({ limit = MAX_MESSAGE, compress = true }: EncodeOptions = {}) {
    this.#limit = Math.min(limit, MAX_MESSAGE);
    this.#compress = compress;
    this.#writer = new WireWriter(this.#limit);
  }

  /** Records in the message so far, without OPT. */
  get records(): number {
    return this.#counts.answers + this.#counts.authority + this.#counts.additional;
  }

  /** Octets of the message so far, without OPT. */
  get length(): number {
    return this.#writer.length;
  }

  /**
   * Starts a message and discards an unfinished one. @throws MessageFull if not even the header and the question fit
   */
  start(header: Header, question?: Question, edns?: Edns): void {
    this.#writer.rollback({ length: 0, names: 0 });
    this.#writer.limit = this.#limit - (edns === undefined ? 0 : optLength(edns));
    this.#counts = { questions: 0, answers: 0, authority: 0, additional: 0 };
    this.#edns = edns;
    this.#rcode = header.rcode;
    this.#writer.u16(header.id);
    this.#writer.u16(headerBits(header));
    for (const _ of SECTIONS) this.#writer.u16(0);
    if (question !== undefined) this.addQuestion(question);
  }

  /** @throws MessageFull */
  addQuestion(question: Question): void {
    this.#writeNameOf(question);
    this.#writer.u16(question.type);
    this.#writer.u16(question.class);
    this.#counts.questions += 1;
  }

  /**
   * Adds a record; sections must be added in order. Returns false and leaves the message unchanged if it does not fit.
   * @throws RdataError if the record cannot be encoded; the message is unchanged
   */
  tryAdd(record: WireRecord, section: 'answers' | 'authority' | 'additional' = 'answers'): boolean {
    const mark = this.#writer.mark();
    try {
      this.#write(record);
    } catch (error) {
      this.#writer.rollback(mark);
      if (error instanceof MessageFull) return false;
      throw error;
    }
    this.#counts[section] += 1;
    return true;
  }

  /** The message, including OPT. */
  finish(): Buffer {
    const writer = this.#writer;
    const additional = this.#counts.additional + (this.#edns === undefined ? 0 : 1);
    const counts = { ...this.#counts, additional };
    SECTIONS.forEach((section, index) => {
      writer.setU16(COUNTS_AT + 2 * index, counts[section]);
    });
    const mark = writer.mark();
    writer.limit = this.#limit;
    if (this.#edns !== undefined) encodeEdns(writer, this.#edns, this.#rcode);
    const message = writer.toBuffer();
    writer.rollback(mark);
    return message;
  }

  /**
   * A name received with upper case is written as received. Nothing points to it, since record names are lower case.
   */
  #writeNameOf({ name, octets }: Question): void {
    if (octets !== undefined) this.#writer.bytes(octets);
    else encodeName(this.#writer, name, this.#compress);
  }

  #write({ name, type, class: classNumber, ttl, rdata }: WireRecord): void {
    const writer = this.#writer;
    encodeName(writer, name, this.#compress);
    writer.u16(type);
    writer.u16(classNumber);
    writer.u32(ttl);
    writer.withLength(() => encodeRdata(writer, type, rdata, { compress: this.#compress }));
  }
}

export interface MessageContents {
  readonly header: Header;
  readonly questions: readonly Question[];
  readonly answers: readonly WireRecord[];
  readonly authority: readonly WireRecord[];
  readonly additional: readonly WireRecord[];
  readonly edns?: Edns;
}

/**
 * Encodes one message. If answers or authority do not fit, it has TC and no records. Additional records that do not fit
 * are omitted (RFC 2181 section 9).
 * @throws MessageFull if not even the question fits, RdataError if a record cannot be encoded
 */
export function encodeMessage(contents: MessageContents, options: EncodeOptions = {}): Buffer {
  const builder = new MessageBuilder(options);
  const start = (header: Header): void => {
    builder.start(header, undefined, contents.edns);
    for (const question of contents.questions) builder.addQuestion(question);
  };
  start(contents.header);
  const fits =
    contents.answers.every((record) => builder.tryAdd(record, 'answers')) &&
    contents.authority.every((record) => builder.tryAdd(record, 'authority'));
  if (!fits) start({ ...contents.header, tc: true });
  else contents.additional.every((record) => builder.tryAdd(record, 'additional'));
  return builder.finish();
}

function decode(message: Buffer, bounds: SectionBounds): DecodedMessage {
  const header = decodeHeader(message);
  if (header === undefined) throw new FormError('The message is shorter than a header.');
  try {
    return decodeSections(message, header, bounds);
  } catch (error) {
    throw error instanceof FormError ? new FormError(error.reason, header) : error;
  }
}

/**
 * Decodes a client's message: at most one question, and few records. First use `decodeHeader` to check that it is a
 * query with a known opcode: for others even the format is unknown.
 * @throws FormError, with the header if the message has one
 */
export function decodeQuery(message: Buffer): DecodedMessage {
  return decode(message, { maxQuestions: 1, maxRecords: MAX_QUERY_RECORDS });
}

/**
 * Decodes a server's answer, with at most `maxRecords` records in all sections together.
 * @throws FormError
 */
export function decodeMessage(
  message: Buffer,
  { maxRecords }: { readonly maxRecords: number },
): DecodedMessage {
  return decode(message, { maxQuestions: 1, maxRecords });
}
