/** TSIG MACs (RFC 8945 sections 4.3 and 5.3.1). */
import { createHmac, type Hmac } from 'node:crypto';
import { encodeName } from '../encoding/names.ts';
import { WireWriter } from '../encoding/writer.ts';
import { CLASS } from './codes.ts';
import { encodeTime, type TsigRecord } from './tsig-record.ts';

/** RFC 8945 section 6: hash name, and length of the full MAC in octets. */
export const TSIG_ALGORITHMS = {
  'hmac-md5.sig-alg.reg.int': { hash: 'md5', length: 16 },
  'hmac-sha1': { hash: 'sha1', length: 20 },
  'hmac-sha224': { hash: 'sha224', length: 28 },
  'hmac-sha256': { hash: 'sha256', length: 32 },
  'hmac-sha384': { hash: 'sha384', length: 48 },
  'hmac-sha512': { hash: 'sha512', length: 64 },
} as const;

export type TsigMacAlgorithm = keyof typeof TSIG_ALGORITHMS;

export interface TsigSecret {
  /** Canonical text, with its final dot. */
  readonly name: string;
  readonly algorithm: TsigMacAlgorithm;
  readonly secret: Buffer;
}

export function isTsigAlgorithm(text: string): text is TsigMacAlgorithm {
  return Object.hasOwn(TSIG_ALGORITHMS, text);
}

/** The algorithm of a name for people: that of HMAC-MD5 is longer on the wire. */
export function wireAlgorithm(name: TsigMacAlgorithm | 'hmac-md5'): TsigMacAlgorithm {
  return name === 'hmac-md5' ? 'hmac-md5.sig-alg.reg.int' : name;
}

type Signed = Omit<TsigRecord, 'mac' | 'originalId'>;

function variables(record: Signed, timersOnly: boolean): Buffer {
  const writer = new WireWriter();
  if (!timersOnly) {
    encodeName(writer, record.name, false);
    writer.u16(CLASS.ANY);
    writer.u32(0);
    encodeName(writer, `${record.algorithm}.`, false);
  }
  encodeTime(writer, record.time);
  writer.u16(record.fudge);
  if (!timersOnly) {
    writer.u16(record.error);
    writer.withLength(() => writer.bytes(record.otherData));
  }
  return writer.toBuffer();
}

/** Computes one MAC: over the prior MAC, the messages, and the TSIG that will hold the result. */
export class MacDigest {
  readonly #hmac: Hmac;

  /** @param priorMac of the request, or of the previous message */
  constructor({ algorithm, secret }: TsigSecret, priorMac: Buffer | undefined) {
    this.#hmac = createHmac(TSIG_ALGORITHMS[algorithm].hash, secret);
    if (priorMac === undefined) return;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(priorMac.length);
    this.#hmac.update(length).update(priorMac);
  }

  /** @param message without TSIG */
  add(message: Buffer): this {
    this.#hmac.update(message);
    return this;
  }

  /** @param timersOnly true for every message of a transfer but the first */
  finish(record: Signed, timersOnly: boolean): Buffer {
    return this.#hmac.update(variables(record, timersOnly)).digest();
  }
}
