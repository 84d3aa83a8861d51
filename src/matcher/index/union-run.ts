import { LazyDfa, type State } from './lazy-dfa.ts';
import { ENDS } from './positions.ts';
import { OTHER, symbolOf } from './symbols.ts';
import type { Union } from './union.ts';
import { collect, jumpCost, step } from './union-step.ts';

/** What every pattern costs on every text, before its first character. */
export const BASE_COST = 32;
const NEWLINE = 10;
/** What moving one word takes. */
const WORD_COST = 2;
/** A cache whose states are met less often than this, on average, is not worth keeping. */
const WORTHWHILE = 2;
const FAIR_TRIAL = 200;

/** The outcome of a text. `cost` depends on the patterns and the text alone, never on what is cached. */
export interface UnionOutcome {
  readonly matched: Set<number>;
  cost: number;
  /** What it really took. */
  work: number;
}

/**
 * Runs texts through a union: over cached states as long as that pays, else word by word. Both give the same
 * matches and the same cost.
 */
export class UnionRun {
  readonly union: Union;
  private readonly room: number;
  private dfa: LazyDfa | undefined;
  private moves = 0;
  private asleep = 0;
  private nap = 64;

  /** @param room In bytes: what may be kept of the states that names lead to. */
  constructor(union: Union, room: number) {
    this.union = union;
    this.room = room;
  }

  leastCost(length: number): number {
    return this.union.members.size * BASE_COST + this.union.liveWords * length * WORD_COST;
  }

  /** Forgets what is kept: to be called when the union has changed, or to save memory. */
  forget(): void {
    this.dfa = undefined;
    this.moves = 0;
  }

  /** Undefined when it would really take more work than `allowance`; nothing is known then. */
  run(codes: readonly number[], allowance: number): UnionOutcome | undefined {
    const { union } = this;
    const outcome = { matched: new Set(union.matchAll), cost: this.leastCost(codes.length), work: BASE_COST };
    if (this.asleep > 0) this.asleep--;
    const bits =
      this.asleep > 0 ? this.runWords(codes, allowance, outcome) : this.runStates(codes, allowance, outcome);
    if (bits === undefined) return undefined;
    collect(union, bits, union.end, outcome.matched);
    if (codes.length === 0 || (codes.length === 1 && codes[0] === NEWLINE))
      this.addEmpty(codes.length, outcome);
    return outcome;
  }

  /**
   * Whether it is known already, from the states that are kept, that nothing matches and how little that costs.
   * False says nothing.
   */
  surelyMisses(text: string, budget: number): boolean {
    const { union, dfa } = this;
    if (dfa === undefined || union.matchAll.size > 0 || text.length < 2) return false;
    let state: State | undefined = dfa.origin;
    let cost = this.leastCost(text.length);
    for (let i = 0; i < text.length; i++) {
      cost += state.jumpCost;
      state = state.next[symbolOf(text.charCodeAt(i))];
      if (state === undefined || state.always.length > 0) return false;
    }
    return !state.ends && cost <= budget;
  }

  private addEmpty(length: number, outcome: UnionOutcome): void {
    const enough = length === 0 ? ENDS.finalEnd | ENDS.end : ENDS.finalEnd;
    for (const { key, layout } of this.union.members.values()) {
      if ((layout.emptyAtStart & enough) !== 0) outcome.matched.add(key);
    }
  }

  private runStates(
    codes: readonly number[],
    allowance: number,
    outcome: UnionOutcome,
  ): Int32Array | undefined {
    this.dfa ??= new LazyDfa(this.union, this.room);
    const { dfa } = this;
    if (dfa.full) this.makeRoom(dfa);
    const before = dfa.work;
    let state = dfa.origin;
    for (let i = 0; i < codes.length; i++) {
      if (dfa.work - before > allowance) return undefined;
      state = this.move(dfa, state, codes, i, outcome);
    }
    this.moves += codes.length;
    outcome.work += codes.length + dfa.work - before;
    if (dfa.made > FAIR_TRIAL && this.moves < dfa.made * WORTHWHILE) this.makeRoom(dfa);
    return state.bits;
  }

  private move(
    dfa: LazyDfa,
    state: State,
    codes: readonly number[],
    i: number,
    outcome: UnionOutcome,
  ): State {
    const code = codes[i]!;
    const symbol = symbolOf(code);
    if (symbol === OTHER) this.meetOther(state.bits, codes, i, outcome);
    outcome.cost += state.jumpCost;
    const next = dfa.after(state, symbol, code);
    for (const key of next.always) outcome.matched.add(key);
    return next;
  }

  private runWords(
    codes: readonly number[],
    allowance: number,
    outcome: UnionOutcome,
  ): Int32Array | undefined {
    const { union } = this;
    if (union.words * codes.length * WORD_COST > allowance) return undefined;
    outcome.work += union.words * codes.length * WORD_COST;
    let bits = new Int32Array(union.words);
    let next = new Int32Array(union.words);
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i]!;
      const symbol = symbolOf(code);
      if (symbol === OTHER) this.meetOther(bits, codes, i, outcome);
      outcome.cost += jumpCost(union, bits);
      const ended = step(union, bits, i === 0 ? union.first : union.later, symbol, code, next);
      if (ended) collect(union, next, union.always, outcome.matched);
      [bits, next] = [next, bits];
    }
    return bits;
  }

  /** A character that no name has in its canonical form costs more; a newline at the end may end a match before it. */
  private meetOther(bits: Int32Array, codes: readonly number[], i: number, outcome: UnionOutcome): void {
    outcome.cost += this.union.liveWords * 4;
    const last = i === codes.length - 1;
    if (last && codes[i] === NEWLINE) collect(this.union, bits, this.union.finalEnd, outcome.matched);
  }

  private makeRoom(dfa: LazyDfa): void {
    if (this.moves < dfa.made * WORTHWHILE) {
      this.asleep = this.nap;
      this.nap = Math.min(this.nap * 2, 1 << 16);
    } else this.nap = 64;
    dfa.forget();
    this.moves = 0;
  }
}
