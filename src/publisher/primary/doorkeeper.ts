import { decodeHeader, HEADER_LENGTH, type Header, headerBits } from '../../dns/wire/header.ts';
import { type DecodedMessage, decodeQuery } from '../../dns/wire/message.ts';
import { FormError } from '../../dns/wire/reader.ts';
import { OPCODE, RCODE } from '../../dns/wire/record-types.ts';
import { Networks } from './access.ts';
import type { Directory } from './directory.ts';
import { answerHeader, encodeAnswer, type Request } from './request.ts';
import { judgeSignature, type Seconds, type WrongSignature } from './signatures.ts';

/** What came: a question to answer, or what to say to a stranger, if anything. */
export type Arrival =
  | { readonly request: Request }
  | { readonly answer: Buffer | undefined; readonly reason: string };

/** The head alone. */
function bare(header: Header, rcode: number): Buffer {
  const answer = Buffer.alloc(HEADER_LENGTH);
  answer.writeUInt16BE(header.id, 0);
  answer.writeUInt16BE(headerBits(answerHeader(header, rcode)), 2);
  return answer;
}

/** A refusal of a stranger is never larger than what it refuses: addresses can be forged. */
function refuse(message: Buffer, query: DecodedMessage, rcode: number, wrong?: WrongSignature): Buffer {
  const plain = encodeAnswer(query, { rcode });
  const answer = wrong?.tell(plain) ?? plain;
  const fits = wrong?.isKnown === true || answer.length <= message.length;
  return fits ? answer : bare(query.header, rcode & 0xf);
}

function decoded(message: Buffer, header: Header): DecodedMessage | Arrival {
  try {
    return decodeQuery(message);
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    return { answer: bare(header, RCODE.FORMERR), reason: error.reason };
  }
}

/** Lets in who may ask: with a key, or from a network that needs none. */
export class Doorkeeper {
  readonly #networks: Networks;
  readonly #directory: Directory;
  readonly #now: Seconds;

  constructor(allowNetworks: readonly string[], directory: Directory, now: Seconds) {
    this.#networks = new Networks(allowNetworks);
    this.#directory = directory;
    this.#now = now;
  }

  async admit(message: Buffer, address: string): Promise<Arrival> {
    const header = decodeHeader(message);
    if (header === undefined || header.qr) return { answer: undefined, reason: 'not a question' };
    if (header.opcode !== OPCODE.QUERY) {
      return { answer: bare(header, RCODE.NOTIMP), reason: 'the opcode is not known' };
    }
    const query = decoded(message, header);
    return 'questions' in query ? this.#identify(message, query, address) : query;
  }

  async #identify(message: Buffer, query: DecodedMessage, address: string): Promise<Arrival> {
    const refused = (rcode: number, reason: string) => ({ answer: refuse(message, query, rcode), reason });
    const [question] = query.questions;
    if (question === undefined) return refused(RCODE.FORMERR, 'there is no question');
    if ((query.edns?.version ?? 0) > 0) return refused(RCODE.BADVERS, 'the version of EDNS is not known');
    if (query.tsig === undefined && !this.#networks.has(address)) return refused(RCODE.REFUSED, 'no key');
    const known = await this.#directory.current().catch(() => undefined);
    if (known === undefined) return refused(RCODE.SERVFAIL, 'the keys cannot be read');
    const { pools, keys } = known;
    const asked = { query, question, address, pools };
    if (query.tsig === undefined) return { request: { ...asked, visitor: undefined, signer: undefined } };
    const signature = judgeSignature(message, keys, this.#now);
    if (!signature.ok) {
      const answer = refuse(message, query, signature.rcode, signature);
      return { answer, reason: signature.reason };
    }
    return { request: { ...asked, visitor: signature.key, signer: signature.signer } };
  }
}
