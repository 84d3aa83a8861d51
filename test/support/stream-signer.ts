import { WireWriter } from '../../src/dns/encoding/writer.ts';
import type { TsigSecret } from '../../src/dns/wire/tsig.ts';
import { MacDigest } from '../../src/dns/wire/tsig-mac.ts';
import { ADDITIONAL_COUNT_AT, encodeTsig } from '../../src/dns/wire/tsig-record.ts';

/** Signs the messages of an answer; those that are left out are signed with the next one (RFC 8945 section 5.3.1). */
export class StreamSigner {
  readonly #key: TsigSecret;
  #mac: Buffer;
  #isFirst = true;
  #pending: Buffer[] = [];

  constructor(key: TsigSecret, requestMac: Buffer) {
    this.#key = key;
    this.#mac = requestMac;
  }

  leaveOut(message: Buffer): Buffer {
    this.#pending.push(message);
    return message;
  }

  sign(message: Buffer, time: number): Buffer {
    const { name, algorithm } = this.#key;
    const record = { name, algorithm, time, fudge: 300, error: 0, otherData: Buffer.alloc(0) };
    const digest = new MacDigest(this.#key, this.#mac);
    for (const one of [...this.#pending, message]) digest.add(one);
    this.#mac = digest.finish(record, !this.#isFirst);
    this.#pending = [];
    this.#isFirst = false;
    const writer = new WireWriter();
    writer.bytes(message);
    writer.setU16(ADDITIONAL_COUNT_AT, message.readUInt16BE(ADDITIONAL_COUNT_AT) + 1);
    encodeTsig(writer, { ...record, originalId: message.readUInt16BE(0), mac: this.#mac });
    return writer.toBuffer();
  }
}
