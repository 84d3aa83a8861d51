/** Reads any response to AXFR (RFC 5936) and IXFR (RFC 1995). */

import { FormError } from '../../dns/encoding/reader.ts';
import { TYPE } from '../../dns/record-types.ts';
import { isLaterSerial } from '../../dns/serial.ts';
import type { WireRecord } from '../../dns/wire/message.ts';
import type { IncomingRecord, IncomingSoa, IncomingTransfer } from '../../model/secondaries/secondary.ts';
import { answerPages, type SentTransferQuery } from './answer-pages.ts';
import { BrokenTransfer } from './broken-transfer.ts';
import { Differences } from './differences.ts';
import { incomingRecord, incomingSoa, isSoaOf } from './incoming.ts';
import { RecordStream } from './record-stream.ts';
import type { TransferBounds } from './settings.ts';

/** The kind of response. `current`: the master has nothing later than the serial in the query. */
export type ReadTransfer = IncomingTransfer | { readonly kind: 'current'; readonly soa: IncomingSoa };

export interface TransferQuestion extends SentTransferQuery {
  /** The stored serial, for an IXFR. */
  readonly serial: number | undefined;
}

type TransferSizeBounds = Pick<TransferBounds, 'maxRecords' | 'maxDifferenceBytes'>;

/** Runs a function that parses rdata. @throws BrokenTransfer instead of FormError */
function reading<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    throw new BrokenTransfer(`The server sends an SOA that cannot be read: ${error.reason}`);
  }
}

/** Returns the SOA of the zone. @throws BrokenTransfer if the record is another one */
function requireSoa(record: WireRecord, apex: string): IncomingSoa {
  if (isSoaOf(record, apex)) return reading(() => incomingSoa(record));
  throw new BrokenTransfer('The server sends a transfer that does not start with the SOA of the zone.');
}

/** Checks the end: nothing may follow it in its message, and a signature must cover it. @throws BrokenTransfer */
function requireEnd(page: readonly WireRecord[], at: number, { verifier }: SentTransferQuery): void {
  if (at < page.length - 1)
    throw new BrokenTransfer('The server sends records after the end of the transfer.');
  if (verifier !== undefined && !verifier.isCovered) {
    throw new BrokenTransfer('The server does not sign the end of the transfer, as RFC 8945 requires.');
  }
}

/** @returns true if the record is the SOA that ends a whole transfer @throws BrokenTransfer */
function isEnd(record: WireRecord, apex: string, first: IncomingSoa): boolean {
  if (!isSoaOf(record, apex)) return false;
  const { serial } = reading(() => incomingSoa(record));
  if (serial === first.serial) return true;
  throw new BrokenTransfer(
    `The server starts the transfer with serial ${first.serial} and continues with ${serial}: the zone changed during the transfer.`,
  );
}

/** Yields the records between the first SOA and the last. */
async function* wholeRecords(
  pages: AsyncIterable<readonly WireRecord[]>,
  first: IncomingSoa,
  asked: SentTransferQuery,
): AsyncGenerator<readonly IncomingRecord[]> {
  for await (const page of pages) {
    const end = page.findIndex((record) => isEnd(record, asked.question.name, first));
    const records = (end < 0 ? page : page.slice(0, end)).map(incomingRecord);
    if (end >= 0) requireEnd(page, end, asked);
    if (records.length > 0) yield records;
    if (end >= 0) return;
  }
}

async function readDifferences(
  pages: AsyncIterable<readonly WireRecord[]>,
  differences: Differences,
  asked: SentTransferQuery,
): Promise<void> {
  for await (const page of pages) {
    const end = page.findIndex((record) => reading(() => differences.take(record)));
    if (end < 0) continue;
    requireEnd(page, end, asked);
    return;
  }
}

/** Reads what follows an SOA later than the stored one. A second SOA starts differences, unless it is the end. */
async function readFrom(
  stream: RecordStream,
  soa: IncomingSoa,
  asked: TransferQuestion,
  bounds: TransferSizeBounds,
): Promise<IncomingTransfer> {
  const { name, type } = asked.question;
  const second = await stream.peek();
  const isSoa = type === TYPE.IXFR && isSoaOf(second, name);
  const from = isSoa ? reading(() => incomingSoa(second)).serial : soa.serial;
  if (from === soa.serial) return { kind: 'whole', soa, records: wholeRecords(stream.rest(), soa, asked) };
  if (from !== asked.serial) {
    throw new BrokenTransfer(`The server sends differences from serial ${from} instead of ${asked.serial}.`);
  }
  await stream.next();
  const differences = new Differences(name, soa, from, bounds.maxDifferenceBytes);
  await readDifferences(stream.rest(), differences, asked);
  return { kind: 'differences', soa, steps: differences.steps };
}

/**
 * Reads a response: the records of a whole zone lazily, differences at once.
 * @throws BrokenTransfer, also while reading the records
 */
export async function readTransfer(
  messages: AsyncIterable<Buffer>,
  asked: TransferQuestion,
  bounds: TransferSizeBounds,
): Promise<ReadTransfer> {
  const stream = new RecordStream(answerPages(messages, asked), bounds.maxRecords);
  const soa = requireSoa(await stream.next(), asked.question.name);
  const { serial } = asked;
  // RFC 1995 section 4: a single SOA means that there is nothing later.
  if (serial !== undefined && !isLaterSerial(soa.serial, serial)) {
    await stream.close();
    return { kind: 'current', soa };
  }
  return readFrom(stream, soa, asked, bounds);
}
