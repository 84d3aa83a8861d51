import { FormError } from '../../dns/encoding/reader.ts';
import { TYPE } from '../../dns/record-types.ts';
import { isLaterSerial } from '../../dns/serial.ts';
import { RCODE } from '../../dns/wire/codes.ts';
import { soaSerial } from '../../dns/wire/soa.ts';
import type { PublicationReads, ZoneTransferReads } from '../../model/publication/store.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import { findServed } from './find-served.ts';
import { answerTo, type DnsRequest } from './request.ts';
import type { RecordPage, Served } from './served.ts';
import type { PrimarySettings } from './settings.ts';
import type { TcpWriter } from './tcp-writer.ts';
import { TransferMessages, UnencodableRecord } from './transfer-messages.ts';

/** A serial that a server holds, judging by its connection. */
export interface CompletedTransfer {
  readonly zoneId: string;
  /** The address of the server. */
  readonly server: string;
  /** The name of its key; undefined for none. */
  readonly keyName: string | undefined;
  readonly serial: number;
}

export interface TransferDeps {
  readonly publication: Pick<PublicationReads, 'atOneState'>;
  /** Called when a server has completed a transfer, or has asked for changes since the current serial. */
  readonly completed: (transfer: CompletedTransfer) => void;
  /** Reports why a zone cannot be transferred, in one sentence. */
  readonly failed: (zoneId: string, reason: string) => void;
}

/** The request, and the serial to start from; undefined for the whole zone. */
interface TransferInput {
  readonly request: DnsRequest;
  readonly from: number | undefined;
}

/** Returns the serial that the client has, if it asks for IXFR (RFC 1995 section 3). @throws FormError */
export function clientSerial({ query, question }: DnsRequest): number | undefined {
  if (question.type !== TYPE.IXFR) return undefined;
  const soa = query.authority.find(({ type, name }) => type === TYPE.SOA && name === question.name);
  if (soa === undefined) throw new FormError('The IXFR query has no serial.');
  return soaSerial(soa.rdata);
}

async function* only(page: RecordPage): AsyncGenerator<RecordPage> {
  yield page;
}

/** Chooses the response as in RFC 1995 sections 2 and 4. */
async function pagesFor(
  reads: ZoneTransferReads,
  served: Served,
  from: number | undefined,
): Promise<AsyncIterable<RecordPage>> {
  if (from === undefined) return served.all(reads);
  if (from === served.serial || isLaterSerial(from, served.serial)) return only([served.soa]);
  return (await served.since(reads, from)) ?? served.all(reads);
}

async function copy(pages: AsyncIterable<RecordPage>, messages: TransferMessages): Promise<void> {
  const turns = new TimeSlices();
  for await (const page of pages) {
    for (const record of page) {
      while (!messages.tryAdd(record)) await messages.send();
      if (turns.isOver) await turns.next();
    }
  }
  await messages.send();
}

/** Transfers zones and catalogs: AXFR (RFC 5936) and IXFR (RFC 1995) over TCP. */
export class OutgoingTransfers {
  readonly #deps: TransferDeps;
  readonly #places: Semaphore;
  readonly #maxMs: number;

  constructor(deps: TransferDeps, settings: PrimarySettings) {
    this.#deps = deps;
    this.#places = new Semaphore({
      permits: settings.maxTransfers,
      perOwner: settings.maxTransfersPerServer,
      waiting: settings.maxWaitingTransfers,
      waitMs: settings.transferWaitMs,
    });
    this.#maxMs = settings.maxTransferMs;
  }

  /**
   * Sends one state of the zone, from the first SOA to the last. If it fails before the first message, nothing is
   * sent; if it fails later, the connection is cut.
   * @throws PeerGone, FormError if an IXFR has no serial, UnencodableRecord, and anything the store throws
   */
  async run(request: DnsRequest, outlet: TcpWriter): Promise<void> {
    const wanted = { request, from: clientSerial(request) };
    const release = await this.#places.take(request.address);
    if (release === undefined) return outlet.send(answerTo(request, { rcode: RCODE.REFUSED }));
    const timer = setTimeout(() => outlet.cut(), this.#maxMs);
    try {
      await this.#transfer(wanted, outlet);
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  async #transfer(wanted: TransferInput, outlet: TcpWriter): Promise<void> {
    const messages = new TransferMessages(wanted.request, outlet);
    try {
      // Release the state as soon as all of it was read; the last message may still be in flight.
      const served = await this.#deps.publication.atOneState((reads) =>
        this.#copyState(reads, wanted, messages),
      );
      if (served === undefined) return await outlet.send(answerTo(wanted.request, { rcode: RCODE.REFUSED }));
      await outlet.flushed();
      this.#complete(wanted, served);
    } catch (error) {
      if (messages.hasSent) outlet.cut();
      throw error;
    }
  }

  /** Returns what was copied; undefined if the zone no longer exists. */
  async #copyState(
    reads: ZoneTransferReads,
    { request, from }: TransferInput,
    messages: TransferMessages,
  ): Promise<Served | undefined> {
    const served = await findServed(reads, request);
    if (served === undefined) return undefined;
    try {
      await copy(await pagesFor(reads, served, from), messages);
    } catch (error) {
      const isOfZone = error instanceof UnencodableRecord && served.zoneId !== undefined;
      if (isOfZone) this.#deps.failed(served.zoneId, error.message);
      throw error;
    }
    return served;
  }

  #complete({ request, from }: TransferInput, { zoneId, serial }: Served): void {
    const isLater = from !== undefined && isLaterSerial(from, serial);
    if (zoneId === undefined || isLater) return;
    this.#deps.completed({ zoneId, server: request.address, keyName: request.visitor?.name, serial });
  }
}
