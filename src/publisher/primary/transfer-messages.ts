import { MAX_MESSAGE } from '../../dns/encoding/writer.ts';
import { RdataError } from '../../dns/rdata/rdata-error.ts';
import { typeName } from '../../dns/record-types.ts';
import { RCODE } from '../../dns/wire/codes.ts';
import { MessageBuilder, type WireRecord } from '../../dns/wire/message.ts';
import { answerEdns, answerHeader, type DnsRequest } from './request.ts';
import type { TcpWriter } from './tcp-writer.ts';

/** Compression pointers only reach the first 16,384 octets of a message, so larger messages pack no better. */
const FULL = 16_384;

/** A record that no message can carry. The error message is one sentence that names it. */
export class UnencodableRecord extends Error {
  constructor({ name, type, rdata }: WireRecord, reason: string) {
    const start = rdata.length > 100 ? `${rdata.slice(0, 100)}…` : rdata;
    super(`The record ${name} ${typeName(type)} ${start} cannot be encoded: ${reason}`);
    this.name = 'UnencodableRecord';
  }
}

/** Packs the records of a transfer into messages and sends each when it is full: RFC 5936 section 2.2. */
export class TransferMessages {
  readonly #request: DnsRequest;
  readonly #outlet: TcpWriter;
  readonly #builder: MessageBuilder;
  #hasSent = false;

  constructor(request: DnsRequest, outlet: TcpWriter) {
    this.#request = request;
    this.#outlet = outlet;
    this.#builder = new MessageBuilder({ limit: MAX_MESSAGE - (request.signer?.length ?? 0) });
    this.#start();
  }

  /** True once a message was sent, so that the response can no longer be replaced. */
  get hasSent(): boolean {
    return this.#hasSent;
  }

  /** Adds a record. Returns false if the current message is full and must be sent first. @throws UnencodableRecord */
  tryAdd(record: WireRecord): boolean {
    const { length, records } = this.#builder;
    if (length >= FULL && records > 0) return false;
    if (this.#encode(record)) return true;
    if (records === 0) throw new UnencodableRecord(record, 'It does not fit in a message.');
    return false;
  }

  /** Sends the records added so far. @throws PeerGone */
  async send(): Promise<void> {
    const message = this.#builder.finish();
    this.#hasSent = true;
    this.#start();
    await this.#outlet.send(this.#request.signer?.sign(message) ?? message);
  }

  #encode(record: WireRecord): boolean {
    try {
      return this.#builder.tryAdd(record);
    } catch (error) {
      throw error instanceof RdataError ? new UnencodableRecord(record, error.message) : error;
    }
  }

  #start(): void {
    const { query, question } = this.#request;
    const header = answerHeader(query.header, RCODE.NOERROR, true);
    if (this.#hasSent) this.#builder.start(header);
    else this.#builder.start(header, question, answerEdns(query).edns);
  }
}
