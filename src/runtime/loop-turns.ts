import { FairQueue } from './fair-queue.ts';

/** A round of the event loop that takes longer than this, in milliseconds, delays others. */
const LONG_ROUND_MS = 4;
const SHORT_ROUND_MS = 2;
/** Bounds of the number of requests per owner that start in one round: the longer rounds take, the fewer. */
const MAX_OF_OWNER = 64;
const MIN_OF_OWNER = 8;
/** The number of requests that start in a round is limited to those of this many owners. */
const OWNERS = 8;
/** Long work leaves others half of the time until this long after their last request, in milliseconds. */
const ACTIVE_MS = 100;
/** Maximum pause between two pieces of long work, in milliseconds. */
const MAX_PAUSE_MS = 50;
/** Length of a piece of long work, in milliseconds: while its caller is alone, and while others send requests. */
const PIECE_MS = 4;
const PIECE_BESIDE_OTHERS_MS = 1;
/** How long a round waits while new connections are accepted, in milliseconds. */
const ACCEPTING_MS = 4;

/** The owner and caller that a request counts for. */
export interface TurnOwner {
  /** One of the keys by which the requests of a caller are counted. */
  readonly owner: string;
  /** The project, or the address of an unauthenticated client. */
  readonly caller: string;
}

interface WorkPiece {
  /** The project that sent the request. */
  readonly caller: string | undefined;
  readonly begin: () => void;
}

/** A caller, and the round in which its last request arrived. */
interface Active {
  readonly caller: string;
  at: number;
}

/**
 * Shares the event loop. A limited number of requests per owner starts in each round; the rest wait, and owners take
 * turns. One piece of long work runs per round, with owners in turn, too. While others send requests, a caller's next
 * piece waits as long as the last one took: a request needs several rounds, and should be delayed by one piece at
 * most.
 */
export class LoopTurns {
  readonly #requests = new FairQueue<{ readonly owner: string; readonly begin: () => void }>();
  readonly #pieces = new FairQueue<WorkPiece>();
  readonly #now: () => number;
  readonly #nextRound: (begin: () => void) => void;
  readonly #later: (begin: () => void, milliseconds: number) => void;
  /** Requests that started in this round, and those that wait, by owner. */
  readonly #begun = new Map<string, number>();
  readonly #waiting = new Map<string, number>();
  #allBegun = 0;
  #piecesWaiting = 0;
  #piecesBegun = 0;
  #maxOfOwner = MAX_OF_OWNER;
  #roundBegan = 0;
  #isRunning = false;
  /** True if a piece runs in this round. */
  #hasPiece = false;
  #pieceCaller: string | undefined;
  #pausesUntil = 0;
  #isPausing = false;
  /** True if a connection was accepted since the last turn of the event loop. */
  #hasAccepted = false;
  /** When the next round began to wait for connections, and how long the one before it took. */
  #accepting: { readonly since: number; readonly took: number } | undefined;
  /** The last two callers. */
  #latest: Active = { caller: '', at: Number.NEGATIVE_INFINITY };
  #latestOther: Active = this.#latest;

  /**
   * @param now returns milliseconds
   * @param nextRound calls the function in the next round of the event loop
   * @param later calls the function after the given number of milliseconds
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

  /** In milliseconds. */
  now(): number {
    return this.#now();
  }

  /** How long a piece of the caller's long work may take, in milliseconds. */
  pieceFor(caller?: string): number {
    return this.#hasOthers(caller, this.#now()) ? PIECE_BESIDE_OTHERS_MS : PIECE_MS;
  }

  /** When work of the caller that begins now should yield, in milliseconds. Within its piece, what that has done counts. */
  pieceEnd(caller?: string): number {
    const isWithin = this.#hasPiece && caller !== undefined && this.#pieceCaller === caller;
    return isWithin ? this.#roundBegan + this.pieceFor(caller) : this.#now() + PIECE_MS;
  }

  /**
   * Waits until a request may start.
   * @returns undefined if it may start at once
   */
  take({ owner, caller }: TurnOwner): Promise<void> | undefined {
    this.#run();
    this.#noteCaller(caller);
    if (this.#accepting === undefined && !this.#waiting.has(owner) && this.#hasCapacity(owner)) {
      this.#begin(owner);
      return undefined;
    }
    count(this.#waiting, owner, 1);
    return new Promise((begin) => this.#requests.add(owner, { owner, begin }));
  }

  /**
   * Waits until the next piece of long work may start.
   * @param caller the project that sent the request. Without it, other requests do not delay the piece: others may be
   * waiting for it.
   */
  takeNext(caller?: string): Promise<void> {
    this.#run();
    this.#piecesWaiting += 1;
    this.#piecesBegun += 1;
    const owner = caller ?? `piece ${this.#piecesBegun}`;
    return new Promise((begin) => this.#pieces.add(owner, { caller, begin }));
  }

  /**
   * Waits until the next piece of work may start, if others have sent requests of late.
   * @returns undefined if it may start at once
   */
  takeBesideOthers(caller: string): Promise<void> | undefined {
    return this.#hasOthers(caller, this.#now()) ? this.takeNext(caller) : undefined;
  }

  /**
   * Notes a new connection. libuv accepts one in each turn of the event loop, so that behind a thousand others, and with
   * turns of some milliseconds, a new one would wait for seconds.
   */
  noteAccepted(): void {
    this.#hasAccepted = true;
  }

  #hasCapacity(owner: string): boolean {
    return (this.#begun.get(owner) ?? 0) < this.#maxOfOwner && this.#allBegun < OWNERS * this.#maxOfOwner;
  }

  #begin(owner: string): void {
    count(this.#begun, owner, 1);
    this.#allBegun += 1;
  }

  /** Runs round after round while anything waits, until the last work to start has ended its round. */
  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#roundBegan = this.#now();
    this.#nextRound(() => this.#round());
  }

  /** True if the round has to wait after a long one, as there may be more connections to accept. */
  #isAccepting(now: number): boolean {
    if (!this.#hasAccepted) return false;
    this.#hasAccepted = false;
    const took = now - this.#roundBegan;
    if (this.#accepting === undefined && took < SHORT_ROUND_MS) return false;
    this.#accepting ??= { since: now, took };
    return now - this.#accepting.since < ACCEPTING_MS;
  }

  #round(): void {
    const now = this.#now();
    if (this.#isAccepting(now)) return void this.#nextRound(() => this.#round());
    const { took } = this.#accepting ?? { took: now - this.#roundBegan };
    this.#accepting = undefined;
    this.#adapt(took);
    if (this.#hasPiece) this.#pausesUntil = now + Math.min(took, MAX_PAUSE_MS);
    this.#begun.clear();
    this.#allBegun = 0;
    this.#isRunning = false;
    this.#beginRequests();
    const isPausing = now < this.#pausesUntil;
    const piece = this.#pieces.take(({ caller }) => !isPausing || !this.#hasOthers(caller, now));
    this.#hasPiece = piece !== undefined;
    if (piece !== undefined) {
      this.#piecesWaiting -= 1;
      this.#pieceCaller = piece.caller;
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

  /** True if another caller has sent a request within ACTIVE_MS. */
  #hasOthers(caller: string | undefined, now: number): boolean {
    if (caller === undefined) return false;
    const { at } = this.#latest.caller === caller ? this.#latestOther : this.#latest;
    return now - at < ACTIVE_MS;
  }

  #adapt(milliseconds: number): void {
    if (milliseconds > LONG_ROUND_MS) this.#maxOfOwner = Math.max(MIN_OF_OWNER, this.#maxOfOwner / 2);
    else if (milliseconds < SHORT_ROUND_MS) this.#maxOfOwner = Math.min(MAX_OF_OWNER, this.#maxOfOwner * 2);
  }

  #beginRequests(): void {
    for (;;) {
      const next = this.#requests.take(undefined, (owner) => this.#hasCapacity(owner));
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
