/** Responses to unknown clients. */

import { HEADER_LENGTH, type Header, headerBits } from '../../dns/encoding/header.ts';
import { FormError } from '../../dns/encoding/reader.ts';
import { RCODE } from '../../dns/wire/codes.ts';
import { type DecodedMessage, decodeQuery } from '../../dns/wire/message.ts';
import { answerHeader, encodeAnswer } from './request.ts';
import type { WrongSignature } from './signatures.ts';

/** The response to a message that is no query, or to an unknown client, if any; and the reason for the log. */
export interface QueryRefusal {
  readonly answer: Buffer | undefined;
  readonly reason: string;
  /** True if the client has a valid key, so that its connection is worth keeping. */
  readonly isKnown?: boolean;
}

/** Builds a response that is a header only. */
export function bare(header: Header, rcode: number): Buffer {
  const answer = Buffer.alloc(HEADER_LENGTH);
  answer.writeUInt16BE(header.id, 0);
  answer.writeUInt16BE(headerBits(answerHeader(header, rcode)), 2);
  return answer;
}

/** Builds a refusal. For unknown clients it is never larger than the query, because addresses can be forged. */
export function refuse(
  message: Buffer,
  query: DecodedMessage,
  rcode: number,
  wrong?: WrongSignature,
): Buffer {
  const plain = encodeAnswer(query, { rcode });
  const answer = wrong?.tell(plain) ?? plain;
  const fits = wrong?.isKnown === true || answer.length <= message.length;
  return fits ? answer : bare(query.header, rcode & 0xf);
}

/** Decodes the query, or returns FORMERR. */
export function decodedOr(message: Buffer, header: Header): DecodedMessage | QueryRefusal {
  try {
    return decodeQuery(message);
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    return { answer: bare(header, RCODE.FORMERR), reason: error.reason };
  }
}
