import { within } from '../work.ts';
import { COLUMN, HEAD } from './bit-layout.ts';
import { type DfaState, LazyDfa, STRIDE } from './lazy-dfa.ts';
import { matchesEmpty } from './packed-run.ts';
import { OTHER, type Symbols, symbolOf } from './symbols.ts';
import type { Union } from './union.ts';
import { collect, costOf, step } from './union-step.ts';

const NEWLINE = 10;
/** In units of work: for a character over cached states, a word moved, and a run of any kind. */
const MOVE_WORK = 4;
const WORD_WORK = 4;
const RUN_WORK = 500;
/** A cache whose states are used less often than this, on average, is not worth keeping. */
const WORTHWHILE = 2;
const FAIR_TRIAL = 200;

/** The result for a text. */
export interface UnionOutcome {
  readonly matched: Set<number>;
  /** Cost if the members ran individually, whatever is cached here. */
  cost: number;
  /** Actual work. */
  work: number;
}

/**
 * Runs texts through a union: over cached states while that pays off, otherwise word by word. Both give the same
 * matches and the same cost.
 */
export class UnionRun {
  readonly union: Union;
  private readonly maxBytes: number;
  private dfa: LazyDfa | undefined;
  private moves = 0;
  private asleep = 0;
  private nap = 64;

  /** @param maxBytes maximum memory for the states that names reach, in bytes */
  constructor(union: Union, maxBytes: number) {
    this.union = union;
    this.maxBytes = maxBytes;
  }

  /** In bytes. */
  get size(): number {
    return this.union.size + (this.dfa?.size ?? 0) + 500;
  }

  /** Drops the cache. To be called after a change of the union. */
  forget(): void {
    this.dfa = undefined;
    this.moves = 0;
  }

  /** Undefined if the actual work would exceed `allowance`; nothing is known then. */
  run(text: Symbols, allowance: number): UnionOutcome | undefined {
    const { costs, matchAll } = this.union;
    const outcome = { matched: new Set(matchAll), cost: costs.base, work: RUN_WORK };
    outcome.cost += costs.character * text.length;
    if (this.asleep > 0) this.asleep--;
    const made = within(allowance - MOVE_WORK * text.length, () => {
      return this.asleep > 0 ? this.runWords(text, allowance, outcome) : this.runStates(text, outcome);
    });
    if (made?.value === undefined) return undefined;
    outcome.work += made.units;
    collect(this.union, made.value, COLUMN.end, outcome.matched);
    if (text.length < 2) this.addEmpty(text, outcome);
    return outcome;
  }

  /** True if the cached states already show that nothing matches, within the budget. False means unknown. */
  surelyMisses(text: string, budget: number): boolean {
    const { union, dfa } = this;
    if (dfa === undefined || union.matchAll.size > 0 || text.length < 2) return false;
    const { moves, weights } = dfa;
    let state = dfa.origin.number;
    let cost = union.costs.base + union.costs.character * text.length;
    for (let i = 0; i < text.length; i++) {
      cost += weights[state]!;
      state = moves[state * STRIDE + symbolOf(text.charCodeAt(i))]!;
      if (state === 0) return false;
    }
    // The last state costs nothing, but a pattern may match in it.
    return cost + weights[state]! < Number.POSITIVE_INFINITY && cost <= budget && !dfa.stateAt(state).ends;
  }

  private addEmpty(text: Symbols, outcome: UnionOutcome): void {
    for (const [key, { layout }] of this.union.members) {
      if (matchesEmpty(layout.data[HEAD.emptyAtStart]!, text)) outcome.matched.add(key);
    }
  }

  private runStates(text: Symbols, outcome: UnionOutcome): Int32Array {
    this.dfa ??= new LazyDfa(this.union, this.maxBytes);
    const { dfa } = this;
    if (dfa.full) this.evict(dfa);
    let state = dfa.origin;
    for (let i = 0; i < text.length; i++) state = this.move(dfa, state, text, i, outcome);
    this.moves += text.length;
    outcome.work += text.length * MOVE_WORK;
    if (dfa.made > FAIR_TRIAL && this.moves < dfa.made * WORTHWHILE) this.evict(dfa);
    return state.bits;
  }

  private move(dfa: LazyDfa, state: DfaState, text: Symbols, i: number, outcome: UnionOutcome): DfaState {
    const symbol = text.symbols[i]!;
    if (symbol === OTHER) this.meetOther(state.bits, text, i, outcome);
    outcome.cost += state.cost;
    const next = dfa.after(state, symbol, text.codes[i]!);
    for (const key of next.always) outcome.matched.add(key);
    return next;
  }

  private runWords(text: Symbols, allowance: number, outcome: UnionOutcome): Int32Array | undefined {
    const { union } = this;
    outcome.work += union.words * text.length * WORD_WORK;
    let bits = new Int32Array(union.words);
    let next = new Int32Array(union.words);
    for (let i = 0; i < text.length && outcome.work <= allowance; i++) {
      const symbol = text.symbols[i]!;
      if (symbol === OTHER) this.meetOther(bits, text, i, outcome);
      const cost = costOf(union, bits);
      outcome.cost += cost;
      outcome.work += 2 * cost;
      const ended = step(union, bits, i === 0, symbol, text.codes[i]!, next);
      if (ended) collect(union, next, COLUMN.always, outcome.matched);
      [bits, next] = [next, bits];
    }
    return outcome.work <= allowance ? bits : undefined;
  }

  /** A character that no canonical name contains. A match may end before a final newline. */
  private meetOther(bits: Int32Array, { length, codes }: Symbols, i: number, outcome: UnionOutcome): void {
    outcome.cost += this.union.costs.other;
    const last = i === length - 1;
    if (last && codes[i] === NEWLINE) collect(this.union, bits, COLUMN.finalEnd, outcome.matched);
  }

  private evict(dfa: LazyDfa): void {
    if (this.moves < dfa.made * WORTHWHILE) {
      this.asleep = this.nap;
      this.nap = Math.min(this.nap * 2, 1 << 16);
    } else this.nap = 64;
    dfa.forget();
    this.moves = 0;
  }
}
