/** Transaction signatures (RFC 8945). */

import { WireWriter } from '../encoding/writer.ts';
import { RCODE } from './codes.ts';
import { isTsigAlgorithm, MacDigest, TSIG_ALGORITHMS, type TsigSecret, wireAlgorithm } from './tsig-mac.ts';
import { ADDITIONAL_COUNT_AT, encodeTime, encodeTsig, type TsigRecord } from './tsig-record.ts';
import {
  type FindTsigKey,
  type FoundTsig,
  find,
  type TsigFailure,
  type TsigSuccess,
  type TsigTimes,
  type TsigVerdict,
  verifyTsig,
} from './tsig-verdict.ts';

export type { FindTsigKey, TsigFailure, TsigSecret, TsigSuccess, TsigVerdict };
export { isTsigAlgorithm, wireAlgorithm };

/** RFC 8945 section 5.3.1: at least one message in a hundred of a transfer is signed. */
const MAX_UNSIGNED = 99;
/** In seconds: RFC 8945 section 10. */
const FUDGE = 300;
const EMPTY = Buffer.alloc(0);

export interface SignOptions {
  /** The MAC of the request being answered, or of the previous message of a transfer. */
  readonly priorMac?: Buffer | undefined;
  /** In seconds since 1970. */
  readonly time: number;
  readonly timersOnly?: boolean;
  /** An RCODE. */
  readonly error?: number;
  readonly otherData?: Buffer;
  /** In seconds. */
  readonly fudge?: number;
}

export interface TsigVerifyOptions extends TsigTimes {
  readonly priorMac?: Buffer | undefined;
  readonly timersOnly?: boolean;
}

/** Octets that a TSIG with this key adds to a message, including the server time of a BADTIME error. */
export function tsigLength(key: TsigSecret): number {
  const record = {
    ...recordOf(key, 0, { time: 0 }),
    mac: Buffer.alloc(TSIG_ALGORITHMS[key.algorithm].length),
  };
  const writer = new WireWriter();
  encodeTsig(writer, { ...record, otherData: Buffer.alloc(6) });
  return writer.length;
}

function recordOf(
  key: TsigSecret,
  originalId: number,
  { time, error = 0, otherData = EMPTY, fudge = FUDGE }: SignOptions,
): Omit<TsigRecord, 'mac'> {
  return { name: key.name, algorithm: key.algorithm, time, fudge, originalId, error, otherData };
}

/** The message with the TSIG appended. */
function withTsig(message: Buffer, record: TsigRecord): Buffer {
  const writer = new WireWriter();
  writer.bytes(message);
  writer.setU16(ADDITIONAL_COUNT_AT, message.readUInt16BE(ADDITIONAL_COUNT_AT) + 1);
  encodeTsig(writer, record);
  return writer.toBuffer();
}

/**
 * Signs a message. Returns its MAC too, which the next message needs as `priorMac`.
 * @throws MessageFull if the TSIG does not fit into 65,535 octets: leave room for `tsigLength`
 */
export function signMessage(
  message: Buffer,
  key: TsigSecret,
  options: SignOptions,
): { readonly message: Buffer; readonly mac: Buffer } {
  const record = recordOf(key, message.readUInt16BE(0), options);
  const mac = new MacDigest(key, options.priorMac).add(message).finish(record, options.timersOnly ?? false);
  return { message: withTsig(message, { ...record, mac }), mac };
}

/**
 * Verifies that a message is signed with a known key, in time. Truncated MACs are never accepted: BADTRUNC if RFC 8945
 * allows the length, FORMERR if it is shorter.
 */
export function verifyMessage(
  message: Buffer,
  findKey: FindTsigKey,
  { priorMac, timersOnly = false, ...times }: TsigVerifyOptions,
): TsigVerdict {
  const found = find(message);
  if ('ok' in found) return found;
  return verifyTsig(found, findKey, times, (key) =>
    new MacDigest(key, priorMac).add(found.message).finish(found.record, timersOnly),
  );
}

/**
 * Adds the TSIG error record to the answer for a request whose TSIG failed (RFC 8945 section 5.3.2): unsigned for
 * BADKEY and BADSIG, signed for BADTIME and BADTRUNC. For other failures the answer is returned unchanged.
 * @param now in seconds since 1970
 */
export function tsigErrorRecord(answer: Buffer, { error, record, key }: TsigFailure, now: number): Buffer {
  if (error === 'FORMERR' || error === 'unsigned' || record === undefined) return answer;
  const options = { time: now, error: RCODE[error], priorMac: record.mac };
  if (error === 'BADTIME' && key !== undefined) {
    const clock = new WireWriter();
    encodeTime(clock, now);
    // Use the client's time: otherwise it would reject this answer too (section 5.2.3).
    const { time, fudge } = record;
    return signMessage(answer, key, { ...options, time, fudge, otherData: clock.toBuffer() }).message;
  }
  if (key !== undefined) return signMessage(answer, key, options).message;
  const { name, algorithm } = record;
  const rest = { originalId: answer.readUInt16BE(0), error: options.error, fudge: FUDGE, otherData: EMPTY };
  return withTsig(answer, { name, algorithm, time: now, mac: EMPTY, ...rest });
}

/** Signs the messages of one answer, each with the previous MAC (RFC 8945 section 5.3.1). */
export class TsigSigner {
  readonly #key: TsigSecret;
  #priorMac: Buffer;
  #timersOnly = false;

  constructor(key: TsigSecret, requestMac: Buffer) {
    this.#key = key;
    this.#priorMac = requestMac;
  }

  /** @param time in seconds since 1970 */
  sign(message: Buffer, time: number): Buffer {
    const options = { priorMac: this.#priorMac, time, timersOnly: this.#timersOnly };
    const signed = signMessage(message, this.#key, options);
    this.#priorMac = signed.mac;
    this.#timersOnly = true;
    return signed.message;
  }
}

/** A message of a stream whose signature is valid, or is still to come in a later message. */
export interface TsigAccepted {
  readonly ok: true;
  /** The message without its TSIG. */
  readonly message: Buffer;
}

/**
 * Verifies the messages of one answer as they arrive. The first must be signed, and at least one in a hundred (section
 * 5.3.1).
 */
export class TsigStreamVerifier {
  readonly #key: TsigSecret;
  #digest: MacDigest;
  #isFirst = true;
  #unsigned = 0;
  #failure: TsigFailure | undefined;

  constructor(key: TsigSecret, requestMac: Buffer) {
    this.#key = key;
    this.#digest = new MacDigest(key, requestMac);
  }

  /** True if a signature covers all messages so far. Otherwise the last one cannot end a transfer. */
  get isCovered(): boolean {
    return this.#failure === undefined && !this.#isFirst && this.#unsigned === 0;
  }

  /**
   * Verifies the next message. After a failure, every later message fails.
   * @param now in seconds since 1970
   */
  accept(message: Buffer, now: number): TsigAccepted | TsigFailure {
    const verdict = this.#failure ?? this.#next(message, now);
    if (!verdict.ok) this.#failure = verdict;
    return verdict;
  }

  #next(message: Buffer, now: number): TsigAccepted | TsigFailure {
    const found = find(message);
    if (!('ok' in found)) return this.#signed(found, now);
    const mayBeUnsigned = !this.#isFirst && this.#unsigned < MAX_UNSIGNED;
    if (found.error !== 'unsigned' || !mayBeUnsigned) return found;
    this.#unsigned += 1;
    this.#digest.add(message);
    return { ok: true, message };
  }

  #signed(found: FoundTsig, now: number): TsigVerdict {
    const findKey: FindTsigKey = (name) => (name === this.#key.name ? this.#key : undefined);
    const verdict = verifyTsig(found, findKey, { now }, () =>
      this.#digest.add(found.message).finish(found.record, !this.#isFirst),
    );
    this.#digest = new MacDigest(this.#key, found.record.mac);
    this.#isFirst = false;
    this.#unsigned = 0;
    return verdict;
  }
}
