import { FormError } from '../../dns/encoding/reader.ts';
import { RdataError } from '../../dns/rdata/rdata-error.ts';
import { TYPE } from '../../dns/record-types.ts';
import { CLASS, RCODE } from '../../dns/wire/codes.ts';
import type { PublicationReads } from '../../model/publication/store.ts';
import type { Updates } from '../../model/updates/update.ts';
import type { Log } from '../../runtime/log.ts';
import { findServed } from './find-served.ts';
import type { IncomingQuery, QueryAuthenticator } from './query-authenticator.ts';
import { answerTo, type DnsRequest, datagramLimit } from './request.ts';
import type { Served } from './served.ts';
import { PeerGone, type TcpWriter } from './tcp-writer.ts';
import { UnencodableRecord } from './transfer-messages.ts';
import { clientSerial, type OutgoingTransfers } from './transfers.ts';

export interface AnsweringDeps {
  readonly publication: Pick<PublicationReads, 'served' | 'catalog'>;
  readonly doorkeeper: QueryAuthenticator;
  readonly transfers: OutgoingTransfers;
  /** Undefined if UPDATE messages are not taken. */
  readonly updates: Updates | undefined;
  /** Reports why a zone cannot be answered, in one sentence. */
  readonly failed: (zoneId: string, reason: string) => void;
  readonly log: Log;
}

/** Types answered over UDP. By RFC 1995 section 2, a response with only the SOA makes an IXFR client retry over TCP. */
const BY_DATAGRAM: readonly number[] = [TYPE.SOA, TYPE.IXFR];
const BY_STREAM: readonly number[] = [TYPE.SOA, TYPE.IXFR, TYPE.AXFR];

/** AXFR over UDP is undefined (RFC 5936 section 4.2), and an IXFR must name a serial. @throws FormError */
function requireForm(request: DnsRequest): void {
  if (request.question.type === TYPE.AXFR) throw new FormError('AXFR requires TCP.');
  clientSerial(request);
}

/** Answers queries, however malformed and whatever fails. */
export class Answering {
  readonly #deps: AnsweringDeps;

  constructor(deps: AnsweringDeps) {
    this.#deps = deps;
  }

  /** Answers a datagram; undefined if there is no answer. */
  async toDatagram(message: Buffer, address: string): Promise<Buffer | undefined> {
    const arrival = await this.#admit(message, address, true);
    if (!('request' in arrival)) return arrival.answer;
    const { request } = arrival;
    const limit = datagramLimit(request.query);
    try {
      requireForm(request);
      const ofUpdate = await this.#toUpdater(request, limit);
      if (ofUpdate !== undefined) return ofUpdate;
      const served = await this.#find(request, BY_DATAGRAM);
      return served === undefined
        ? answerTo(request, { rcode: RCODE.REFUSED, limit })
        : this.#soa(request, served, limit);
    } catch (error) {
      return answerTo(request, { rcode: this.#rcodeOf(error, request), limit });
    }
  }

  /**
   * Answers a message received over TCP.
   * @returns true if the client is known
   * @throws PeerGone
   */
  async toStream(message: Buffer, address: string, outlet: TcpWriter): Promise<boolean> {
    const arrival = await this.#admit(message, address, false);
    if (!('request' in arrival)) {
      if (arrival.answer !== undefined) await outlet.send(arrival.answer);
      return arrival.isKnown ?? false;
    }
    const { request } = arrival;
    try {
      await this.#toKnown(request, outlet);
    } catch (error) {
      if (error instanceof PeerGone) throw error;
      await outlet.send(answerTo(request, { rcode: this.#rcodeOf(error, request) }));
    }
    return true;
  }

  async #admit(message: Buffer, address: string, isDatagram: boolean): Promise<IncomingQuery> {
    const arrival = await this.#deps.doorkeeper.admit(message, address, isDatagram);
    if ('reason' in arrival) {
      const { reason } = arrival;
      this.#deps.log.debug({ address, reason }, 'refused a query');
    }
    return arrival;
  }

  async #toKnown(request: DnsRequest, outlet: TcpWriter): Promise<void> {
    const ofUpdate = await this.#toUpdater(request);
    if (ofUpdate !== undefined) return outlet.send(ofUpdate);
    const served = await this.#find(request, BY_STREAM);
    if (served === undefined) return outlet.send(answerTo(request, { rcode: RCODE.REFUSED }));
    if (request.question.type === TYPE.SOA) return outlet.send(this.#soa(request, served));
    return this.#deps.transfers.run(request, outlet);
  }

  /** Answers the holder of a key for updates who asks about its zone. Undefined for other questions. */
  async #toUpdater(request: DnsRequest, limit?: number): Promise<Buffer | undefined> {
    const { question, visitor, address } = request;
    const { updates } = this.#deps;
    const isAsked = question.class === CLASS.IN && visitor?.permissions?.update;
    if (updates === undefined || visitor === undefined || !isAsked) return undefined;
    const found = await updates.find({ key: visitor, name: question.name, type: question.type, address });
    if (found === undefined) return undefined;
    return answerTo(request, { rcode: RCODE.NOERROR, ...found, aa: true, ...(limit && { limit }) });
  }

  /** Finds the zone or catalog of the question; undefined if it does not exist or the type is not supported. */
  async #find(request: DnsRequest, types: readonly number[]): Promise<Served | undefined> {
    if (!types.includes(request.question.type)) return undefined;
    return findServed(this.#deps.publication, request);
  }

  #soa(request: DnsRequest, { soa, zoneId }: Served, limit?: number): Buffer {
    try {
      return answerTo(request, { rcode: RCODE.NOERROR, answers: [soa], ...(limit && { limit }) });
    } catch (error) {
      if (!(error instanceof RdataError)) throw error;
      const failure = new UnencodableRecord(soa, error.message);
      if (zoneId !== undefined) this.#deps.failed(zoneId, failure.message);
      throw failure;
    }
  }

  #rcodeOf(error: unknown, { question, address }: DnsRequest): number {
    if (error instanceof FormError) return RCODE.FORMERR;
    this.#deps.log.error({ err: error, zone: question.name, address }, 'cannot answer a name server');
    return RCODE.SERVFAIL;
  }
}
