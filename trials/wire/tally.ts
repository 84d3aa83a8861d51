import { decodeCounts, decodeHeader } from '../../src/dns/encoding/header.ts';
import type { Sent } from './messages.ts';

/** RFC 9715: what fits through nearly every network unfragmented, in octets. */
const MAX_DATAGRAM = 1232;
const MAX_SHOWN = 20;

/** What came of the messages. */
export class Tally {
  readonly answers = new Map<string, number>();
  readonly kinds = new Map<string, number>();
  readonly faults: string[] = [];
  sent = 0;
  /** Questions by UDP without an answer, since the last answer. */
  lost = 0;

  note({ kind }: Sent): void {
    this.sent += 1;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }

  fault(about: string): void {
    this.faults.push(about);
    if (this.faults.length <= MAX_SHOWN) process.stderr.write(`FAULT ${about}\n`);
  }

  #count(what: string): void {
    this.answers.set(what, (this.answers.get(what) ?? 0) + 1);
  }

  unanswered(): void {
    this.#count('none');
  }

  /** Looks at an answer to a message by UDP, or at the first to one by TCP. */
  answered({ octets, isKnown, kind }: Sent, answer: Buffer, isStream: boolean): void {
    const header = decodeHeader(answer);
    const about = () =>
      `${kind}, by ${isStream ? 'TCP' : 'UDP'}: ${octets.toString('hex', 0, 400)} is answered ${answer.toString('hex', 0, 400)}`;
    if (header === undefined || !header.qr) {
      this.fault(`not an answer: ${about()}`);
      return;
    }
    this.#count(`RCODE ${header.rcode}`);
    if (!mayBeAnswered(octets)) this.fault(`an answer to what is no question: ${about()}`);
    if (!isKnown && answer.length > octets.length) this.fault(`larger than the question: ${about()}`);
    if (!isStream && answer.length > MAX_DATAGRAM) this.fault(`larger than a datagram may be: ${about()}`);
    if (!isKnown && decodeCounts(answer).answers > 0) this.fault(`a stranger is told something: ${about()}`);
  }
}

/** Whether there is an id, and no answer already. */
export function mayBeAnswered(octets: Buffer): boolean {
  const header = decodeHeader(octets);
  return header !== undefined && !header.qr;
}
