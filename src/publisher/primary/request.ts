import type { Edns, ExtendedError } from '../../dns/wire/edns.ts';
import type { DecodedMessage, Header, Question, WireRecord } from '../../dns/wire/message.ts';
import { encodeMessage } from '../../dns/wire/message.ts';
import type { Pool } from '../../model/pools/pool.ts';
import type { KnownClient } from './access.ts';
import type { Signer } from './signatures.ts';

/** Largest message that passes nearly every network unfragmented, in octets. */
const UDP_SIZE = 1232;
/** RFC 1035 section 4.2.1: largest message that any datagram may carry, in octets. */
const PLAIN_UDP_SIZE = 512;
const MAX_SIZE = 65_535;

/** A query from a known client. */
export interface DnsRequest {
  readonly query: DecodedMessage;
  readonly question: Question;
  readonly address: string;
  readonly visitor: KnownClient;
  readonly signer: Signer | undefined;
  /** The pools at the time of the query. */
  readonly pools: readonly Pool[];
}

/** Builds the header of a response. */
export function answerHeader(header: Header, rcode: number, aa = false): Header {
  return { ...header, qr: true, aa, tc: false, ra: false, ad: false, rcode };
}

/** Builds the OPT of a response, if the query has one: RFC 6891 section 6.1.1. */
export function answerEdns({ edns }: Pick<DecodedMessage, 'edns'>): { readonly edns?: Edns } {
  return edns === undefined
    ? {}
    : { edns: { udpSize: UDP_SIZE, version: 0, doBit: edns.doBit, extendedRcode: 0 } };
}

/** Maximum size of a response over UDP, in octets. */
export function datagramLimit({ edns }: Pick<DecodedMessage, 'edns'>): number {
  return edns === undefined ? PLAIN_UDP_SIZE : Math.min(UDP_SIZE, Math.max(PLAIN_UDP_SIZE, edns.udpSize));
}

interface ResponseFields {
  readonly rcode: number;
  readonly answers?: readonly WireRecord[];
  readonly authority?: readonly WireRecord[];
  /** True for an authoritative answer; by default, if there are records. */
  readonly aa?: boolean;
  /** Maximum size with the signature, in octets. */
  readonly limit?: number;
  /** Sent if the query has an OPT. */
  readonly error?: ExtendedError | undefined;
}

/** What a response needs of a message. */
export type AnsweredMessage = Pick<DecodedMessage, 'header' | 'questions' | 'edns'>;

/** Encodes a single-message response, unsigned. */
export function encodeAnswer(
  query: AnsweredMessage,
  { rcode, answers = [], authority = [], aa = answers.length > 0, limit = MAX_SIZE, error }: ResponseFields,
): Buffer {
  const header = answerHeader(query.header, rcode, aa);
  const sections = { questions: query.questions, answers, authority, additional: [] };
  const { edns } = answerEdns(query);
  return encodeMessage({ header, ...sections, ...(edns && { edns: { ...edns, error } }) }, { limit });
}

/** Encodes a single-message response, signed if the query was. */
export function answerTo(
  { query, signer }: DnsRequest,
  { limit = MAX_SIZE, ...answer }: ResponseFields,
): Buffer {
  const message = encodeAnswer(query, { ...answer, limit: limit - (signer?.length ?? 0) });
  return signer === undefined ? message : signer.sign(message);
}
