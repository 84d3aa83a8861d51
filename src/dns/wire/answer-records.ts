/**
 * One message of a transfer. Its thousands of records are read one at a time, so that other work need not wait for all
 * of them.
 */
import { decodeCounts, decodeHeader, HEADER_LENGTH, type Header } from '../encoding/header.ts';
import { skipName } from '../encoding/names.ts';
import { FormError, WireReader } from '../encoding/reader.ts';
import type { Question, WireRecord } from './record.ts';
import { readQuestion, readRecord, requireCounts } from './sections.ts';

/** Every record has at least 11 octets, so no message has more records than this. */
const MAX_RECORDS = Math.floor(65_535 / 11);
const FIXED_OCTETS = 8;

export interface OpenedAnswer {
  readonly header: Header;
  readonly question: Question | undefined;
  /** Number of records in the answer section. */
  readonly count: number;
  /** The records of the answer section, decoded during iteration. The other sections are skipped. Throws FormError. */
  readonly records: Iterable<WireRecord>;
}

function skipRecord(reader: WireReader): void {
  skipName(reader);
  reader.skip(FIXED_OCTETS);
  reader.skip(reader.u16());
}

function* answersOf(reader: WireReader, answers: number, others: number): Generator<WireRecord> {
  for (let left = answers; left > 0; left -= 1) yield readRecord(reader);
  for (let left = others; left > 0; left -= 1) skipRecord(reader);
  reader.requireEnd();
}

/**
 * Opens one message of an answer over TCP.
 * @param message without its TSIG
 * @throws FormError
 */
export function openAnswer(message: Buffer): OpenedAnswer {
  const header = decodeHeader(message);
  if (header === undefined) throw new FormError('The message is shorter than a header.');
  const counts = decodeCounts(message);
  requireCounts(counts, message.length, { maxQuestions: 1, maxRecords: MAX_RECORDS });
  const reader = new WireReader(message, HEADER_LENGTH);
  const question = counts.questions === 0 ? undefined : readQuestion(reader);
  const others = counts.authority + counts.additional;
  return { header, question, count: counts.answers, records: answersOf(reader, counts.answers, others) };
}
