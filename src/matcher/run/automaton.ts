import type { CharSet } from '../ast.ts';
import { ASCII_WORD, wordCharacters } from '../syntax/unicode.ts';
import { Alphabet, END } from './alphabet.ts';
import type { SearchResult, StepBudget } from './budget.ts';
import type { Instructions } from './instructions.ts';
import { OP, STRIDE } from './instructions.ts';
import type { AutomatonState } from './states.ts';
import { makeState, StateTable } from './states.ts';
import type { Text } from './text.ts';

/**
 * A deterministic automaton for a program without calls, built on demand. A state is the set of instructions that wait
 * for the next character, plus what anchors need to know about the previous one. States are cached up to a limit; steps
 * are counted as if nothing were cached.
 */

const NEWLINE_SET: CharSet = [10, 10];

/** Facts about the previous character that anchors need. */
const BEFORE = { start: 1, newline: 2, word: 4, asciiWord: 8 };

const MATCHED = makeState(new Int32Array(0), 0);
const DEAD = makeState(new Int32Array(0), 0);

/** Facts about the next character that anchors need. */
interface Ahead {
  readonly letter: number;
  /** True for a newline that ends the text. */
  readonly last: boolean;
}

export class Automaton {
  private readonly program: Instructions;
  private readonly alphabet: Alphabet;
  private readonly lookedAt: number;
  private readonly newlines: number;
  private readonly states = new StateTable();
  /** By instruction: the closure in which it was last seen. */
  private readonly seen: Int32Array;
  private closure = 0;
  /** The instructions of the next state, one bit each. */
  private readonly arrivals: Uint32Array;
  private arrived = 0;
  /** Instructions that remain to be followed. */
  private readonly pending: Int32Array;
  private top = 0;
  private remaining = 0;

  constructor(program: Instructions) {
    this.program = program;
    this.newlines = program.sets.length;
    this.lookedAt = knowledgeNeeded(program);
    const anchorSets = this.lookedAt === 0 ? [] : [NEWLINE_SET, wordCharacters(), ASCII_WORD];
    this.alphabet = new Alphabet([...program.sets, ...anchorSets]);
    const size = program.code.length / STRIDE;
    this.seen = new Int32Array(size);
    this.arrivals = new Uint32Array((size >> 5) + 1);
    this.pending = new Int32Array(3 * size + 2);
  }

  search(text: Text, budget: StepBudget): SearchResult {
    this.remaining = budget.remaining;
    let state = this.states.find(Int32Array.of(0), BEFORE.start & this.lookedAt);
    for (let at = 0; at <= text.length && state.waiting.length > 0 && this.remaining > 0; at++) {
      state = this.advance(state, text, at);
    }
    budget.remaining = Math.max(this.remaining, 0);
    if (this.remaining <= 0) return 'exhausted';
    return state === MATCHED ? 'match' : 'miss';
  }

  private advance(state: AutomatonState, text: Text, at: number): AutomatonState {
    const letter = at < text.length ? this.alphabet.letterOf(text[at] as number) : END;
    const last = at === text.length - 1 && text[at] === 10;
    if (last) {
      this.remaining--;
      return this.step(state, { letter, last });
    }
    const next = state.next[letter] ?? this.step(state, { letter, last });
    this.remaining -= state.costs[letter] as number;
    return next;
  }

  private step(state: AutomatonState, ahead: Ahead): AutomatonState {
    const membership = this.alphabet.memberships[ahead.letter] as Uint8Array;
    this.closure++;
    this.pending.set(state.waiting);
    this.top = state.waiting.length;
    let cost = 0;
    let matched = false;
    while (this.top > 0 && !matched) {
      const pc = this.pending[--this.top] as number;
      if (this.seen[pc / STRIDE] === this.closure) continue;
      this.seen[pc / STRIDE] = this.closure;
      cost++;
      matched = this.visit(pc, state.before, ahead, membership);
    }
    const arrivals = this.takeArrivals();
    const next = matched ? MATCHED : this.after(arrivals, ahead.letter, membership);
    if (!ahead.last) {
      state.next[ahead.letter] = next;
      state.costs[ahead.letter] = 1 + (cost >> 1);
      this.states.count(2);
    }
    return next;
  }

  private arrive(pc: number): void {
    const index = pc / STRIDE;
    this.arrivals[index >> 5] = (this.arrivals[index >> 5] as number) | (1 << (index & 31));
    this.arrived++;
  }

  /** The instructions that were reached, in ascending order. */
  private takeArrivals(): Int32Array {
    if (!this.program.anchored) this.arrive(0);
    const out = new Int32Array(this.arrived);
    let length = 0;
    for (let word = 0; length < this.arrived; word++) {
      let bits = this.arrivals[word] as number;
      this.arrivals[word] = 0;
      for (; bits !== 0; bits &= bits - 1)
        out[length++] = (word * 32 + 31 - Math.clz32(bits & -bits)) * STRIDE;
    }
    this.arrived = 0;
    return out;
  }

  private after(arrivals: Int32Array, letter: number, membership: Uint8Array): AutomatonState {
    if (arrivals.length === 0 || letter === END) return DEAD;
    const at = this.newlines;
    const before =
      (membership[at] === 1 ? BEFORE.newline : 0) |
      (membership[at + 1] === 1 ? BEFORE.word : 0) |
      (membership[at + 2] === 1 ? BEFORE.asciiWord : 0);
    return this.states.find(arrivals, before & this.lookedAt);
  }

  private follow(pc: number): void {
    this.pending[this.top++] = pc;
  }

  /** Follows one instruction without consuming a character. Returns true if it ends a match. */
  private visit(pc: number, before: number, ahead: Ahead, membership: Uint8Array): boolean {
    const { code } = this.program;
    const a = code[pc + 1] as number;
    switch (code[pc]) {
      case OP.character:
        if (membership[a] === 1) this.arrive(pc + STRIDE);
        return false;
      case OP.jump:
        this.follow(a);
        return false;
      case OP.split:
        this.follow(code[pc + 2] as number);
        this.follow(a);
        return false;
      case OP.anchor:
        if (this.anchorHolds(a, code[pc + 2] === 1, before, ahead)) this.follow(pc + STRIDE);
        return false;
      case OP.accept:
        return true;
      default:
        this.follow(pc + STRIDE);
        if (code[pc] === OP.roundEnd) this.follow(code[pc + 2] as number);
        return false;
    }
  }

  private anchorHolds(kind: number, ascii: boolean, before: number, { letter, last }: Ahead): boolean {
    const membership = this.alphabet.memberships[letter] as Uint8Array;
    const start = (before & BEFORE.start) !== 0;
    switch (kind) {
      case 0:
        return start;
      case 1:
        return letter === END;
      case 2:
        return letter === END || last;
      case 3:
        return start || (before & BEFORE.newline) !== 0;
      case 4:
        return letter === END || membership[this.newlines] === 1;
      default:
        return !(start && letter === END) && this.isBoundary(ascii, before, membership) === (kind === 5);
    }
  }

  private isBoundary(ascii: boolean, before: number, membership: Uint8Array): boolean {
    const wordBefore = (before & (ascii ? BEFORE.asciiWord : BEFORE.word)) !== 0;
    const wordAhead = membership[this.newlines + (ascii ? 2 : 1)] === 1;
    return wordBefore !== wordAhead;
  }
}

const KNOWLEDGE = [BEFORE.start, 0, 0, BEFORE.start | BEFORE.newline, BEFORE.newline];

/** Facts about the previous character that the anchors of a program need; not 0 if they need the next one, too. */
function knowledgeNeeded({ code }: Instructions): number {
  let needed = 0;
  for (let pc = 0; pc < code.length; pc += STRIDE) {
    if (code[pc] !== OP.anchor) continue;
    const word = BEFORE.start | (code[pc + 2] === 1 ? BEFORE.asciiWord : BEFORE.word);
    needed |= KNOWLEDGE[code[pc + 1] as number] ?? word;
  }
  return needed;
}
