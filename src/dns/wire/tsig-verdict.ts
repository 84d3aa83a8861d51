/** Validates the TSIG of a message (RFC 8945 section 5.2). */
import { timingSafeEqual } from 'node:crypto';
import { FormError } from '../encoding/reader.ts';
import { RCODE } from './codes.ts';
import { isTsigAlgorithm, TSIG_ALGORITHMS, type TsigMacAlgorithm, type TsigSecret } from './tsig-mac.ts';
import { ADDITIONAL_COUNT_AT, findTsig, type TsigRecord } from './tsig-record.ts';

/** In octets. RFC 8945 section 5.2.2.1: a MAC is at least this long, and at least half of the full length. */
const MIN_MAC = 10;

export type TsigError = 'BADKEY' | 'BADSIG' | 'BADTIME' | 'BADTRUNC';

/** Finds a key by its name in canonical text and its algorithm, such as `hmac-sha256`. Both must match. */
export type FindTsigKey = (name: string, algorithm: TsigMacAlgorithm) => TsigSecret | undefined;

export interface TsigFailure {
  readonly ok: false;
  /** With FORMERR and unsigned there is no TSIG to reply to. */
  readonly error: TsigError | 'FORMERR' | 'unsigned';
  /** The key name in the message. */
  readonly keyName: string | undefined;
  /** True if the message reports an error in the previous one. The reporter is authenticated only if `key` is set. */
  readonly reported: boolean;
  /** The key whose MAC was right, although another check failed. */
  readonly key: TsigSecret | undefined;
  readonly record: TsigRecord | undefined;
}

export interface TsigSuccess {
  readonly ok: true;
  readonly key: TsigSecret;
  readonly mac: Buffer;
  /** The message as signed, without its TSIG. */
  readonly message: Buffer;
  readonly record: TsigRecord;
}

export type TsigVerdict = TsigSuccess | TsigFailure;

export interface FoundTsig {
  /** The message as signed. */
  readonly message: Buffer;
  readonly isAnswer: boolean;
  readonly record: TsigRecord;
}

function failure(
  error: TsigFailure['error'],
  record?: TsigRecord,
  known?: Partial<TsigFailure>,
): TsigFailure {
  const rest = { keyName: record?.name, reported: false, key: undefined, record, ...known };
  return { ok: false, error, ...rest };
}

function withoutTsig(message: Buffer, start: number, record: TsigRecord): FoundTsig {
  const unsigned = Buffer.from(message.subarray(0, start));
  unsigned.writeUInt16BE(record.originalId, 0);
  unsigned.writeUInt16BE(message.readUInt16BE(ADDITIONAL_COUNT_AT) - 1, ADDITIONAL_COUNT_AT);
  return { message: unsigned, isAnswer: (message[2]! & 0x80) !== 0, record };
}

/** Extracts the TSIG of a message, and the message that it signs. */
export function find(message: Buffer): FoundTsig | TsigFailure {
  try {
    const found = findTsig(message);
    return found === undefined ? failure('unsigned') : withoutTsig(message, found.start, found.record);
  } catch (error) {
    if (error instanceof FormError) return failure('FORMERR');
    throw error;
  }
}

/** The error that an answer reports in its TSIG. */
function reportedError({ error }: TsigRecord): TsigFailure['error'] {
  const errors = ['BADKEY', 'BADSIG', 'BADTIME', 'BADTRUNC'] as const;
  return errors.find((name) => RCODE[name] === error) ?? 'FORMERR';
}

/** RFC 8945 section 5.2.2.1. */
function hasPossibleLength(mac: Buffer, algorithm: TsigMacAlgorithm): boolean {
  const { length } = TSIG_ALGORITHMS[algorithm];
  return mac.length <= length && mac.length >= Math.max(MIN_MAC, length / 2);
}

/** The time of a check, in seconds since 1970, and the largest fudge that counts; by default any. */
export interface TsigTimes {
  readonly now: number;
  readonly maxFudge?: number | undefined;
}

/** The fault of a message with a correct MAC (RFC 8945 sections 5.2.3, 5.2.4 and 5.4), or undefined. */
function fault(
  { record, isAnswer }: FoundTsig,
  key: TsigSecret,
  { now, maxFudge = record.fudge }: TsigTimes,
): TsigFailure | undefined {
  if (Math.abs(now - record.time) > Math.min(record.fudge, maxFudge))
    return failure('BADTIME', record, { key });
  if (record.mac.length < TSIG_ALGORITHMS[key.algorithm].length) return failure('BADTRUNC', record, { key });
  if (!isAnswer || record.error === 0) return undefined;
  return failure(reportedError(record), record, { key, reported: true });
}

/**
 * Checks key, MAC, time and truncation, in the order of RFC 8945 section 5.2.
 * @param expectedMac computes the full MAC of the message with a key
 */
export function verifyTsig(
  found: FoundTsig,
  findKey: FindTsigKey,
  times: TsigTimes,
  expectedMac: (key: TsigSecret) => Buffer,
): TsigVerdict {
  const { record, message, isAnswer } = found;
  const { algorithm, mac } = record;
  if (isAnswer && mac.length === 0 && record.error !== 0) {
    return failure(reportedError(record), record, { reported: true });
  }
  const key = isTsigAlgorithm(algorithm) ? findKey(record.name, algorithm) : undefined;
  if (key === undefined || key.algorithm !== algorithm) return failure('BADKEY', record);
  if (!hasPossibleLength(mac, algorithm)) return failure('FORMERR', record);
  const expected = expectedMac(key).subarray(0, mac.length);
  if (!timingSafeEqual(expected, mac)) return failure('BADSIG', record);
  return fault(found, key, times) ?? { ok: true, key, mac, message, record };
}
