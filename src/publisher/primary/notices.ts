/** NOTIFY (RFC 1996): a master reports that a secondary zone has changed. */

import type { Header } from '../../dns/encoding/header.ts';
import { canonicalName, type Fqdn } from '../../dns/names.ts';
import { TYPE } from '../../dns/record-types.ts';
import { CLASS, RCODE } from '../../dns/wire/codes.ts';
import type { DecodedMessage, Question } from '../../dns/wire/message.ts';
import type { Secondaries } from '../../model/secondaries/secondary.ts';
import type { Log } from '../../runtime/log.ts';
import type { KeyCache } from './key-cache.ts';
import { NoticeLimits } from './notice-limits.ts';
import { decodedOr, type QueryRefusal, refuse } from './refusals.ts';
import { encodeAnswer } from './request.ts';
import { checkSignature, type Seconds, type VerifiedSignature } from './signatures.ts';

export interface NoticeDeps {
  readonly notified: Secondaries['notified'];
  /** Called when a zone is due for a refresh. */
  readonly due: () => void;
  readonly keys: KeyCache;
  readonly log: Log;
  readonly now: Seconds;
}

interface Notice {
  readonly message: Buffer;
  readonly query: DecodedMessage;
  readonly question: Question;
  readonly address: string;
}

const DROPPED = 'too many NOTIFY messages';

/** Handles NOTIFY messages. All but those from masters are refused in the same way. */
export class Notices {
  readonly #deps: NoticeDeps;
  readonly #limits = new NoticeLimits();

  constructor(deps: NoticeDeps) {
    this.#deps = deps;
  }

  /** Handles a message with opcode NOTIFY, and returns the response. */
  async take(message: Buffer, header: Header, address: string): Promise<QueryRefusal> {
    // Check the limit before reading anything: the sender retries (RFC 1996 section 3.6).
    if (!this.#limits.pass(address)) return { answer: undefined, reason: DROPPED };
    const query = decodedOr(message, header);
    if (!('questions' in query)) return query;
    const [question] = query.questions;
    if (question === undefined || question.type !== TYPE.SOA || question.class !== CLASS.IN) {
      return { answer: refuse(message, query, RCODE.FORMERR), reason: 'a NOTIFY without a zone' };
    }
    return this.#tell({ message, query, question, address });
  }

  async #tell(notice: Notice): Promise<QueryRefusal> {
    const { message, query, address } = notice;
    try {
      const signature = await this.#signature(notice);
      if (signature === 'too many') return { answer: undefined, reason: 'too many unknown keys' };
      if (signature !== undefined && !signature.ok) {
        const answer = refuse(message, query, signature.rcode, signature);
        return { answer, reason: signature.reason };
      }
      return await this.#ask(notice, signature);
    } catch (err) {
      this.#deps.log.error({ err, address }, 'cannot process a NOTIFY');
      return { answer: refuse(message, query, RCODE.SERVFAIL), reason: 'the store cannot be read' };
    }
  }

  async #signature({ message, query, address }: Notice): Promise<VerifiedSignature | 'too many' | undefined> {
    if (query.tsig === undefined) return undefined;
    const lookup = await this.#deps.keys.named(query.tsig.name, address);
    return lookup.kind === 'too many' ? lookup.kind : checkSignature(message, lookup.key, this.#deps.now);
  }

  async #ask(
    notice: Notice,
    signature: (VerifiedSignature & { readonly ok: true }) | undefined,
  ): Promise<QueryRefusal> {
    const { message, query, question, address } = notice;
    const name = canonicalName<Fqdn>(question.name);
    const isMaster = await this.#deps.notified(name, address, signature?.key.name);
    if (!isMaster)
      return { answer: refuse(message, query, RCODE.REFUSED), reason: 'a NOTIFY not sent by a master' };
    this.#limits.know(address);
    this.#deps.due();
    // Authoritative, with the opcode and the question of the request: RFC 1996 section 4.7.
    const answer = encodeAnswer(query, { rcode: RCODE.NOERROR, aa: true });
    return { answer: signature?.signer.sign(answer) ?? answer, reason: 'a NOTIFY from a master' };
  }
}
