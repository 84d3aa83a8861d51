/** Builds a query to a name server and checks its response: the id, the question and the key must match. */
import { randomInt } from 'node:crypto';
import { FormError } from '../../dns/encoding/reader.ts';
import { RCODE } from '../../dns/wire/codes.ts';
import {
  type DecodedMessage,
  decodeMessage,
  encodeMessage,
  type Question,
  type WireRecord,
} from '../../dns/wire/message.ts';
import { signMessage, type TsigFailure, type TsigSecret, verifyMessage } from '../../dns/wire/tsig.ts';

const ID_SPAN = 2 ** 16;
/** RFC 9715: avoids fragments. In octets. */
const UDP_SIZE = 1232;
/** Enough for an SOA, a few name servers with their addresses, and signatures. */
const MAX_RECORDS = 200;

/** A response, or why the message is not one. `isProven` is false if the query was signed and the response is not. */
export type Read =
  | { readonly isAnswer: true; readonly message: DecodedMessage; readonly isProven: boolean }
  | { readonly isAnswer: false; readonly why: string };

export interface DnsQuery {
  readonly id: number;
  readonly bytes: Buffer;
  /** MAC of the query's signature; undefined without one. */
  readonly mac: Buffer | undefined;
  read(answer: Buffer): Read;
}

const FAULTS: Readonly<Record<TsigFailure['error'], string>> = {
  BADKEY: 'The response is signed with a different key than the query.',
  BADSIG: 'The signature of the response is wrong: the server has a different secret.',
  BADTIME: 'The clocks of the server and this service differ too much.',
  BADTRUNC: 'The signature of the response is too short.',
  FORMERR: 'The signature of the response cannot be read.',
  unsigned: 'The response has no signature, although the query was signed.',
};

const REPORTED: Partial<Record<TsigFailure['error'], string>> = {
  BADKEY: 'The server does not know the key (BADKEY): give it the key of the',
  BADSIG: 'The server rejects the signature (BADSIG): give it the secret of the key of the',
  BADTIME: 'The server rejects the time of the signature (BADTIME): synchronize the clocks.',
};

/** The owner of the key that signs the messages. */
type KeyOwner = 'pool' | 'zone';

/** Explains a wrong or missing signature, and what to do about it. */
export function tsigFault({ error, reported }: TsigFailure, owner: KeyOwner): string {
  const text = reported ? REPORTED[error] : undefined;
  if (text === undefined) return FAULTS[error];
  return text.endsWith('.') ? text : `${text} ${owner}.`;
}

const refused = (why: string): Read => ({ isAnswer: false, why });

/** RFC 8945 compares wall clocks. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

export function randomId(): number {
  return randomInt(ID_SPAN);
}

function decoded(answer: Buffer): DecodedMessage | undefined {
  try {
    return decodeMessage(answer, { maxRecords: MAX_RECORDS });
  } catch (error) {
    if (error instanceof FormError) return undefined;
    throw error;
  }
}

function isSame(asked: Question, questions: readonly Question[]): boolean {
  const [question] = questions;
  return question?.name === asked.name && question.type === asked.type && question.class === asked.class;
}

/** The key of a query, and the MAC of its signature. */
interface QuerySignature {
  readonly key: TsigSecret;
  readonly mac: Buffer;
  readonly owner: KeyOwner;
}

/** Knot does not sign a REFUSED for a zone that it does not have. */
function isBareRefusal({ header, answers }: DecodedMessage, { error, reported }: TsigFailure): boolean {
  return error === 'unsigned' && !reported && header.rcode === RCODE.REFUSED && answers.length === 0;
}

/** Reads a message that must be signed. */
function readSigned(answer: Buffer, message: DecodedMessage, { key, mac, owner }: QuerySignature): Read {
  const verdict = verifyMessage(answer, (name) => (name === key.name ? key : undefined), {
    now: nowInSeconds(),
    priorMac: mac,
  });
  if (verdict.ok) return { isAnswer: true, message, isProven: true };
  if (isBareRefusal(message, verdict)) return { isAnswer: true, message, isProven: false };
  return refused(tsigFault(verdict, owner));
}

function readAnswer(
  answer: Buffer,
  asked: { readonly id: number; readonly opcode: number; readonly question: Question },
  signature: QuerySignature | undefined,
): Read {
  const message = decoded(answer);
  if (message === undefined) return refused('The response of the server cannot be read.');
  const { header, questions } = message;
  const isAnswer = header.id === asked.id && header.qr && header.opcode === asked.opcode;
  if (!isAnswer || !isSame(asked.question, questions)) {
    return refused('The server sends a response that does not match the query.');
  }
  return signature === undefined
    ? { isAnswer: true, message, isProven: true }
    : readSigned(answer, message, signature);
}

interface QueryOptions {
  readonly authority?: readonly WireRecord[];
  /** For the error messages about signatures. */
  readonly owner?: KeyOwner;
}

/**
 * Builds a message with one question, signed if there is a key.
 * @param id must differ from those of other messages that wait for a response from the same server
 */
export function dnsQuery(
  id: number,
  opcode: number,
  question: Question,
  key: TsigSecret | undefined,
  { authority = [], owner = 'pool' }: QueryOptions = {},
): DnsQuery {
  const flags = { qr: false, aa: opcode !== 0, tc: false, rd: false, ra: false, ad: false, cd: false };
  const unsigned = encodeMessage({
    header: { id, opcode, rcode: 0, ...flags },
    questions: [question],
    answers: [],
    authority,
    additional: [],
    edns: { udpSize: UDP_SIZE, version: 0, doBit: false, extendedRcode: 0 },
  });
  const asked = { id, opcode, question };
  if (key === undefined) {
    return { id, bytes: unsigned, mac: undefined, read: (answer) => readAnswer(answer, asked, undefined) };
  }
  const { message, mac } = signMessage(unsigned, key, { time: nowInSeconds() });
  return { id, bytes: message, mac, read: (answer) => readAnswer(answer, asked, { key, mac, owner }) };
}
