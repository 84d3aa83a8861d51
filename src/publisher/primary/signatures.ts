/** Who signed a question, and the signatures of what answers it: RFC 8945. */
import {
  type FindTsigKey,
  signMessage,
  type TsigFailure,
  type TsigSuccess,
  tsigErrorRecord,
  tsigLength,
  verifyMessage,
  type TsigKey as WireKey,
} from '../../dns/wire/tsig.ts';
import type { TsigKey } from '../../domain/tsig-keys/tsig-key.ts';

/** The time in seconds since 1970. */
export type Seconds = () => number;

/** Signs the messages of one answer, one after another. */
export interface Signer {
  /** Octets that a signature adds to a message. */
  readonly length: number;
  sign(message: Buffer): Buffer;
}

/** Who asks, with a right signature, and what signs the answer; or what makes an answer tell what is wrong with it. */
export type Signature =
  | { readonly ok: true; readonly key: TsigKey; readonly signer: Signer }
  | { readonly ok: false; readonly reason: string; readonly tell: (answer: Buffer) => Buffer };

function signerFor({ key, mac }: TsigSuccess, now: Seconds): Signer {
  let priorMac = mac;
  let timersOnly = false;
  return {
    length: tsigLength(key),
    sign: (message) => {
      const signed = signMessage(message, key, { priorMac, timersOnly, time: now() });
      priorMac = signed.mac;
      timersOnly = true;
      return signed.message;
    },
  };
}

const wireKey = ({ name, algorithm, secret }: TsigKey): WireKey => ({
  name: `${name}.`,
  algorithm,
  secret: Buffer.from(secret, 'base64'),
});

function refusal(failure: TsigFailure, now: Seconds): Signature {
  const { error, keyName } = failure;
  const reason = `${error} (key ${keyName})`;
  return { ok: false, reason, tell: (answer) => tsigErrorRecord(answer, failure, now()) };
}

/** Judges the signature of a message that has one. */
export function judgeSignature(message: Buffer, keys: readonly TsigKey[], now: Seconds): Signature {
  let known: TsigKey | undefined;
  const findKey: FindTsigKey = (name) => {
    known = keys.find((key) => `${key.name}.` === name);
    return known === undefined ? undefined : wireKey(known);
  };
  const verdict = verifyMessage(message, findKey, { now: now() });
  if (!verdict.ok) return refusal(verdict, now);
  return { ok: true, key: known!, signer: signerFor(verdict, now) };
}
