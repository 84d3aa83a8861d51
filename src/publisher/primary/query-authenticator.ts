import { Networks } from '../../addresses/networks.ts';
import { decodeHeader } from '../../dns/encoding/header.ts';
import { OPCODE, RCODE } from '../../dns/wire/codes.ts';
import type { DecodedMessage } from '../../dns/wire/message.ts';
import type { Notices } from './notices.ts';
import type { PrimaryPoolCache } from './pool-cache.ts';
import { bare, decodedOr, type QueryRefusal, refuse } from './refusals.ts';
import type { DnsRequest } from './request.ts';
import { checkSignature, type Seconds } from './signatures.ts';

/** An incoming request to answer, or a refusal. */
export type IncomingQuery = { readonly request: DnsRequest } | QueryRefusal;

/** Admits clients that have a valid key or are in a network that needs none. */
export class QueryAuthenticator {
  readonly #networks: Networks;
  readonly #directory: PrimaryPoolCache;
  readonly #notices: Notices;
  readonly #now: Seconds;

  constructor(allowNetworks: readonly string[], directory: PrimaryPoolCache, notices: Notices, now: Seconds) {
    this.#networks = new Networks(allowNetworks);
    this.#directory = directory;
    this.#notices = notices;
    this.#now = now;
  }

  async admit(message: Buffer, address: string): Promise<IncomingQuery> {
    const header = decodeHeader(message);
    if (header === undefined || header.qr) return { answer: undefined, reason: 'not a query' };
    if (header.opcode === OPCODE.NOTIFY) return this.#notices.take(message, header, address);
    if (header.opcode !== OPCODE.QUERY) {
      return { answer: bare(header, RCODE.NOTIMP), reason: 'unknown opcode' };
    }
    const query = decodedOr(message, header);
    return 'questions' in query ? this.#identify(message, query, address) : query;
  }

  async #identify(message: Buffer, query: DecodedMessage, address: string): Promise<IncomingQuery> {
    const refused = (rcode: number, reason: string) => ({ answer: refuse(message, query, rcode), reason });
    const [question] = query.questions;
    if (question === undefined) return refused(RCODE.FORMERR, 'no question');
    if ((query.edns?.version ?? 0) > 0) return refused(RCODE.BADVERS, 'unknown EDNS version');
    if (query.tsig === undefined && !this.#networks.has(address)) return refused(RCODE.REFUSED, 'no key');
    const known = await this.#directory.current().catch(() => undefined);
    if (known === undefined) return refused(RCODE.SERVFAIL, 'the keys cannot be read');
    const { pools, keys } = known;
    const asked = { query, question, address, pools };
    if (query.tsig === undefined) return { request: { ...asked, visitor: undefined, signer: undefined } };
    const signature = checkSignature(message, keys, this.#now);
    if (!signature.ok) {
      const answer = refuse(message, query, signature.rcode, signature);
      return { answer, reason: signature.reason };
    }
    return { request: { ...asked, visitor: signature.key, signer: signature.signer } };
  }
}
