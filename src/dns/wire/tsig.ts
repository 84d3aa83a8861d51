/** Transaction signatures of messages: RFC 8945. */

import { WireWriter } from '../encoding/writer.ts';
import { RCODE } from './codes.ts';
import { isTsigAlgorithm, MacDigest, TSIG_ALGORITHMS, type TsigKey } from './tsig-mac.ts';
import { ADDITIONAL_COUNT_AT, encodeTime, encodeTsig, type TsigRecord } from './tsig-record.ts';
import {
  type FindTsigKey,
  type Found,
  find,
  judge,
  type TsigFailure,
  type TsigSuccess,
  type TsigVerdict,
} from './tsig-verdict.ts';

export type { FindTsigKey, TsigFailure, TsigKey, TsigSuccess, TsigVerdict };
export { isTsigAlgorithm };

/** RFC 8945 section 5.3.1: one message in a hundred of a transfer is signed at least. */
const MAX_UNSIGNED = 99;
/** In seconds: RFC 8945 section 10. */
const FUDGE = 300;
const EMPTY = Buffer.alloc(0);

export interface SignOptions {
  /** Of the request that is answered, or of the message before in a transfer. */
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

export interface VerifyOptions {
  /** In seconds since 1970. */
  readonly now: number;
  readonly priorMac?: Buffer | undefined;
  readonly timersOnly?: boolean;
}

/** The octets that a TSIG of the key adds to a message, an error with the time of the server included. */
export function tsigLength(key: TsigKey): number {
  const record = {
    ...recordOf(key, 0, { time: 0 }),
    mac: Buffer.alloc(TSIG_ALGORITHMS[key.algorithm].length),
  };
  const writer = new WireWriter();
  encodeTsig(writer, { ...record, otherData: Buffer.alloc(6) });
  return writer.length;
}

function recordOf(
  key: TsigKey,
  originalId: number,
  { time, error = 0, otherData = EMPTY, fudge = FUDGE }: SignOptions,
): Omit<TsigRecord, 'mac'> {
  return { name: key.name, algorithm: key.algorithm, time, fudge, originalId, error, otherData };
}

/** The message with the record as its last. */
function withTsig(message: Buffer, record: TsigRecord): Buffer {
  const writer = new WireWriter();
  writer.bytes(message);
  writer.setU16(ADDITIONAL_COUNT_AT, message.readUInt16BE(ADDITIONAL_COUNT_AT) + 1);
  encodeTsig(writer, record);
  return writer.toBuffer();
}

/**
 * The message with its signature, and the MAC that the next one needs (`priorMac`).
 * @throws MessageFull if there is no room for the TSIG in 65,535 octets: leave `tsigLength`
 */
export function signMessage(
  message: Buffer,
  key: TsigKey,
  options: SignOptions,
): { readonly message: Buffer; readonly mac: Buffer } {
  const record = recordOf(key, message.readUInt16BE(0), options);
  const mac = new MacDigest(key, options.priorMac).add(message).finish(record, options.timersOnly ?? false);
  return { message: withTsig(message, { ...record, mac }), mac };
}

/**
 * Whether a message is signed with a key that is known, in time. MACs are never accepted truncated: one that RFC 8945 allows
 * is BADTRUNC, a shorter one FORMERR.
 */
export function verifyMessage(
  message: Buffer,
  findKey: FindTsigKey,
  { now, priorMac, timersOnly = false }: VerifyOptions,
): TsigVerdict {
  const found = find(message);
  if ('ok' in found) return found;
  return judge(found, findKey, now, (key) =>
    new MacDigest(key, priorMac).add(found.message).finish(found.record, timersOnly),
  );
}

/**
 * The answer to a request whose TSIG failed, with the record that says so (RFC 8945 section 5.3.2): not signed for BADKEY and BADSIG,
 * signed for BADTIME and BADTRUNC. Without such an error it is the answer as it was.
 * @param now in seconds since 1970
 */
export function tsigErrorRecord(answer: Buffer, { error, record, key }: TsigFailure, now: number): Buffer {
  if (error === 'FORMERR' || error === 'unsigned' || record === undefined) return answer;
  const options = { time: now, error: RCODE[error], priorMac: record.mac };
  if (error === 'BADTIME' && key !== undefined) {
    const clock = new WireWriter();
    encodeTime(clock, now);
    // The time of the client, else it would not believe this either (section 5.2.3).
    const { time, fudge } = record;
    return signMessage(answer, key, { ...options, time, fudge, otherData: clock.toBuffer() }).message;
  }
  if (key !== undefined) return signMessage(answer, key, options).message;
  const { name, algorithm } = record;
  const rest = { originalId: answer.readUInt16BE(0), error: options.error, fudge: FUDGE, otherData: EMPTY };
  return withTsig(answer, { name, algorithm, time: now, mac: EMPTY, ...rest });
}

/** Signs the messages of one answer, each with what was signed before it (RFC 8945 section 5.3.1). */
export class TsigSigner {
  readonly #key: TsigKey;
  #priorMac: Buffer;
  #timersOnly = false;

  constructor(key: TsigKey, requestMac: Buffer) {
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

/** A message of a stream whose signature holds, or is still to come. */
export interface TsigAccepted {
  readonly ok: true;
  /** Without its TSIG. */
  readonly message: Buffer;
}

/** Verifies the messages of one answer as they arrive: the first is signed, and of a hundred at least one (section 5.3.1). */
export class TsigStreamVerifier {
  readonly #key: TsigKey;
  #digest: MacDigest;
  #isFirst = true;
  #unsigned = 0;
  #failure: TsigFailure | undefined;

  constructor(key: TsigKey, requestMac: Buffer) {
    this.#key = key;
    this.#digest = new MacDigest(key, requestMac);
  }

  /** Whether all messages so far are covered by a signature: without that, the last one ends no transfer. */
  get isCovered(): boolean {
    return this.#failure === undefined && !this.#isFirst && this.#unsigned === 0;
  }

  /**
   * After a failure every message fails.
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

  #signed(found: Found, now: number): TsigVerdict {
    const findKey: FindTsigKey = (name) => (name === this.#key.name ? this.#key : undefined);
    const verdict = judge(found, findKey, now, () =>
      this.#digest.add(found.message).finish(found.record, !this.#isFirst),
    );
    this.#digest = new MacDigest(this.#key, found.record.mac);
    this.#isFirst = false;
    this.#unsigned = 0;
    return verdict;
  }
}
