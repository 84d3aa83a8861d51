/** A name server that answers what it is told to, and says when it is notified: what a change costs without any real one. */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { TYPE } from '../../src/dns/record-types.ts';
import { CLASS, OPCODE, RCODE } from '../../src/dns/wire/codes.ts';
import { decodeQuery, encodeMessage, type WireRecord } from '../../src/dns/wire/message.ts';
import { signMessage, type TsigSecret } from '../../src/dns/wire/tsig.ts';

export class Partner {
  readonly #socket: Socket = createSocket('udp4');
  readonly #key: TsigSecret;
  readonly #serials = new Map<string, number | undefined>();
  readonly #otherSerial: number | undefined;
  readonly #notified: (name: string) => void;

  private constructor(key: TsigSecret, notified: (name: string) => void, otherSerial?: number) {
    this.#key = key;
    this.#otherSerial = otherSerial;
    this.#notified = notified;
    this.#socket.on('message', (message, from) => this.#answer(message, from));
  }

  /**
   * @param notified is called with the name of each NOTIFY
   * @param otherSerial the serial that it has of every zone that `has` does not name; by default it has none of them
   */
  static async open(
    key: TsigSecret,
    notified: (name: string) => void,
    otherSerial?: number,
  ): Promise<Partner> {
    const partner = new Partner(key, notified, otherSerial);
    partner.#socket.bind(0, '127.0.0.1');
    await once(partner.#socket, 'listening');
    return partner;
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** From now on it has this serial of a zone; with undefined it has no such zone. */
  has(name: string, serial: number | undefined): void {
    this.#serials.set(name, serial);
  }

  close(): void {
    this.#socket.close();
  }

  #answer(message: Buffer, { address, port }: RemoteInfo): void {
    const { header, questions, tsig } = decodeQuery(message);
    const name = questions[0]!.name;
    const serial = this.#serials.has(name) ? this.#serials.get(name) : this.#otherSerial;
    const isNotify = header.opcode === OPCODE.NOTIFY;
    const rcode = isNotify || serial !== undefined ? RCODE.NOERROR : RCODE.REFUSED;
    const answer = encodeMessage({
      header: { ...header, qr: true, aa: true, rcode },
      questions,
      answers: isNotify || serial === undefined ? [] : [this.#soa(name, serial)],
      authority: [],
      additional: [],
    });
    const time = Math.floor(Date.now() / 1000);
    this.#socket.send(signMessage(answer, this.#key, { time, priorMac: tsig?.mac }).message, port, address);
    if (isNotify) this.#notified(name);
  }

  #soa(name: string, serial: number): WireRecord {
    const rdata = `invalid. invalid. ${serial} 3600 600 86400 3600`;
    return { name, type: TYPE.SOA, class: CLASS.IN, ttl: 0, rdata };
  }
}
