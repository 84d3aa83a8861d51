/** Verifies signatures of queries and signs responses: RFC 8945. */
import { RCODE } from '../../dns/wire/codes.ts';
import {
  type FindTsigKey,
  type TsigFailure,
  TsigSigner,
  type TsigSuccess,
  tsigErrorRecord,
  tsigLength,
  verifyMessage,
} from '../../dns/wire/tsig.ts';
import type { TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import { wireKeyOf } from '../../model/tsig-keys/wire-key.ts';

/** Returns the time in seconds since 1970. */
export type Seconds = () => number;

/** Signs the messages of one response, in order. */
export interface Signer {
  /** Size that a signature adds to a message, in octets. */
  readonly length: number;
  sign(message: Buffer): Buffer;
}

export interface WrongSignature {
  readonly ok: false;
  readonly reason: string;
  readonly rcode: number;
  /** True if the key was valid but the time was not. */
  readonly isKnown: boolean;
  /** Adds a TSIG record that says what is wrong. */
  tell(answer: Buffer): Buffer;
}

/** The key of the client and the signer of the response, or what is wrong with the signature. */
export type VerifiedSignature =
  | {
      readonly ok: true;
      readonly key: TsigKey;
      readonly signer: Signer;
      /** The message without its signature, and that. */
      readonly verified: TsigSuccess;
    }
  | WrongSignature;

function signerFor({ key, mac }: TsigSuccess, now: Seconds): Signer {
  const signer = new TsigSigner(key, mac);
  return { length: tsigLength(key), sign: (message) => signer.sign(message, now()) };
}

function wrong(failure: TsigFailure, now: Seconds): WrongSignature {
  const { error, keyName, key } = failure;
  return {
    ok: false,
    reason: `${error} (key ${keyName})`,
    rcode: error === 'FORMERR' ? RCODE.FORMERR : RCODE.NOTAUTH,
    isKnown: key !== undefined,
    tell: (answer) => tsigErrorRecord(answer, failure, now()),
  };
}

/**
 * Checks the signature of a signed message.
 * @param key the key that the message names, if there is one
 * @param maxFudge in seconds; by default any
 */
export function checkSignature(
  message: Buffer,
  key: TsigKey | undefined,
  now: Seconds,
  maxFudge?: number,
): VerifiedSignature {
  const findKey: FindTsigKey = (name) => (key && `${key.name}.` === name ? wireKeyOf(key) : undefined);
  const verdict = verifyMessage(message, findKey, { now: now(), maxFudge });
  if (!verdict.ok) return wrong(verdict, now);
  return { ok: true, key: key!, signer: signerFor(verdict, now), verified: verdict };
}
