import { LoopTurns, type TurnOwner } from './loop-turns.ts';
import { RoundShare } from './round-share.ts';

/** Yields to the event loop, for work that takes longer than a few milliseconds. */
export const cooperativeYield = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Length of one turn of work, in milliseconds. */
const TURN = 4;

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

const shortWork = new RoundShare();

/**
 * Runs mostly short work: at once, or in a turn of the project if short work has used up its share of this round of
 * the event loop.
 */
export async function doShort<T>(project: string, work: () => T | Promise<T>): Promise<T> {
  if (shortWork.isUsedUp) await nextTurn(project);
  return shortWork.do(work);
}

/** Long work in timed turns, for work whose duration depends on client input. */
export class TimeSlices {
  readonly #project: string | undefined;
  readonly #now: () => number;
  readonly #next: (project?: string) => Promise<void>;
  #until: number;

  /**
   * @param project the project that sent the request; undefined for work of the service and in transactions, which
   * others may wait for
   * @param now returns milliseconds
   */
  constructor(project?: string, now: () => number = () => performance.now(), next = nextTurn) {
    this.#project = project;
    this.#now = now;
    this.#next = next;
    this.#until = now() + TURN;
  }

  /** True if the work should yield. Reads the clock. */
  get isOver(): boolean {
    return this.#now() >= this.#until;
  }

  /** Yields and waits for the next turn. */
  async next(): Promise<void> {
    await this.#next(this.#project);
    this.#until = this.#now() + TURN;
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
