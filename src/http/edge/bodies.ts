/** Limits the memory for request bodies: per project, per unauthenticated client and in total. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientNetwork } from '../../addresses/networks.ts';
import { FairBudget } from '../../runtime/fair-budget.ts';
import type { Release } from '../../runtime/semaphore.ts';
import { EdgeError } from './errors.ts';
import { announcedSize, LargeBodies, type LargeBodySettings } from './large-bodies.ts';

export interface BodySettings extends LargeBodySettings {
  /** Limit for all bodies being read or handled, in bytes. */
  readonly maxTotalBodySize: number;
}

/** Maximum time a body waits for memory, in milliseconds. It is not read meanwhile. */
const PATIENCE_MS = 10_000;
/** The system and the parser hold about 64 KiB of each waiting body. */
const MOST_WAITING = { inAll: 512, ofOwner: 64 };
/** Unauthenticated callers get one part in this many of the total. */
const STRANGERS = 8;
/** Minimum for unauthenticated callers, in bytes: enough for two logins whatever the total. */
const LEAST_OF_STRANGERS = 32_768;

/** Limits of a route, in bytes. */
interface RouteLimits {
  /** Maximum body size that Fastify accepts. */
  readonly bodyLimit: number;
  /** Maximum size of a streamed body; 0 if the route does not stream. */
  readonly maxArrivingSize: number;
}

/** A request whose body is about to be read. */
interface Arriving extends RouteLimits {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly source: Readable;
  readonly projectId: string | undefined;
}

/** Resources that a request holds until it is handled or closed. */
interface HeldBody {
  isHandled: boolean;
  isOver: boolean;
  readonly releases: Release[];
}

type BodyCallback = (error: Error | null, body?: Readable) => void;

function budgetOf(amount: number): FairBudget {
  return new FairBudget({ amount, patienceMs: PATIENCE_MS, mostWaiting: MOST_WAITING });
}

export class Bodies {
  readonly #settings: BodySettings;
  readonly #large: LargeBodies;
  readonly #ofProjects: FairBudget;
  readonly #ofStrangers: FairBudget;
  readonly #held = new WeakMap<FastifyRequest, HeldBody>();

  constructor(settings: BodySettings) {
    this.#settings = settings;
    this.#large = new LargeBodies(settings);
    // One project's share must fit at least one body.
    const total = Math.max(settings.maxTotalBodySize, 2 * settings.maxBodySize);
    this.#ofProjects = budgetOf(total);
    this.#ofStrangers = budgetOf(Math.max(LEAST_OF_STRANGERS, Math.ceil(total / STRANGERS)));
  }

  /**
   * Fastify's hook before it reads a body. Before any of it is read, a body reserves its announced size, or the route's
   * maximum if the size is unknown. Bodies that do not fit wait unread.
   * @param projectOf project of a request; undefined for an unauthenticated caller
   */
  before(limits: RouteLimits, projectOf: (request: FastifyRequest) => string | undefined) {
    return (request: FastifyRequest, reply: FastifyReply, source: Readable, done: BodyCallback): void => {
      const size = this.#sizeOf(request.headers, limits);
      // If the body could not be read, the request has been refused by now and sends nothing more.
      if (size > 0 && request.raw.socket.writable)
        this.#admit({ ...limits, request, reply, source, projectId: projectOf(request) }, size, done);
      else done(null, source);
    };
  }

  #admit(arriving: Arriving, size: number, done: BodyCallback): void {
    const { request, reply, projectId } = arriving;
    const held: HeldBody = { isHandled: false, isOver: false, releases: [] };
    this.#held.set(request, held);
    reply.raw.once('close', () => {
      if (!held.isHandled) this.release(request);
    });
    const go = (release: Release | undefined): void => {
      if (release === undefined) return void done(new EdgeError('too_many_bodies'));
      held.releases.push(release);
      done(null, this.#receive(arriving, held));
      // The client disconnected while it waited.
      if (held.isOver) this.release(request);
    };
    const room =
      projectId === undefined
        ? this.#ofStrangers.take(clientNetwork(request.ip), size)
        : this.#ofProjects.take(projectId, size);
    if (room instanceof Promise) void room.then(go);
    else go(room);
  }

  /** Marks the request as being handled: what its body holds is released when the handler ends. */
  handle(request: FastifyRequest): void {
    const held = this.#held.get(request);
    if (held !== undefined) held.isHandled = true;
  }

  release(request: FastifyRequest): void {
    const held = this.#held.get(request);
    if (held === undefined) return;
    held.isOver = true;
    for (const release of held.releases.splice(0)) release();
  }

  /** Bytes that a body reserves. A body refused for its announced size reserves none. */
  #sizeOf(headers: IncomingHttpHeaders, { bodyLimit, maxArrivingSize }: RouteLimits): number {
    const size = announcedSize(headers);
    if (Number.isFinite(size) && size > bodyLimit) return 0;
    // The rest of a streamed body is covered by a large-body slot.
    return Math.min(size, maxArrivingSize > 0 ? this.#settings.maxBodySize : bodyLimit);
  }

  #receive({ request, source, maxArrivingSize, projectId }: Arriving, held: HeldBody): Readable {
    if (maxArrivingSize === 0 || projectId === undefined) return source;
    const { body, release } = this.#large.receive(source, request.headers, maxArrivingSize, projectId);
    held.releases.push(release);
    return body;
  }
}
