/** Bounds the memory that bodies of requests take, of each project, of each stranger and in all. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientNetwork } from '../../addresses/networks.ts';
import { FairBudget } from '../../runtime/fair-budget.ts';
import type { Release } from '../../runtime/semaphore.ts';
import { EdgeError } from './errors.ts';
import { announcedSize, LargeBodies, type LargeBodySettings } from './large-bodies.ts';

export interface BodySettings extends LargeBodySettings {
  /** Of all bodies that are being read or handled, in bytes. */
  readonly maxTotalBodySize: number;
}

/** How long a body waits for room, in milliseconds. Meanwhile it is not read. */
const PATIENCE_MS = 10_000;
/** The system and the parser hold some 64 KiB of each body that waits. */
const MOST_WAITING = { inAll: 512, ofOwner: 64 };
/** Of the memory for all bodies, the part for callers who are not authenticated: one in so many. */
const STRANGERS = 8;
/** Whatever it comes to, two of them can log in, in bytes. */
const LEAST_OF_STRANGERS = 32_768;

/** The bounds of a route. In bytes. */
interface RouteLimits {
  /** What Fastify takes at most. */
  readonly bodyLimit: number;
  /** The most of a body that is read as it arrives; 0 where there is none. */
  readonly maxArrivingSize: number;
}

/** A request whose body is about to be read. */
interface Arriving extends RouteLimits {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly source: Readable;
  readonly projectId: string | undefined;
}

/** What a request holds until it is handled, or gone. */
interface Held {
  isHandled: boolean;
  isOver: boolean;
  readonly releases: Release[];
}

type Done = (error: Error | null, body?: Readable) => void;

function budgetOf(amount: number): FairBudget {
  return new FairBudget({ amount, patienceMs: PATIENCE_MS, mostWaiting: MOST_WAITING });
}

export class Bodies {
  readonly #settings: BodySettings;
  readonly #large: LargeBodies;
  readonly #ofProjects: FairBudget;
  readonly #ofStrangers: FairBudget;
  readonly #held = new WeakMap<FastifyRequest, Held>();

  constructor(settings: BodySettings) {
    this.#settings = settings;
    this.#large = new LargeBodies(settings);
    // The share of one project has room for one body at least.
    const total = Math.max(settings.maxTotalBodySize, 2 * settings.maxBodySize);
    this.#ofProjects = budgetOf(total);
    this.#ofStrangers = budgetOf(Math.max(LEAST_OF_STRANGERS, Math.ceil(total / STRANGERS)));
  }

  /**
   * Fastify's hook before it reads a body. A body takes its announced size, before anything of it is read; one of unknown size
   * takes the most that it may have. Those that do not fit wait, unread.
   * @param projectOf the project of a request; undefined for a stranger
   */
  before(limits: RouteLimits, projectOf: (request: FastifyRequest) => string | undefined) {
    return (request: FastifyRequest, reply: FastifyReply, source: Readable, done: Done): void => {
      const size = this.#sizeOf(request.headers, limits);
      // A request whose body could not be read has been refused by now, and sends nothing more.
      if (size > 0 && request.raw.socket.writable)
        this.#admit({ ...limits, request, reply, source, projectId: projectOf(request) }, size, done);
      else done(null, source);
    };
  }

  #admit(arriving: Arriving, size: number, done: Done): void {
    const { request, reply, projectId } = arriving;
    const held: Held = { isHandled: false, isOver: false, releases: [] };
    this.#held.set(request, held);
    reply.raw.once('close', () => {
      if (!held.isHandled) this.release(request);
    });
    const go = (release: Release | undefined): void => {
      if (release === undefined) return void done(new EdgeError('too_many_bodies'));
      held.releases.push(release);
      done(null, this.#receive(arriving, held));
      // The client went away while it waited.
      if (held.isOver) this.release(request);
    };
    const room =
      projectId === undefined
        ? this.#ofStrangers.take(clientNetwork(request.ip), size)
        : this.#ofProjects.take(projectId, size);
    if (room instanceof Promise) void room.then(go);
    else go(room);
  }

  /** The handler of the request begins: what its body holds is released when it ends. */
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

  /** The bytes that a body takes of the budget. One that is refused by its announced size takes none. */
  #sizeOf(headers: IncomingHttpHeaders, { bodyLimit, maxArrivingSize }: RouteLimits): number {
    const size = announcedSize(headers);
    if (Number.isFinite(size) && size > bodyLimit) return 0;
    // What arrives beyond it has a slot of the large bodies.
    return Math.min(size, maxArrivingSize > 0 ? this.#settings.maxBodySize : bodyLimit);
  }

  #receive({ request, source, maxArrivingSize, projectId }: Arriving, held: Held): Readable {
    if (maxArrivingSize === 0 || projectId === undefined) return source;
    const { body, release } = this.#large.receive(source, request.headers, maxArrivingSize, projectId);
    held.releases.push(release);
    return body;
  }
}
