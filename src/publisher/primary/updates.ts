/** UPDATE (RFC 2136): a client with a key changes the zone of its key. */
import type { Header } from '../../dns/encoding/header.ts';
import { FormError } from '../../dns/encoding/reader.ts';
import { CLASS, RCODE } from '../../dns/wire/codes.ts';
import { EXTENDED_ERROR, type ExtendedError, errorWithin, optLength } from '../../dns/wire/edns.ts';
import { findTsig } from '../../dns/wire/tsig-record.ts';
import { type OpenedUpdate, openUpdate } from '../../dns/wire/update.ts';
import type { TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import type { UpdateOutcome, Updates } from '../../model/updates/update.ts';
import { ShortWork, turnBesideOthers } from '../../runtime/cooperative-yield.ts';
import type { Log } from '../../runtime/log.ts';
import type { Release } from '../../runtime/semaphore.ts';
import type { KeyCache } from './key-cache.ts';
import { bare, type QueryRefusal } from './refusals.ts';
import { type AnsweredMessage, answerEdns, datagramLimit, encodeAnswer } from './request.ts';
import type { PrimarySettings } from './settings.ts';
import { checkSignature, type Seconds, type VerifiedSignature } from './signatures.ts';
import { UpdateLimits } from './update-limits.ts';

/** In seconds. A signature is never valid for longer, however large its fudge. */
const MAX_FUDGE = 300;
const MAX_SIZE = 65_535;
/** In milliseconds for each round of the event loop: 32 datagrams can arrive in one, and a request over HTTP needs several. */
const VERIFYING_MS = 1;
/** In octets. To find the key of a longer message counts as part of its verification: it can have thousands of records. */
const SHORT_MESSAGE = 4096;

export interface UpdateReceiverDeps {
  readonly updates: Updates;
  readonly keys: KeyCache;
  readonly log: Log;
  readonly now: Seconds;
}

/** A message with opcode UPDATE. */
export interface ArrivedUpdate {
  readonly message: Buffer;
  readonly header: Header;
  readonly address: string;
  readonly isDatagram: boolean;
}

type Signature = VerifiedSignature & { readonly ok: true };

function refused(text: string, code: number = EXTENDED_ERROR.OTHER): UpdateOutcome {
  return { rcode: RCODE.REFUSED, error: { code, text } };
}

const TOO_MANY = refused('Too many updates are sent. Send fewer at a time.');
const NO_PERMISSION = refused('The TSIG key has no permission to update.', EXTENDED_ERROR.PROHIBITED);

/** The error with as much of its text as fits, if the message has an OPT. */
function fitting(
  query: AnsweredMessage,
  error: ExtendedError | undefined,
  limit: number,
): ExtendedError | undefined {
  const { edns } = answerEdns(query);
  if (error === undefined || edns === undefined) return undefined;
  const rest = encodeAnswer(query, { rcode: RCODE.REFUSED }).length - optLength(edns);
  return errorWithin(error, limit - rest);
}

/** What an unreadable part of a message comes to. @throws any other error */
function formError(error: unknown): UpdateOutcome {
  if (!(error instanceof FormError)) throw error;
  return { rcode: RCODE.FORMERR, error: { code: EXTENDED_ERROR.OTHER, text: error.reason } };
}

function openedOr(message: Buffer): OpenedUpdate | UpdateOutcome {
  try {
    return openUpdate(message);
  } catch (error) {
    return formError(error);
  }
}

/** Handles UPDATE messages. Only those signed by a key for updates reach the domain. */
export class UpdateReceiver {
  readonly #deps: UpdateReceiverDeps;
  readonly #limits: UpdateLimits;
  readonly #verifying = new ShortWork(VERIFYING_MS);

  constructor(deps: UpdateReceiverDeps, settings: Pick<PrimarySettings, 'failedSignaturesPerSecond'>) {
    this.#deps = deps;
    this.#limits = new UpdateLimits(settings.failedSignaturesPerSecond);
  }

  /** Handles a message, and returns the response. To a stranger it is no longer than the message. */
  async take(arrived: ArrivedUpdate): Promise<QueryRefusal> {
    const { header, address } = arrived;
    const plain = (rcode: number, reason: string) => ({ answer: bare(header, rcode), reason });
    let endWait: Release | undefined;
    try {
      if (!this.#limits.mayVerify(arrived)) return plain(RCODE.REFUSED, 'too many wrong signatures');
      // Before the key is looked up, which takes long while the store is in trouble.
      endWait = this.#limits.waitToVerify(arrived);
      if (endWait === undefined) return plain(RCODE.REFUSED, 'too many wait to be verified');
      const caller = this.#limits.callerOf(arrived);
      const name = await this.#keyNameIn(arrived.message, caller);
      if (name === undefined) return plain(RCODE.REFUSED, 'an UPDATE without a key');
      const lookup = await this.#deps.keys.named(name, address, this.#limits.provenOwner(address));
      if (lookup.kind === 'too many') return plain(RCODE.REFUSED, 'too many unknown keys');
      return await this.#verifying.do(caller, () => {
        endWait?.();
        return this.#verify(arrived, lookup.key);
      });
    } catch (err) {
      if (err instanceof FormError) return plain(RCODE.FORMERR, err.reason);
      this.#deps.log.error({ err, address }, 'cannot process an UPDATE');
      return plain(RCODE.SERVFAIL, 'the store cannot be read');
    } finally {
      endWait?.();
    }
  }

  /** @throws FormError */
  async #keyNameIn(message: Buffer, caller: string): Promise<string | undefined> {
    const find = () => findTsig(message)?.record.name;
    return message.length <= SHORT_MESSAGE ? find() : this.#verifying.do(caller, find);
  }

  async #verify(arrived: ArrivedUpdate, key: TsigKey | undefined): Promise<QueryRefusal> {
    const { message, header } = arrived;
    const signature = checkSignature(message, key, this.#deps.now, MAX_FUDGE);
    if (signature.ok) {
      this.#limits.prove(arrived, signature.key);
      return this.#answer(arrived, signature);
    }
    this.#limits.fail(arrived);
    const short = bare(header, signature.rcode);
    const told = signature.tell(short);
    const answer = signature.isKnown || told.length <= message.length ? told : short;
    return { answer, reason: signature.reason };
  }

  async #answer(arrived: ArrivedUpdate, signature: Signature): Promise<QueryRefusal> {
    const { header, isDatagram } = arrived;
    const { signer, verified } = signature;
    const opened = openedOr(verified.message);
    const isOpen = 'read' in opened;
    const query = { header, questions: isOpen ? [opened.zone] : [], edns: isOpen ? opened.edns : undefined };
    const outcome = isOpen ? await this.#outcome(arrived, signature, opened) : opened;
    const limit = (isDatagram ? datagramLimit(query) : MAX_SIZE) - signer.length;
    const error = fitting(query, outcome.error, limit);
    const answer = encodeAnswer(query, { rcode: outcome.rcode, error, limit });
    return { answer: signer.sign(answer), reason: `an UPDATE with RCODE ${outcome.rcode}`, isKnown: true };
  }

  /** Decides a message whose frame could be read. */
  async #outcome(
    { address }: ArrivedUpdate,
    { key, verified }: Signature,
    opened: OpenedUpdate,
  ): Promise<UpdateOutcome> {
    const { zone, edns } = opened;
    if ((edns?.version ?? 0) > 0) return { rcode: RCODE.BADVERS };
    if (!key.permissions?.update) return NO_PERMISSION;
    if (!this.#limits.pass(key.id, address)) return TOO_MANY;
    const release = await this.#limits.takePlace(key, turnBesideOthers);
    if (release === undefined) return TOO_MANY;
    try {
      const sections = opened.read();
      if (zone.class !== CLASS.IN) return { rcode: RCODE.NOTAUTH };
      const { mac, record } = verified;
      const validUntil = record.time + Math.min(record.fudge, MAX_FUDGE);
      return await this.#deps.updates.apply({ ...sections, zone: zone.name, key, mac, validUntil, address });
    } catch (error) {
      return formError(error);
    } finally {
      release();
    }
  }
}
