/** Yields to the event loop, in work that takes longer than a few milliseconds. */
export const yieldTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** How long a turn of work is, in milliseconds. */
const TURN = 4;

const waiting: (() => void)[] = [];

function giveNext(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(giveNext);
}

/** Waits for the event loop to come round once for each that waited before: no two have a turn in one round. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveNext);
  });
}

/**
 * Work that takes turns by time, because what one piece of it takes depends on what a client sent.
 * @param now in milliseconds
 */
export class Turns {
  readonly #now: () => number;
  readonly #next: () => Promise<void>;
  #until: number;

  constructor(now: () => number = () => performance.now(), next = nextTurn) {
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
    await this.#next();
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
