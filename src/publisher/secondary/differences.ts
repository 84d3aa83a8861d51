import { isLaterSerial } from '../../dns/serial.ts';
import type { WireRecord } from '../../dns/wire/message.ts';
import type { IncomingRecord, IncomingSoa, IncomingStep } from '../../model/secondaries/secondary.ts';
import { BrokenTransfer } from './broken-transfer.ts';
import { incomingRecord, incomingSoa, isSoaOf } from './incoming.ts';

/** What a record takes beside its texts, in bytes: about. */
const RECORD_BYTES = 200;

interface Step {
  readonly from: number;
  readonly removed: IncomingRecord[];
  readonly added: IncomingRecord[];
  to: IncomingSoa | undefined;
}

const newStep = (from: number): Step => ({ from, removed: [], added: [], to: undefined });

/** The difference sequences of an IXFR (RFC 1995 section 4), record by record after the first two. */
export class Differences {
  readonly #apex: string;
  readonly #last: IncomingSoa;
  readonly #maxBytes: number;
  readonly #steps: IncomingStep[] = [];
  #step: Step;
  #bytes = 0;

  /**
   * @param last the SOA that they lead to
   * @param from the serial of the second SOA, at which they begin
   * @param maxBytes what they may take of the memory
   */
  constructor(apex: string, last: IncomingSoa, from: number, maxBytes: number) {
    this.#apex = apex;
    this.#last = last;
    this.#maxBytes = maxBytes;
    this.#step = newStep(from);
  }

  get steps(): readonly IncomingStep[] {
    return this.#steps;
  }

  /** Takes the next record; true if it was the last one. @throws BrokenTransfer, FormError */
  take(record: WireRecord): boolean {
    this.#count(record);
    if (isSoaOf(record, this.#apex)) return this.#turn(incomingSoa(record));
    const { to, removed, added } = this.#step;
    (to === undefined ? removed : added).push(incomingRecord(record));
    return false;
  }

  #count({ name, rdata }: WireRecord): void {
    this.#bytes += RECORD_BYTES + name.length + rdata.length;
    if (this.#bytes > this.#maxBytes)
      throw new BrokenTransfer('The server sends differences that are too large.');
  }

  /** An SOA ends what is removed, and then what is added. */
  #turn(soa: IncomingSoa): boolean {
    const step = this.#step;
    if (step.to === undefined) {
      this.#requireOnTheWay(soa.serial);
      step.to = soa;
      return false;
    }
    this.#steps.push({ ...step, to: step.to });
    if (step.to.serial !== soa.serial) {
      throw new BrokenTransfer(
        `The server sends differences that do not follow each other: one leads to serial ${step.to.serial}, the next begins at ${soa.serial}.`,
      );
    }
    if (soa.serial === this.#last.serial) return true;
    this.#step = newStep(soa.serial);
    return false;
  }

  /** Each step leads forward, and none beyond the last serial: they come to an end. */
  #requireOnTheWay(serial: number): void {
    const isForward = isLaterSerial(serial, this.#step.from);
    if (isForward && !isLaterSerial(serial, this.#last.serial)) return;
    throw new BrokenTransfer(
      `The server sends differences from serial ${this.#step.from} to ${serial}, which do not lead to serial ${this.#last.serial}.`,
    );
  }
}
