import type { CharSet } from '../ast.ts';
import { ASCII_WORD, wordCharacters } from '../syntax/unicode.ts';
import { Alphabet, END } from './alphabet.ts';
import type { SearchResult, StepBudget } from './budget.ts';
import type { Instructions } from './instructions.ts';
import { OP, STRIDE } from './instructions.ts';
import type { Text } from './text.ts';

/**
 * A deterministic automaton for a program without calls, built as texts need it. A state is the set of instructions
 * that wait for the next character, and what anchors have to know of the one before. What is built is kept up to a
 * bound; steps are counted as if nothing had been kept.
 */

const NEWLINE_SET: CharSet = [10, 10];

/** What anchors know of the character before. */
const BEFORE = { start: 1, newline: 2, word: 4, asciiWord: 8 };

const MAX_KEPT = 200_000;

interface State {
  /** Character instructions, and those that stand before one. */
  readonly waiting: Int32Array;
  readonly before: number;
  /** By letter. */
  readonly next: (State | undefined)[];
  readonly costs: number[];
}

const MATCHED: State = { waiting: new Int32Array(0), before: 0, next: [], costs: [] };
const DEAD: State = { waiting: new Int32Array(0), before: 0, next: [], costs: [] };

/** What anchors know of the character ahead. */
interface Ahead {
  readonly letter: number;
  /** A newline with nothing behind it. */
  readonly last: boolean;
}

export class Automaton {
  private readonly program: Instructions;
  private readonly alphabet: Alphabet;
  private readonly lookedAt: number;
  private readonly newlines: number;
  private states = new Map<string, State>();
  private kept = 0;
  private readonly marks: Int32Array;
  private mark = 0;
  private remaining = 0;
  private readonly pending: number[] = [];

  constructor(program: Instructions) {
    this.program = program;
    this.newlines = program.sets.length;
    this.lookedAt = knowledgeNeeded(program);
    const anchorSets = this.lookedAt === 0 ? [] : [NEWLINE_SET, wordCharacters(), ASCII_WORD];
    this.alphabet = new Alphabet([...program.sets, ...anchorSets]);
    this.marks = new Int32Array(program.code.length / STRIDE);
  }

  search(text: Text, budget: StepBudget): SearchResult {
    this.remaining = budget.remaining;
    let state = this.state([0], BEFORE.start & this.lookedAt);
    for (let at = 0; at <= text.length && state.waiting.length > 0 && this.remaining > 0; at++) {
      state = this.follow(state, text, at);
    }
    budget.remaining = Math.max(this.remaining, 0);
    if (this.remaining <= 0) return 'exhausted';
    return state === MATCHED ? 'match' : 'miss';
  }

  private follow(state: State, text: Text, at: number): State {
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

  private state(waiting: number[], before: number): State {
    const key = `${before} ${waiting.join(' ')}`;
    const known = this.states.get(key);
    if (known !== undefined) return known;
    const state: State = { waiting: Int32Array.from(waiting), before, next: [], costs: [] };
    this.kept += waiting.length + 16;
    if (this.kept > MAX_KEPT) {
      this.states = new Map();
      this.kept = 0;
    }
    this.states.set(key, state);
    return state;
  }

  private step(state: State, ahead: Ahead): State {
    const membership = this.alphabet.memberships[ahead.letter] as Uint8Array;
    const waiting: number[] = [];
    this.mark++;
    let cost = 1;
    let matched = false;
    this.pending.push(...state.waiting);
    for (let pc = this.pending.pop(); pc !== undefined; pc = this.pending.pop()) {
      if (this.marks[pc / STRIDE] === this.mark) continue;
      this.marks[pc / STRIDE] = this.mark;
      cost++;
      matched ||= this.visit(pc, state.before, ahead, membership, waiting);
    }
    const next = matched ? MATCHED : this.after(waiting, ahead.letter, membership);
    if (!ahead.last) {
      state.next[ahead.letter] = next;
      state.costs[ahead.letter] = 1 + (cost >> 2);
      this.kept++;
    }
    return next;
  }

  private after(waiting: number[], letter: number, membership: Uint8Array): State {
    if (!this.program.anchored) waiting.push(0);
    if (waiting.length === 0 || letter === END) return DEAD;
    waiting.sort((a, b) => a - b);
    const at = this.newlines;
    const before =
      (membership[at] === 1 ? BEFORE.newline : 0) |
      (membership[at + 1] === 1 ? BEFORE.word : 0) |
      (membership[at + 2] === 1 ? BEFORE.asciiWord : 0);
    return this.state(waiting, before & this.lookedAt);
  }

  /** Follows one instruction without taking a character; answers whether it ends a match. */
  private visit(
    pc: number,
    before: number,
    ahead: Ahead,
    membership: Uint8Array,
    waiting: number[],
  ): boolean {
    const { code } = this.program;
    const a = code[pc + 1] as number;
    switch (code[pc]) {
      case OP.character:
        if (membership[a] === 1) waiting.push(pc + STRIDE);
        return false;
      case OP.jump:
        this.pending.push(a);
        return false;
      case OP.split:
        this.pending.push(code[pc + 2] as number, a);
        return false;
      case OP.anchor:
        if (this.anchorHolds(a, code[pc + 2] === 1, before, ahead)) this.pending.push(pc + STRIDE);
        return false;
      case OP.accept:
        return true;
      default:
        this.pending.push(pc + STRIDE);
        if (code[pc] === OP.roundEnd) this.pending.push(code[pc + 2] as number);
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

/** What the anchors of a program must know of the character before; not 0 if they must know of the one ahead. */
function knowledgeNeeded({ code }: Instructions): number {
  let needed = 0;
  for (let pc = 0; pc < code.length; pc += STRIDE) {
    if (code[pc] !== OP.anchor) continue;
    const word = BEFORE.start | (code[pc + 2] === 1 ? BEFORE.asciiWord : BEFORE.word);
    needed |= KNOWLEDGE[code[pc + 1] as number] ?? word;
  }
  return needed;
}
