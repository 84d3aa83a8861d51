import { spend } from '../work.ts';
import { COLUMN } from './bit-layout.ts';
import { SYMBOLS } from './symbols.ts';
import type { Union } from './union.ts';
import { collect, costOf, step } from './union-step.ts';

export interface DfaState {
  readonly bits: Int32Array;
  /** Cost of the next character, with the patterns run individually. */
  readonly cost: number;
  /** Patterns that match whenever this state is reached. */
  readonly always: readonly number[];
  /** True if a pattern matches here, or would at the end of the text. */
  readonly ends: boolean;
  /** Its place in the table of moves: a positive integer. */
  readonly number: number;
}

/** Row length of the table of moves, which holds the number of the next state for each symbol, or 0 if unknown. */
export const STRIDE = SYMBOLS + 1;

/** Work to make a state, and the number of passes over its words that this takes. */
const STATE_WORK = 800;
const PASSES = 16;

/** Bytes of a state in addition to its words. */
const STATE_BYTES = 500;
const FIRST_STATES = 16;
const MIN_STATES = 16;

/** The states of a union that names have reached, cached for later names. All are dropped when there are too many. */
export class LazyDfa {
  readonly union: Union;
  origin: DfaState;
  /** States made since all were last dropped. */
  made = 0;
  /** The table of moves. Free names touch nothing else. */
  moves = new Int32Array(0);
  /** Cost of each state by number; infinite if a pattern matches whatever follows. */
  weights = new Float64Array(0);
  private numbered: DfaState[] = [];
  private readonly states = new Map<number, DfaState[]>();
  private readonly maxBytes: number;
  private count = 0;
  private scratch: Int32Array;

  /** @param maxBytes maximum size of the states, in bytes */
  constructor(union: Union, maxBytes: number) {
    this.union = union;
    this.maxBytes = maxBytes;
    this.scratch = new Int32Array(union.words);
    this.origin = this.state(new Int32Array(union.words));
  }

  /** True if the next new state would cause all others to be dropped. */
  get full(): boolean {
    return this.count > MIN_STATES && this.size > this.maxBytes;
  }

  /** Size of the cached states, in bytes. */
  get size(): number {
    return this.count * (this.union.words * 4 + STATE_BYTES);
  }

  forget(): void {
    this.states.clear();
    this.count = 0;
    this.made = 0;
    this.numbered = [];
    this.moves = new Int32Array(0);
    this.weights = new Float64Array(0);
    this.scratch = new Int32Array(this.union.words);
    this.origin = this.state(new Int32Array(this.union.words));
  }

  /** The state after a character, made if it is new. */
  after(state: DfaState, symbol: number, code: number): DfaState {
    if (symbol === SYMBOLS) return this.make(state, symbol, code);
    const at = state.number * STRIDE + symbol;
    const known = this.moves[at]!;
    if (known > 0) return this.stateAt(known);
    const made = this.make(state, symbol, code);
    this.moves[at] = made.number;
    return made;
  }

  stateAt(number: number): DfaState {
    return this.numbered[number]!;
  }

  private make(state: DfaState, symbol: number, code: number): DfaState {
    spend(STATE_WORK + PASSES * this.union.words + 4 * state.cost);
    const ended = step(this.union, state.bits, state === this.origin, symbol, code, this.scratch);
    return this.intern(ended);
  }

  private intern(ended: boolean): DfaState {
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

  private state(bits: Int32Array, ended = false): DfaState {
    const { union } = this;
    const always = new Set<number>();
    if (ended) collect(union, bits, COLUMN.always, always);
    const ends = anyIn(bits, union.data, union.column(COLUMN.end), union.words);
    const number = Math.max(1, this.numbered.length);
    const state = { bits, cost: costOf(union, bits), always: [...always], ends, number };
    this.numbered[number] = state;
    this.reach(number);
    this.weights[number] = always.size > 0 ? Number.POSITIVE_INFINITY : state.cost;
    return state;
  }

  /** Grows the tables to fit a state. */
  private reach(number: number): void {
    if (number < this.weights.length) return;
    const moves = new Int32Array((number + FIRST_STATES) * 2 * STRIDE);
    const weights = new Float64Array((number + FIRST_STATES) * 2);
    moves.set(this.moves);
    weights.set(this.weights);
    this.moves = moves;
    this.weights = weights;
  }
}

function anyIn(bits: Int32Array, data: Int32Array, from: number, words: number): boolean {
  for (let w = 0; w < words; w++) if ((bits[w]! & data[from + w]!) !== 0) return true;
  return false;
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
