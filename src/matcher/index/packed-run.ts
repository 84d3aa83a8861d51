import { ENDS } from '../analysis/positions.ts';
import type { CharSet } from '../ast.ts';
import { contains } from '../syntax/charset.ts';
import { COLUMN, HEAD, HEAD_SIZE, kindIn } from './bit-layout.ts';
import type { Symbols } from './symbols.ts';
import { OTHER } from './symbols.ts';

/** Cost of each pattern on each text, before its first character. */
export const BASE_COST = 112;
/** Cost of moving one word, and the extra cost per character if there are several words. */
export const WORD_COST = 3;
export const MOVE_COST = 8;
/**
 * Cost of a group of positions with equal jumps in a word with active jumps, and of each word that the group leads to.
 */
export const GROUP_COST = 3;
export const TARGET_COST = 3;
const NEWLINE = 10;
const MAX_WORDS = 64;

/** Looks up the sets of a layout by number. */
export type SetsOf = (number: number) => CharSet;

/** True if the empty match covers a text that is empty, or just a newline. */
export function matchesEmpty(emptyAtStart: number, { length, codes }: Symbols): boolean {
  if (length === 0) return (emptyAtStart & (ENDS.finalEnd | ENDS.end)) !== 0;
  return length === 1 && codes[0] === NEWLINE && (emptyAtStart & ENDS.finalEnd) !== 0;
}

/** Minimum cost of a text of `length` characters, whatever they are. */
export function minCost(data: Int32Array, at: number, length: number): number {
  const first = data[at + HEAD.firstWords]!;
  return BASE_COST + first * WORD_COST + length * data[at + HEAD.laterWords]! * WORD_COST;
}

/**
 * Runs a single layout over a text, moving only active words, so that the cost reflects how far the text really
 * matches.
 */
export class PackedRunner {
  /** Cost of the last run, which depends only on the pattern and the text. */
  cost = 0;
  private bits: Int32Array = new Int32Array(MAX_WORDS + 1);
  private next: Int32Array = new Int32Array(MAX_WORDS + 1);
  private readonly row = new Int32Array(MAX_WORDS);
  private data: Int32Array = new Int32Array(0);
  private at = 0;
  private words = 0;
  /** Number of words, from the first, that may hold an active position. */
  private active = 0;
  private sets: SetsOf = () => [];

  /** True if the layout at `at` matches. */
  run(data: Int32Array, at: number, sets: SetsOf, text: Symbols): boolean {
    this.cost = minCost(data, at, 0);
    if (data[at + HEAD.emptyLater] !== 0 || (data[at + HEAD.emptyAtStart]! & ENDS.always) !== 0) return true;
    if (text.length < 2 && matchesEmpty(data[at + HEAD.emptyAtStart]!, text)) return true;
    this.data = data;
    this.at = at;
    this.sets = sets;
    this.words = data[at + HEAD.words]!;
    return this.words === 1 && text.plain ? this.runWord(text) : this.runWords(text);
  }

  /** The common case: a layout of one word, and a text of symbols only. */
  private runWord({ symbols, length }: Symbols): boolean {
    const { data, at } = this;
    const column = at + HEAD_SIZE;
    const skip = data[column + COLUMN.skip]!;
    const jumping = data[column + COLUMN.jumping]!;
    const later = data[column + COLUMN.later]!;
    const always = data[column + COLUMN.always]!;
    const kinds = at + data[at + HEAD.kindsAt]!;
    const rows = at + data[at + HEAD.rowsAt]!;
    const laterCost = data[at + HEAD.laterWords]! * WORD_COST;
    let entry = data[column + COLUMN.first]!;
    let bits = 0;
    for (let i = 0; i < length; i++) {
      this.cost += laterCost + (bits === 0 ? 0 : WORD_COST);
      let enabled = ((bits & data[column]!) << 1) | (bits & data[column + COLUMN.loop]!) | entry;
      if ((bits & jumping) !== 0) enabled |= this.jumpWord(bits);
      enabled |= ((skip + (enabled & skip)) | 0) ^ skip;
      bits = enabled & data[rows + kindIn(data, kinds, symbols[i]!)]!;
      if ((bits & always) !== 0) return true;
      if ((bits | later) === 0) return false;
      entry = later;
    }
    return (bits & data[column + COLUMN.end]!) !== 0;
  }

  private jumpWord(bits: number): number {
    const { data } = this;
    const base = this.at + data[this.at + HEAD.groupsAt]!;
    let enabled = 0;
    for (let group = data[base]!; group < data[base + 1]!; group += 3) {
      this.cost += GROUP_COST;
      if ((bits & data[base + group]!) === 0) continue;
      this.cost += TARGET_COST;
      enabled |= data[base + data[base + group + 1]! + 1]!;
    }
    return enabled;
  }

  private runWords(text: Symbols): boolean {
    const { data, at, words } = this;
    const laterWords = data[at + HEAD.laterWords]!;
    const characterCost = laterWords * WORD_COST + (words === 1 ? 0 : MOVE_COST);
    this.bits.fill(0, 0, words);
    this.next.fill(0, 0, words);
    this.active = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.codes[i]!;
      if (code === NEWLINE && i === text.length - 1 && this.meets(COLUMN.finalEnd)) return true;
      this.cost += characterCost + this.active * WORD_COST;
      if (this.move(i === 0, text.symbols[i]!, code)) return true;
      if (this.active === 0 && laterWords === 0) return false;
    }
    return this.meets(COLUMN.end);
  }

  /** True if an active position is in the column. */
  private meets(column: number): boolean {
    const from = this.at + HEAD_SIZE + column * this.words;
    for (let w = 0; w < this.active; w++) if ((this.bits[w]! & this.data[from + w]!) !== 0) return true;
    return false;
  }

  /** Moves over one character. Returns true if a match ends after it regardless of the end of the text. */
  private move(first: boolean, symbol: number, code: number): boolean {
    const { data, at, words, active } = this;
    const jumped = active === 0 ? 0 : this.jump();
    const entered = data[at + (first ? HEAD.firstWords : HEAD.laterWords)]!;
    const least = Math.min(words, Math.max(active + 1, jumped, entered));
    const entries = first ? COLUMN.first : COLUMN.later;
    if (symbol === OTHER) return this.consume(entries, least, this.otherRow(code), 0);
    const kind = kindIn(data, at + data[at + HEAD.kindsAt]!, symbol);
    return this.consume(entries, least, data, at + data[at + HEAD.rowsAt]! + kind * words);
  }

  /** Takes the jumps out of the active positions. Returns the number of words they reach. */
  private jump(): number {
    const { data, bits, words } = this;
    const jumping = this.at + HEAD_SIZE + COLUMN.jumping * words;
    let reached = 0;
    for (let w = 0; w < this.active; w++) {
      const here = bits[w]! & data[jumping + w]!;
      if (here !== 0) reached = Math.max(reached, this.jumpFrom(w, here));
    }
    return reached;
  }

  private jumpFrom(w: number, here: number): number {
    const { data, next } = this;
    const base = this.at + data[this.at + HEAD.groupsAt]!;
    let reached = 0;
    for (let group = data[base + w]!; group < data[base + w + 1]!; group += 3) {
      this.cost += GROUP_COST;
      if ((here & data[base + group]!) === 0) continue;
      const to = data[base + group + 2]!;
      for (let target = data[base + group + 1]!; target < to; target += 2) {
        next[data[base + target]!]! |= data[base + target + 1]!;
      }
      this.cost += (to - data[base + group + 1]!) * (TARGET_COST / 2);
      reached = Math.max(reached, data[base + to - 2]! + 1);
    }
    return reached;
  }

  /**
   * Activates the positions that may consume the next character, according to its row. Optional positions can activate
   * words beyond `least`. Afterwards the words that were active are empty.
   */
  private consume(entries: number, least: number, rows: Int32Array, row: number): boolean {
    const { data, words, bits, next } = this;
    const shift = this.at + HEAD_SIZE;
    const loop = shift + COLUMN.loop * words;
    const skip = shift + COLUMN.skip * words;
    const always = shift + COLUMN.always * words;
    const entry = shift + entries * words;
    let carry = 0;
    let ended = 0;
    let active = 0;
    for (let w = 0; w < least || (carry !== 0 && w < words); w++) {
      const here = bits[w]!;
      bits[w] = 0;
      const moved = here & data[shift + w]!;
      const enabled = next[w]! | (moved << 1) | carry | (here & data[loop + w]!) | data[entry + w]!;
      const passing = data[skip + w]!;
      const sum = (passing >>> 0) + ((enabled & passing) >>> 0);
      carry = (moved >>> 31) | (sum > 0xffff_ffff ? 1 : 0);
      const taken = (enabled | ((sum | 0) ^ passing)) & rows[row + w]!;
      next[w] = taken;
      ended |= taken & data[always + w]!;
      if (taken !== 0) active = w + 1;
    }
    this.active = active;
    this.next = bits;
    this.bits = next;
    return ended !== 0;
  }

  /** The bits that may consume a character that is not a symbol, from checking each set. */
  private otherRow(code: number): Int32Array {
    const { data, at, row } = this;
    this.cost += data[at + HEAD.otherCost]!;
    row.fill(0, 0, this.words);
    addOtherRow(data, at, this.sets, code, row, 0);
    return row;
  }
}

/** Adds the bits of a layout that may consume a character that is not a symbol. */
export function addOtherRow(
  data: Int32Array,
  at: number,
  sets: SetsOf,
  code: number,
  row: Int32Array,
  from: number,
): void {
  const setsAt = at + data[at + HEAD.setsAt]!;
  const holds = Uint8Array.from({ length: data[at + HEAD.sets]! }, (_, i) =>
    contains(sets(i), code) ? 1 : 0,
  );
  const count = data[at + HEAD.positions]!;
  for (let p = 0; p < count; p++) {
    const set = (data[setsAt + (p >> 1)]! >>> ((p & 1) * 16)) & 0xffff;
    if (holds[set] === 1) row[from + (p >>> 5)]! |= 1 << (p & 31);
  }
}
