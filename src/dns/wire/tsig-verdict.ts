/** What a message's TSIG is worth: RFC 8945 section 5.2. */
import { timingSafeEqual } from 'node:crypto';
import { FormError } from '../encoding/reader.ts';
import { RCODE } from './codes.ts';
import { isTsigAlgorithm, TSIG_ALGORITHMS, type TsigAlgorithm, type TsigKey } from './tsig-mac.ts';
import { ADDITIONAL_COUNT_AT, findTsig, type TsigRecord } from './tsig-record.ts';

/** RFC 8945 section 5.2.2.1: no MAC is shorter than this, nor than half of it all. */
const MIN_MAC = 10;

export type TsigError = 'BADKEY' | 'BADSIG' | 'BADTIME' | 'BADTRUNC';

/** Finds a key by its name in canonical text and an algorithm like `hmac-sha256`; both have to be those of the key. */
export type FindTsigKey = (name: string, algorithm: TsigAlgorithm) => TsigKey | undefined;

export interface TsigFailure {
  readonly ok: false;
  /** FORMERR and unsigned have no TSIG that could be answered with one. */
  readonly error: TsigError | 'FORMERR' | 'unsigned';
  /** As the message named it. */
  readonly keyName: string | undefined;
  /** Whether not the message was wrong, but says that the one before it was. Only with `key` is it known who says so. */
  readonly reported: boolean;
  /** Whose MAC was right, though something else was not. */
  readonly key: TsigKey | undefined;
  readonly record: TsigRecord | undefined;
}

export interface TsigSuccess {
  readonly ok: true;
  readonly key: TsigKey;
  readonly mac: Buffer;
  /** The message without its TSIG, as it was signed. */
  readonly message: Buffer;
  readonly record: TsigRecord;
}

export type TsigVerdict = TsigSuccess | TsigFailure;

export interface Found {
  /** As it was signed. */
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

function withoutTsig(message: Buffer, start: number, record: TsigRecord): Found {
  const unsigned = Buffer.from(message.subarray(0, start));
  unsigned.writeUInt16BE(record.originalId, 0);
  unsigned.writeUInt16BE(message.readUInt16BE(ADDITIONAL_COUNT_AT) - 1, ADDITIONAL_COUNT_AT);
  return { message: unsigned, isAnswer: (message[2]! & 0x80) !== 0, record };
}

/** The TSIG of a message, and what it signs. */
export function find(message: Buffer): Found | TsigFailure {
  try {
    const found = findTsig(message);
    return found === undefined ? failure('unsigned') : withoutTsig(message, found.start, found.record);
  } catch (error) {
    if (error instanceof FormError) return failure('FORMERR');
    throw error;
  }
}

/** The error that an answer reports. */
function reportedError({ error }: TsigRecord): TsigFailure['error'] {
  const errors = ['BADKEY', 'BADSIG', 'BADTIME', 'BADTRUNC'] as const;
  return errors.find((name) => RCODE[name] === error) ?? 'FORMERR';
}

/** RFC 8945 section 5.2.2.1. */
function hasPossibleLength(mac: Buffer, algorithm: TsigAlgorithm): boolean {
  const { length } = TSIG_ALGORITHMS[algorithm];
  return mac.length <= length && mac.length >= Math.max(MIN_MAC, length / 2);
}

/** What is wrong with a message whose MAC is right: RFC 8945 sections 5.2.3, 5.2.4 and 5.4. */
function fault({ record, isAnswer }: Found, key: TsigKey, now: number): TsigFailure | undefined {
  if (Math.abs(now - record.time) > record.fudge) return failure('BADTIME', record, { key });
  if (record.mac.length < TSIG_ALGORITHMS[key.algorithm].length) return failure('BADTRUNC', record, { key });
  if (!isAnswer || record.error === 0) return undefined;
  return failure(reportedError(record), record, { key, reported: true });
}

/**
 * In the order of RFC 8945 section 5.2: key, MAC, time, truncation.
 * @param expectedMac the whole MAC that the key makes of what was found
 */
export function judge(
  found: Found,
  findKey: FindTsigKey,
  now: number,
  expectedMac: (key: TsigKey) => Buffer,
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
  return fault(found, key, now) ?? { ok: true, key, mac, message, record };
}
