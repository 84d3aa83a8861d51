import { isLaterSerial } from '../../dns/serial.ts';
import type { WireRecord } from '../../dns/wire/message.ts';
import type { IncomingRecord, IncomingSoa, IncomingStep } from '../../model/secondaries/secondary.ts';
import { BrokenTransfer } from './broken-transfer.ts';
import { incomingRecord, incomingSoa, isSoaOf } from './incoming.ts';

/** Approximate memory per record besides its texts, in bytes. */
const RECORD_BYTES = 200;

interface DifferenceStep {
  readonly from: number;
  readonly removed: IncomingRecord[];
  readonly added: IncomingRecord[];
  to: IncomingSoa | undefined;
}

const newStep = (from: number): DifferenceStep => ({ from, removed: [], added: [], to: undefined });

/** Reads the difference sequences of an IXFR (RFC 1995 section 4), record by record after the first two. */
export class Differences {
  readonly #apex: string;
  readonly #last: IncomingSoa;
  readonly #maxBytes: number;
  readonly #steps: IncomingStep[] = [];
  #step: DifferenceStep;
  #bytes = 0;

  /**
   * @param last the SOA that the differences lead to
   * @param from the serial of the second SOA, from which they start
   * @param maxBytes maximum memory of the differences, in bytes
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

  /** Adds the next record. Returns true if it was the last one. @throws BrokenTransfer, FormError */
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

  /** An SOA ends the removed records, and then the added ones. */
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
        `The server sends differences that do not follow each other: one leads to serial ${step.to.serial}, the next starts at ${soa.serial}.`,
      );
    }
    if (soa.serial === this.#last.serial) return true;
    this.#step = newStep(soa.serial);
    return false;
  }

  /** Each step must advance the serial without passing the last one, so that the differences end. */
  #requireOnTheWay(serial: number): void {
    const isForward = isLaterSerial(serial, this.#step.from);
    if (isForward && !isLaterSerial(serial, this.#last.serial)) return;
    throw new BrokenTransfer(
      `The server sends differences from serial ${this.#step.from} to ${serial}, which do not lead to serial ${this.#last.serial}.`,
    );
  }
}
