import { FairQueue } from './fair-queue.ts';

/** A round of the event loop that takes longer, in milliseconds, keeps others waiting. */
const LONG_ROUND_MS = 4;
const SHORT_ROUND_MS = 2;
/** Requests of one owner that begin in a round: the fewer, the longer rounds take. */
const MOST_OF_OWNER = 64;
const LEAST_OF_OWNER = 8;
/** Owners that may each begin so many of them. */
const OWNERS = 8;
/** How long after the last request of others long work leaves them half of the time, in milliseconds. */
const ACTIVE_MS = 100;
/** The longest pause between two pieces of long work, in milliseconds. */
const MOST_PAUSE_MS = 50;

/** For whom a request is counted. */
export interface TurnOwner {
  /** One of those for which the requests of the caller are counted. */
  readonly owner: string;
  /** The project, or the address of a stranger. */
  readonly caller: string;
}

interface Piece {
  /** The project whose request it is part of. */
  readonly caller: string | undefined;
  readonly begin: () => void;
}

/** The caller of a request, and the round in which it last began one. */
interface Active {
  readonly caller: string;
  at: number;
}

/**
 * Shares out the event loop. Of each owner, a number of requests begins in one round of the loop; further ones wait, and
 * owners take turns. Of long work one piece runs in a round, owners in turns, too. While others send requests, a caller's next
 * piece waits as long as the last one took: a request goes through several rounds, and should wait for one piece at most.
 */
export class LoopTurns {
  readonly #requests = new FairQueue<{ readonly owner: string; readonly begin: () => void }>();
  readonly #pieces = new FairQueue<Piece>();
  readonly #now: () => number;
  readonly #nextRound: (begin: () => void) => void;
  readonly #later: (begin: () => void, milliseconds: number) => void;
  /** By owner: the requests that have begun in this round, and those that wait. */
  readonly #begun = new Map<string, number>();
  readonly #waiting = new Map<string, number>();
  #allBegun = 0;
  #piecesWaiting = 0;
  #piecesBegun = 0;
  #mostOfOwner = MOST_OF_OWNER;
  #roundBegan = 0;
  #isRunning = false;
  /** Whether a piece runs in this round. */
  #hasPiece = false;
  #pausesUntil = 0;
  #isPausing = false;
  /** The last two callers. */
  #latest: Active = { caller: '', at: Number.NEGATIVE_INFINITY };
  #latestOther: Active = this.#latest;

  /**
   * @param now in milliseconds
   * @param nextRound calls the function in the next round of the event loop
   * @param later calls the function after so many milliseconds
   */
  constructor(
    now: () => number = () => performance.now(),
    nextRound: (begin: () => void) => void = setImmediate,
    later: (begin: () => void, milliseconds: number) => void = setTimeout,
  ) {
    this.#now = now;
    this.#nextRound = nextRound;
    this.#later = later;
  }

  /**
   * The turn of a request.
   * @returns undefined if it may begin at once
   */
  take({ owner, caller }: TurnOwner): Promise<void> | undefined {
    this.#run();
    this.#noteCaller(caller);
    if (!this.#waiting.has(owner) && this.#hasRoom(owner)) {
      this.#begin(owner);
      return undefined;
    }
    count(this.#waiting, owner, 1);
    return new Promise((begin) => this.#requests.add(owner, { owner, begin }));
  }

  /**
   * The turn of the next piece of long work.
   * @param caller the project whose request it is part of. Without one nobody else's requests delay it: others may wait for it.
   */
  takeNext(caller?: string): Promise<void> {
    this.#run();
    this.#piecesWaiting += 1;
    this.#piecesBegun += 1;
    const owner = caller ?? `piece ${this.#piecesBegun}`;
    return new Promise((begin) => this.#pieces.add(owner, { caller, begin }));
  }

  #hasRoom(owner: string): boolean {
    return (this.#begun.get(owner) ?? 0) < this.#mostOfOwner && this.#allBegun < OWNERS * this.#mostOfOwner;
  }

  #begin(owner: string): void {
    count(this.#begun, owner, 1);
    this.#allBegun += 1;
  }

  /** Goes on from round to round while anything waits, and until the round of what began last has ended. */
  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#roundBegan = this.#now();
    this.#nextRound(() => this.#round());
  }

  #round(): void {
    const now = this.#now();
    const took = now - this.#roundBegan;
    this.#adapt(took);
    if (this.#hasPiece) this.#pausesUntil = now + Math.min(took, MOST_PAUSE_MS);
    this.#begun.clear();
    this.#allBegun = 0;
    this.#isRunning = false;
    this.#beginRequests();
    const isPausing = now < this.#pausesUntil;
    const piece = this.#pieces.take(({ caller }) => !isPausing || !this.#hasOthers(caller, now));
    this.#hasPiece = piece !== undefined;
    if (piece !== undefined) {
      this.#piecesWaiting -= 1;
      piece.begin();
    }
    if (this.#allBegun > 0 || this.#waiting.size > 0 || piece !== undefined) this.#run();
    else if (this.#piecesWaiting > 0) this.#pause(this.#pausesUntil - now);
  }

  #pause(milliseconds: number): void {
    if (this.#isPausing) return;
    this.#isPausing = true;
    this.#later(() => {
      this.#isPausing = false;
      this.#run();
    }, milliseconds);
  }

  #noteCaller(caller: string): void {
    if (this.#latest.caller !== caller) {
      this.#latestOther = this.#latest;
      this.#latest = { caller, at: this.#roundBegan };
    }
    this.#latest.at = this.#roundBegan;
  }

  /** Whether anyone else has sent a request just now. */
  #hasOthers(caller: string | undefined, now: number): boolean {
    if (caller === undefined) return false;
    const { at } = this.#latest.caller === caller ? this.#latestOther : this.#latest;
    return now - at < ACTIVE_MS;
  }

  #adapt(milliseconds: number): void {
    if (milliseconds > LONG_ROUND_MS) this.#mostOfOwner = Math.max(LEAST_OF_OWNER, this.#mostOfOwner / 2);
    else if (milliseconds < SHORT_ROUND_MS)
      this.#mostOfOwner = Math.min(MOST_OF_OWNER, this.#mostOfOwner * 2);
  }

  #beginRequests(): void {
    for (;;) {
      const next = this.#requests.take(undefined, (owner) => this.#hasRoom(owner));
      if (next === undefined) return;
      count(this.#waiting, next.owner, -1);
      this.#begin(next.owner);
      next.begin();
    }
  }
}

function count(counts: Map<string, number>, owner: string, more: number): void {
  const left = (counts.get(owner) ?? 0) + more;
  if (left > 0) counts.set(owner, left);
  else counts.delete(owner);
}
