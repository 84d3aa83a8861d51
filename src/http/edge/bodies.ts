/** Limits the memory for request bodies: per project, per unauthenticated client and in total. */
import type { IncomingMessage } from 'node:http';
import { clientNetwork } from '../../addresses/networks.ts';
import { FairBudget } from '../../runtime/fair-budget.ts';
import type { Release } from '../../runtime/semaphore.ts';
import { ArrivingBody, wholeBody } from './arriving-body.ts';
import type { BodyReader } from './body.ts';
import { EdgeError } from './errors.ts';
import { announcedSize, LargeBodies, type LargeBodySettings } from './large-bodies.ts';

export interface BodySettings extends LargeBodySettings {
  /** Limit for all bodies being read or handled, in bytes. */
  readonly maxTotalBodySize: number;
}

/** Maximum time a body waits for memory, in milliseconds. It is not read meanwhile. */
const PATIENCE_MS = 10_000;
/** The system and the parser hold about 64 KiB of each waiting body. */
const MAX_WAITING = { inAll: 512, ofOwner: 64 };
/** Unauthenticated callers get one part in this many of the total. */
const STRANGERS = 8;
/** Minimum for unauthenticated callers, in bytes: enough for two logins whatever the total. */
const MIN_OF_STRANGERS = 32_768;

/** Limits of a route, in bytes. */
export interface BodyLimits {
  readonly maxSize: number;
  /** Maximum size of a streamed body; 0 if the route does not stream. */
  readonly maxArrivingSize: number;
}

/** A request whose body is about to be read. */
export interface UnreadRequest {
  readonly raw: IncomingMessage;
  /** Address of the client. */
  readonly address: string;
  /** Undefined for an unauthenticated caller. */
  readonly projectId: string | undefined;
  readonly reader: BodyReader<unknown> | undefined;
}

/** A body, whole or read as it arrives, and the memory it holds until it is released. */
export interface ReceivedBody {
  readonly content: Buffer | ArrivingBody | undefined;
  release(): void;
}

function budgetOf(amount: number): FairBudget {
  return new FairBudget({ amount, patienceMs: PATIENCE_MS, maxWaiting: MAX_WAITING });
}

export class Bodies {
  readonly #settings: BodySettings;
  readonly #large: LargeBodies;
  readonly #ofProjects: FairBudget;
  readonly #ofStrangers: FairBudget;

  constructor(settings: BodySettings) {
    this.#settings = settings;
    this.#large = new LargeBodies(settings);
    // One project's share must fit at least one body.
    const total = Math.max(settings.maxTotalBodySize, 2 * settings.maxBodySize);
    this.#ofProjects = budgetOf(total);
    this.#ofStrangers = budgetOf(Math.max(MIN_OF_STRANGERS, Math.ceil(total / STRANGERS)));
  }

  /**
   * Reads a body, or starts to. Before any of it is read, a body reserves its announced size, or the route's maximum if
   * the size is unknown. Bodies that do not fit wait unread.
   * @throws EdgeError `too_many_bodies`, `request_too_large`; `bad_request` if the client disconnects
   */
  async receive(request: UnreadRequest, limits: BodyLimits): Promise<ReceivedBody> {
    const { raw, reader, projectId } = request;
    const announced = announcedSize(raw.headers);
    const releases: Release[] = [];
    const release = () => {
      for (const one of releases.splice(0)) one();
    };
    const size = this.#sizeOf(announced, limits);
    // If the body could not be read, the request has been refused by now and sends nothing more.
    if (size > 0 && raw.socket.writable) releases.push(await this.#reserve(request, size));
    try {
      const { body, release: end } = this.#streamOf(raw, limits, projectId);
      releases.push(end);
      if (reader !== undefined && 'readAsItArrives' in reader)
        return { content: new ArrivingBody(body, raw.headers, reader.maxSize), release };
      const content = announced === 0 ? undefined : await wholeBody(body, announced, limits.maxSize);
      return { content, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async #reserve({ projectId, address }: UnreadRequest, size: number): Promise<Release> {
    const release = await (projectId === undefined
      ? this.#ofStrangers.take(clientNetwork(address), size)
      : this.#ofProjects.take(projectId, size));
    if (release === undefined) throw new EdgeError('too_many_bodies');
    return release;
  }

  /** Bytes that a body reserves. A body refused for its announced size reserves none. */
  #sizeOf(announced: number, { maxSize, maxArrivingSize }: BodyLimits): number {
    if (Number.isFinite(announced) && announced > maxSize) return 0;
    // The rest of a streamed body is covered by a large-body slot.
    return Math.min(announced, maxArrivingSize > 0 ? this.#settings.maxBodySize : maxSize);
  }

  #streamOf(raw: IncomingMessage, { maxArrivingSize }: BodyLimits, projectId: string | undefined) {
    if (maxArrivingSize === 0 || projectId === undefined) return { body: raw, release() {} };
    return this.#large.receive(raw, raw.headers, maxArrivingSize, projectId);
  }
}
