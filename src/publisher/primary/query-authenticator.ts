import { Networks } from '../../addresses/networks.ts';
import { decodeHeader } from '../../dns/encoding/header.ts';
import { OPCODE, RCODE } from '../../dns/wire/codes.ts';
import type { DecodedMessage } from '../../dns/wire/message.ts';
import type { KeyCache } from './key-cache.ts';
import type { Notices } from './notices.ts';
import type { PrimaryPoolCache } from './pool-cache.ts';
import { bare, decodedOr, type QueryRefusal, refuse } from './refusals.ts';
import type { DnsRequest } from './request.ts';
import { checkSignature, type Seconds } from './signatures.ts';
import type { UpdateReceiver } from './updates.ts';

/** An incoming request to answer, or a refusal. */
export type IncomingQuery = { readonly request: DnsRequest } | QueryRefusal;

export interface AuthenticatorDeps {
  readonly pools: PrimaryPoolCache;
  readonly keys: KeyCache;
  readonly notices: Notices;
  /** Undefined if UPDATE messages are not taken. */
  readonly updates: UpdateReceiver | undefined;
  readonly now: Seconds;
}

/** Admits clients that have a valid key or are in a network that needs none. */
export class QueryAuthenticator {
  readonly #networks: Networks;
  readonly #deps: AuthenticatorDeps;

  constructor(allowNetworks: readonly string[], deps: AuthenticatorDeps) {
    this.#networks = new Networks(allowNetworks);
    this.#deps = deps;
  }

  async admit(message: Buffer, address: string, isDatagram: boolean): Promise<IncomingQuery> {
    const header = decodeHeader(message);
    if (header === undefined || header.qr) return { answer: undefined, reason: 'not a query' };
    const { notices, updates } = this.#deps;
    if (header.opcode === OPCODE.NOTIFY) return notices.take(message, header, address);
    if (header.opcode === OPCODE.UPDATE && updates !== undefined)
      return updates.take({ message, header, address, isDatagram });
    if (header.opcode !== OPCODE.QUERY) {
      return { answer: bare(header, RCODE.NOTIMP), reason: 'unknown opcode' };
    }
    const query = decodedOr(message, header);
    return 'questions' in query ? this.#identify(message, query, address) : query;
  }

  /** The pools, and the key that the query names. */
  async #knownFor({ tsig }: DecodedMessage, address: string) {
    const { pools, keys } = this.#deps;
    const current = await pools.current();
    const none = { kind: 'found', key: undefined } as const;
    return [current, tsig === undefined ? none : await keys.named(tsig.name, address)] as const;
  }

  async #identify(message: Buffer, query: DecodedMessage, address: string): Promise<IncomingQuery> {
    const refused = (rcode: number, reason: string) => ({ answer: refuse(message, query, rcode), reason });
    const [question] = query.questions;
    if (question === undefined) return refused(RCODE.FORMERR, 'no question');
    if ((query.edns?.version ?? 0) > 0) return refused(RCODE.BADVERS, 'unknown EDNS version');
    if (query.tsig === undefined && !this.#networks.has(address)) return refused(RCODE.REFUSED, 'no key');
    const known = await this.#knownFor(query, address).catch(() => undefined);
    if (known === undefined) return refused(RCODE.SERVFAIL, 'the keys cannot be read');
    const [pools, lookup] = known;
    if (lookup.kind === 'too many') return refused(RCODE.REFUSED, 'too many unknown keys');
    const asked = { query, question, address, pools };
    if (query.tsig === undefined) return { request: { ...asked, visitor: undefined, signer: undefined } };
    const signature = checkSignature(message, lookup.key, this.#deps.now);
    if (!signature.ok) {
      const answer = refuse(message, query, signature.rcode, signature);
      return { answer, reason: signature.reason };
    }
    return { request: { ...asked, visitor: signature.key, signer: signature.signer } };
  }
}
