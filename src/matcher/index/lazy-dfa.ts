import { SYMBOLS } from './symbols.ts';
import type { Union } from './union.ts';
import { collect, jumpCost, step } from './union-step.ts';

export interface State {
  readonly bits: Int32Array;
  readonly jumpCost: number;
  /** The patterns that match wherever this state is reached. */
  readonly always: readonly number[];
  readonly next: (State | undefined)[];
}

const MOST_STATES = 2000;
const MOST_BYTES = 4 << 20;

/** The states of a union that names have led to, kept for the names to come; all forgotten when they are too many. */
export class LazyDfa {
  readonly union: Union;
  origin: State;
  /** States made so far, those forgotten included. */
  made = 0;
  private readonly states = new Map<number, State[]>();
  private count = 0;
  private scratch: Int32Array;

  constructor(union: Union) {
    this.union = union;
    this.scratch = new Int32Array(union.words);
    this.origin = this.state(new Int32Array(union.words));
  }

  /** Whether the next state would make the cache forget the others. */
  get full(): boolean {
    return this.count >= MOST_STATES || this.count * (this.union.words * 4 + 500) > MOST_BYTES;
  }

  forget(): void {
    this.states.clear();
    this.count = 0;
    this.scratch = new Int32Array(this.union.words);
    this.origin = this.state(new Int32Array(this.union.words));
  }

  /** The state behind a character, made when it is new. */
  after(state: State, symbol: number, code: number): State {
    if (symbol === SYMBOLS) return this.make(state, symbol, code);
    const known = state.next[symbol];
    if (known !== undefined) return known;
    const made = this.make(state, symbol, code);
    state.next[symbol] = made;
    return made;
  }

  private make(state: State, symbol: number, code: number): State {
    const entry = state === this.origin ? this.union.first : this.union.later;
    const ended = step(this.union, state.bits, entry, symbol, code, this.scratch);
    return this.intern(ended);
  }

  private intern(ended: boolean): State {
    const hash = hashOf(this.scratch);
    const same = this.states.get(hash);
    const known = same?.find((state) => equal(state.bits, this.scratch));
    if (known !== undefined) return known;
    const made = this.state(this.scratch.slice(), ended);
    if (same === undefined) this.states.set(hash, [made]);
    else same.push(made);
    this.count++;
    this.made++;
    return made;
  }

  private state(bits: Int32Array, ended = false): State {
    const always = new Set<number>();
    if (ended) collect(this.union, bits, this.union.always, always);
    return {
      bits,
      jumpCost: jumpCost(this.union, bits),
      always: [...always],
      next: new Array(SYMBOLS).fill(undefined),
    };
  }
}

function hashOf(bits: Int32Array): number {
  let hash = 0;
  for (let w = 0; w < bits.length; w++) {
    hash = Math.imul(hash ^ bits[w]!, 0x5bd1e995);
    hash ^= hash >>> 13;
  }
  return hash;
}

function equal(one: Int32Array, other: Int32Array): boolean {
  for (let w = 0; w < one.length; w++) if (one[w] !== other[w]) return false;
  return true;
}
