import { FormError } from '../../dns/encoding/reader.ts';
import { type OpenedAnswer, openAnswer } from '../../dns/wire/answer-records.ts';
import { RCODE } from '../../dns/wire/codes.ts';
import type { Question, WireRecord } from '../../dns/wire/message.ts';
import type { TsigStreamVerifier } from '../../dns/wire/tsig.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { nowInSeconds, tsigFault } from '../worker/dns-query.ts';
import { BrokenTransfer, refusalOf } from './broken-transfer.ts';
import { requireFits } from './incoming.ts';

/** The question of a transfer, and the verifier of its response. */
export interface SentTransferQuery {
  readonly id: number;
  readonly question: Question;
  /** Undefined without a key. */
  readonly verifier: TsigStreamVerifier | undefined;
}

/** RFC 1035 section 4.1.1: reads the RCODE. */
const rcodeOf = (message: Buffer): number => (message.length < 4 ? 0 : message[3]! & 0xf);

/** Returns the message without its TSIG. @throws BrokenTransfer if its signature is missing or wrong */
function proven(message: Buffer, { verifier }: SentTransferQuery): Buffer {
  if (verifier === undefined) return message;
  const verdict = verifier.accept(message, nowInSeconds());
  if (verdict.ok) return verdict.message;
  const rcode = rcodeOf(message);
  const isBareRefusal = verdict.error === 'unsigned' && rcode !== RCODE.NOERROR;
  throw new BrokenTransfer(isBareRefusal ? refusalOf(rcode) : tsigFault(verdict, 'zone'));
}

function isSame(asked: Question, { name, type, class: classNumber }: Question): boolean {
  return name === asked.name && type === asked.type && classNumber === asked.class;
}

/** RFC 5936 section 2.2: later messages may repeat the question or omit it. @throws BrokenTransfer */
function requireAnswer({ header, question }: OpenedAnswer, asked: SentTransferQuery): void {
  const { id, qr, opcode, rcode, tc } = header;
  if (
    id !== asked.id ||
    !qr ||
    opcode !== 0 ||
    (question !== undefined && !isSame(asked.question, question))
  ) {
    throw new BrokenTransfer('The server sends a response that does not match the query.');
  }
  if (rcode !== RCODE.NOERROR) throw new BrokenTransfer(refusalOf(rcode));
  if (tc)
    throw new BrokenTransfer('The server truncates a message of the transfer (TC), although it uses TCP.');
}

async function recordsOf(answer: OpenedAnswer, apex: string, turns: TimeSlices): Promise<WireRecord[]> {
  const records: WireRecord[] = [];
  for (const record of answer.records) {
    requireFits(record, apex);
    records.push(record);
    if (turns.isOver) await turns.next();
  }
  return records;
}

/**
 * Yields the records of a response, message by message. They are only authenticated once the verifier is covered.
 * @throws BrokenTransfer
 */
export async function* answerPages(
  messages: AsyncIterable<Buffer>,
  asked: SentTransferQuery,
): AsyncGenerator<readonly WireRecord[]> {
  const turns = new TimeSlices();
  for await (const message of messages) {
    try {
      const answer = openAnswer(proven(message, asked));
      requireAnswer(answer, asked);
      yield await recordsOf(answer, asked.question.name, turns);
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      throw new BrokenTransfer(`The server sends a message that cannot be read: ${error.reason}`);
    }
    if (turns.isOver) await turns.next();
  }
}
