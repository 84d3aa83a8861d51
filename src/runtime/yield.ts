import { LoopTurns, type TurnOwner } from './loop-turns.ts';
import { RoundShare } from './round-share.ts';

/** Yields to the event loop, in work that takes longer than a few milliseconds. */
export const yieldTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** How long a turn of work is, in milliseconds. */
const TURN = 4;

/** Requests, and pieces of long work, share the event loop of their thread. */
const loop = new LoopTurns();

/**
 * The turn of a request, or of one of its steps.
 * @returns undefined if it may begin at once
 */
export const requestTurn = (owner: TurnOwner): Promise<void> | undefined => loop.take(owner);

/**
 * The next turn of long work; no two pieces of work have a turn in one round of the event loop.
 * @param project whose request it is
 */
export const nextTurn = (project?: string): Promise<void> => loop.takeNext(project);

const shortWork = new RoundShare();

/**
 * Does work that is mostly short: at once, or in a turn of the project's when such work has taken its share of this round
 * of the event loop.
 */
export async function doShort<T>(project: string, work: () => T | Promise<T>): Promise<T> {
  if (shortWork.isUsedUp) await nextTurn(project);
  return shortWork.do(work);
}

/** Work that takes turns by time, because what one piece of it takes depends on what a client sent. */
export class Turns {
  readonly #project: string | undefined;
  readonly #now: () => number;
  readonly #next: (project?: string) => Promise<void>;
  #until: number;

  /**
   * @param project whose request it is; undefined for work of the service, and in transactions, which others may wait for
   * @param now in milliseconds
   */
  constructor(project?: string, now: () => number = () => performance.now(), next = nextTurn) {
    this.#project = project;
    this.#now = now;
    this.#next = next;
    this.#until = now() + TURN;
  }

  /** Whether others should have their turn. Reads the clock. */
  get isOver(): boolean {
    return this.#now() >= this.#until;
  }

  /** Gives others their turn and waits for the next one. */
  async next(): Promise<void> {
    await this.#next(this.#project);
    this.#until = this.#now() + TURN;
  }
}

/** Calls the function for each item, a turn at a time. */
export async function eachInTurns<T>(
  items: Iterable<T>,
  work: (item: T) => void,
  turns = new Turns(),
): Promise<void> {
  for (const item of items) {
    work(item);
    if (turns.isOver) await turns.next();
  }
}
