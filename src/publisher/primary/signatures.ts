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
  type TsigSecret as WireKey,
} from '../../dns/wire/tsig.ts';
import type { TsigKey } from '../../model/tsig-keys/tsig-key.ts';

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
  | { readonly ok: true; readonly key: TsigKey; readonly signer: Signer }
  | WrongSignature;

function signerFor({ key, mac }: TsigSuccess, now: Seconds): Signer {
  const signer = new TsigSigner(key, mac);
  return { length: tsigLength(key), sign: (message) => signer.sign(message, now()) };
}

const wireKey = ({ name, algorithm, secret }: TsigKey): WireKey => ({
  name: `${name}.`,
  algorithm,
  secret: Buffer.from(secret, 'base64'),
});

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

/** Checks the signature of a signed message. */
export function checkSignature(message: Buffer, keys: readonly TsigKey[], now: Seconds): VerifiedSignature {
  let known: TsigKey | undefined;
  const findKey: FindTsigKey = (name) => {
    known = keys.find((key) => `${key.name}.` === name);
    return known === undefined ? undefined : wireKey(known);
  };
  const verdict = verifyMessage(message, findKey, { now: now() });
  if (!verdict.ok) return wrong(verdict, now);
  return { ok: true, key: known!, signer: signerFor(verdict, now) };
}
