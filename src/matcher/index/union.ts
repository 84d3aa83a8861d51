import { ENDS } from '../analysis/positions.ts';
import { spend } from '../work.ts';
import { type BitLayout, COLUMN, COLUMNS, HEAD, HEAD_SIZE, kindOf } from './bit-layout.ts';
import { addOtherRow, BASE_COST, MOVE_COST, WORD_COST } from './packed-run.ts';
import { SYMBOLS } from './symbols.ts';

interface UnionMember {
  readonly layout: BitLayout;
  readonly from: number;
}

/** The columns of a union: those of layouts, then a row for each symbol with the bits that may consume it. */
const ROWS = COLUMNS;
const WIDTH = COLUMNS + SYMBOLS;
const MAX_OTHER_ROWS = 64;
/** In units of work, for each position of a member when the row of a character is made. */
const OTHER_ROW_WORK = 20;

/**
 * Many regular patterns side by side in the words of one automaton, which move through a text together. Members can be
 * added and removed without a rebuild, because each has its own words.
 */
export class Union {
  words = 0;
  /** All columns, with `capacity` numbers each. */
  data = new Int32Array(WIDTH * 2);
  capacity = 2;
  /** Number of positions with followers that no column covers. */
  jumpers = 0;
  /** The layout of each word, and the first word of that layout. */
  readonly layouts: (Int32Array | undefined)[] = [];
  readonly bases: number[] = [];
  /** The key of the pattern of each word; 0 if the word is unused. */
  readonly owners: number[] = [];
  readonly members = new Map<number, UnionMember>();
  /** Patterns that match the empty string everywhere, and those that match it at the start. */
  readonly matchAll = new Set<number>();
  /** Cost of a text before its first character, of each character, and of each character that is not a symbol. */
  readonly costs = { base: 0, character: 0, other: 0 };
  private layoutBytes = 0;
  private positions = 0;
  private readonly otherRows = new Map<number, Int32Array>();
  private readonly vacant: number[] = [];

  /** In bytes, without what is cached for names. */
  get size(): number {
    return this.data.byteLength + this.layoutBytes + this.words * 40 + this.members.size * 300;
  }

  add(key: number, layout: BitLayout): void {
    const { data } = layout;
    const words = data[HEAD.words]!;
    spend(words * WIDTH * 2);
    const from = this.claim(words);
    this.members.set(key, { layout, from });
    for (let w = 0; w < words; w++) this.write(from, w, key, data);
    this.count(layout, 1);
    if (data[HEAD.emptyLater] !== 0 || (data[HEAD.emptyAtStart]! & ENDS.always) !== 0) this.matchAll.add(key);
    this.otherRows.clear();
  }

  remove(key: number): void {
    const member = this.members.get(key);
    if (member === undefined) return;
    this.members.delete(key);
    this.matchAll.delete(key);
    const { from, layout } = member;
    this.count(layout, -1);
    const words = layout.data[HEAD.words]!;
    for (let w = from; w < from + words; w++) {
      for (let column = 0; column < WIDTH; column++) this.data[column * this.capacity + w] = 0;
      this.owners[w] = 0;
      this.layouts[w] = undefined;
      if (words === 1) this.vacant.push(w);
    }
    this.otherRows.clear();
  }

  /** The bits that may consume a character that is not a symbol. */
  rowOf(code: number): Int32Array {
    let row = this.otherRows.get(code);
    if (row === undefined) {
      spend(this.positions * OTHER_ROW_WORK);
      row = new Int32Array(this.words);
      for (const { layout, from } of this.members.values()) {
        addOtherRow(layout.data, 0, (number) => layout.sets[number]!, code, row, from);
      }
      if (this.otherRows.size >= MAX_OTHER_ROWS) this.otherRows.clear();
      this.otherRows.set(code, row);
    }
    return row;
  }

  /** Offset of a column in `data`. */
  column(column: number): number {
    return column * this.capacity;
  }

  rowAt(symbol: number): number {
    return (ROWS + symbol) * this.capacity;
  }

  /** Adds the cost of a member to the total, or subtracts it. */
  private count({ data, sets }: BitLayout, sign: 1 | -1): void {
    this.costs.base += sign * (BASE_COST + data[HEAD.firstWords]! * WORD_COST);
    const moving = data[HEAD.words] === 1 ? 0 : MOVE_COST;
    this.costs.character += sign * (data[HEAD.laterWords]! * WORD_COST + moving);
    this.costs.other += sign * data[HEAD.otherCost]!;
    this.layoutBytes += sign * (data.byteLength + sets.length * 64);
    this.positions += sign * data[HEAD.positions]!;
    const words = data[HEAD.words]!;
    for (let w = 0; w < words; w++) {
      if (data[HEAD_SIZE + COLUMN.jumping * words + w] !== 0) this.jumpers += sign;
    }
  }

  /** Single words are reused. Longer runs are left empty, which costs next to nothing. */
  private claim(words: number): number {
    if (words === 1 && this.vacant.length > 0) return this.vacant.pop()!;
    const from = this.words;
    this.words += words;
    if (this.words > this.capacity) this.grow(Math.max(this.words, Math.ceil(this.capacity * 1.5)));
    return from;
  }

  private write(from: number, w: number, key: number, layout: Int32Array): void {
    const at = from + w;
    const words = layout[HEAD.words]!;
    for (let column = 0; column < COLUMNS; column++) {
      this.data[column * this.capacity + at] = layout[HEAD_SIZE + column * words + w]!;
    }
    const rows = layout[HEAD.rowsAt]!;
    for (let symbol = 0; symbol < SYMBOLS; symbol++) {
      this.data[(ROWS + symbol) * this.capacity + at] = layout[rows + kindOf(layout, 0, symbol) * words + w]!;
    }
    this.owners[at] = key;
    this.bases[at] = from;
    this.layouts[at] = layout;
  }

  private grow(capacity: number): void {
    const data = new Int32Array(WIDTH * capacity);
    for (let column = 0; column < WIDTH; column++) {
      const from = column * this.capacity;
      data.set(this.data.subarray(from, from + this.capacity), column * capacity);
    }
    this.data = data;
    this.capacity = capacity;
  }
}
