/** Messages: RFC 1035 section 4. */

import { decodeHeader, type Header, headerBits } from '../encoding/header.ts';
import { encodeName } from '../encoding/names.ts';
import { FormError } from '../encoding/reader.ts';
import { MAX_MESSAGE, MessageFull, WireWriter } from '../encoding/writer.ts';
import { type Edns, encodeEdns, OPT_LENGTH } from './edns.ts';
import { encodeRdata } from './rdata.ts';
import type { Question, WireRecord } from './record.ts';
import { type Bounds, type DecodedMessage, decodeSections } from './sections.ts';

export type { Header } from '../encoding/header.ts';
export type { Edns } from './edns.ts';
export type { Question, WireRecord } from './record.ts';
export type { DecodedMessage } from './sections.ts';

/** An SOA for IXFR or NOTIFY, OPT and TSIG: no question that is answered here needs more. */
const MAX_QUERY_RECORDS = 32;
export interface EncodeOptions {
  /** In octets, with OPT; for a TSIG, leave room (`tsigLength`). */
  readonly limit?: number;
  /** Whether names may be compressed; they are unless this is false. */
  readonly compress?: boolean;
}

const SECTIONS = ['questions', 'answers', 'authority', 'additional'] as const;
/** Where the four counts stand. */
const COUNTS_AT = 4;

/** Packs messages one after another: `start`, `tryAdd` until it is full, `finish`. */
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

  /** Begins a message; what was not finished is forgotten. @throws MessageFull if not even this fits */
  start(header: Header, question?: Question, edns?: Edns): void {
    this.#writer.rollback({ length: 0, names: 0 });
    this.#writer.limit = this.#limit - (edns === undefined ? 0 : OPT_LENGTH);
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
   * Adds a record, sections in their order. False if it does not fit: then the message is as before.
   * @throws RdataError if the record cannot be encoded; the message is as before too
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

  /** The message, with its OPT. */
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

  /** What came with upper case is written as it came, and nothing points to it: names of records are in lower case. */
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
 * One message. If answers or authority do not fit, it has TC and none of them; additional records that do not fit are left
 * out (RFC 2181 section 9).
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

function decode(message: Buffer, bounds: Bounds): DecodedMessage {
  const header = decodeHeader(message);
  if (header === undefined) throw new FormError('The message is shorter than a header.');
  try {
    return decodeSections(message, header, bounds);
  } catch (error) {
    throw error instanceof FormError ? new FormError(error.reason, header) : error;
  }
}

/**
 * Reads what a client sends: at most one question, and few records. Ask `decodeHeader` first whether it is a query, and of an
 * opcode that is known here: of others not even the form is.
 * @throws FormError, with the header where there is one to answer
 */
export function decodeQuery(message: Buffer): DecodedMessage {
  return decode(message, { maxQuestions: 1, maxRecords: MAX_QUERY_RECORDS });
}

/**
 * Reads what a server answers, with up to so many records in all sections together.
 * @throws FormError
 */
export function decodeMessage(
  message: Buffer,
  { maxRecords }: { readonly maxRecords: number },
): DecodedMessage {
  return decode(message, { maxQuestions: 1, maxRecords });
}
