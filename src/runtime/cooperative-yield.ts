import { LoopTurns, type TurnOwner } from './loop-turns.ts';
import { RoundShare } from './round-share.ts';

/** Yields to the event loop, for work that takes longer than a few milliseconds. */
export const cooperativeYield = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Requests and pieces of long work share the event loop of their thread. */
const loop = new LoopTurns();

/**
 * Waits for the turn of a request, or of one of its steps.
 * @returns undefined if it may start at once
 */
export const requestTurn = (owner: TurnOwner): Promise<void> | undefined => loop.take(owner);

/**
 * Waits for the next turn of long work. One piece of long work runs per round of the event loop.
 * @param project the project that sent the request
 */
export const nextTurn = (project?: string): Promise<void> => loop.takeNext(project);

/**
 * Waits for the next turn of work that is not long, but that requests over HTTP should not wait for often.
 * @param caller the project, or the address of an unauthenticated client
 * @returns undefined if it may start at once, as nobody else sends requests
 */
export const turnBesideOthers = (caller: string): Promise<void> | undefined => loop.takeBesideOthers(caller);

/** Notes a new connection, so that others are accepted before much else is done. */
export const noteAccepted = (): void => loop.noteAccepted();

/** Where turns come from. */
export type TurnSource = Pick<LoopTurns, 'now' | 'pieceEnd' | 'pieceFor' | 'takeNext'>;

/** Mostly short work of one kind: at once, until it has used up its share of this round of the event loop; then in turns. */
export class ShortWork {
  readonly #share: RoundShare;

  /** @param maxMs maximum time in one round before work waits for turns, in milliseconds */
  constructor(maxMs: number) {
    this.#share = new RoundShare(maxMs);
  }

  /**
   * Runs a piece of the work. Time that it spends waiting does not count.
   * @param caller the project that sent the request, or the address of an unauthenticated client
   */
  async do<T>(caller: string, work: () => T | Promise<T>): Promise<T> {
    if (this.#share.isUsedUp) await nextTurn(caller);
    return this.#share.do(work);
  }
}

/** Long work in timed turns, for work whose duration depends on client input. */
export class TimeSlices {
  readonly #project: string | undefined;
  readonly #loop: TurnSource;
  #until: number;

  /**
   * @param project the project that sent the request; undefined for work of the service and in transactions, which
   * others may wait for
   */
  constructor(project?: string, source: TurnSource = loop) {
    this.#project = project;
    this.#loop = source;
    this.#until = source.pieceEnd(project);
  }

  /** True if the work should yield. Reads the clock. */
  get isOver(): boolean {
    return this.#loop.now() >= this.#until;
  }

  /** Yields and waits for the next turn. */
  async next(): Promise<void> {
    await this.#loop.takeNext(this.#project);
    this.#until = this.#loop.now() + this.#loop.pieceFor(this.#project);
  }
}

/** Calls the function for each item, yielding between turns. */
export async function eachInTurns<T>(
  items: Iterable<T>,
  work: (item: T) => void,
  turns = new TimeSlices(),
): Promise<void> {
  for (const item of items) {
    work(item);
    if (turns.isOver) await turns.next();
  }
}
