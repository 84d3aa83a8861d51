import { contains } from '../syntax/charset.ts';
import type { BitLayout } from './bit-layout.ts';
import { ENDS } from './positions.ts';
import { SYMBOLS } from './symbols.ts';

interface Member {
  readonly key: number;
  readonly layout: BitLayout;
  readonly from: number;
}

/**
 * Many regular patterns side by side in the words of one automaton, moved through a text together. Members come and
 * go without a rebuild: each has words of its own.
 */
export class Union {
  words = 0;
  shift = new Int32Array(4);
  loop = new Int32Array(4);
  jumping = new Int32Array(4);
  first = new Int32Array(4);
  later = new Int32Array(4);
  always = new Int32Array(4);
  finalEnd = new Int32Array(4);
  end = new Int32Array(4);
  /** For each symbol, the bits that may consume it. */
  rows = Array.from({ length: SYMBOLS }, () => new Int32Array(4));
  /** How many positions have followers that neither the shift nor the loop gives. */
  jumpers = 0;
  /** The pattern that a word belongs to. */
  readonly layouts: (BitLayout | undefined)[] = [];
  liveWords = 0;
  /** The key of the pattern that a word belongs to; 0 where it belongs to none. */
  readonly owners: number[] = [];
  /** The first word of that pattern. */
  readonly bases: number[] = [];
  readonly members = new Map<number, Member>();
  /** Patterns that match the empty string everywhere, and those that do at the start. */
  readonly matchAll = new Set<number>();
  private readonly otherRows = new Map<number, Int32Array>();
  private readonly vacant: number[] = [];

  add(key: number, layout: BitLayout): void {
    const from = this.claim(layout.words);
    this.members.set(key, { key, layout, from });
    for (let w = 0; w < layout.words; w++) this.write(from, w, key, layout);
    this.jumpers += jumpersIn(layout);
    this.liveWords += layout.words;
    if (layout.emptyLater !== 0 || (layout.emptyAtStart & ENDS.always) !== 0) this.matchAll.add(key);
    this.otherRows.clear();
  }

  remove(key: number): void {
    const member = this.members.get(key);
    if (member === undefined) return;
    this.members.delete(key);
    this.matchAll.delete(key);
    this.liveWords -= member.layout.words;
    this.jumpers -= jumpersIn(member.layout);
    const { from, layout } = member;
    for (let w = from; w < from + layout.words; w++) {
      for (const bits of this.columns()) bits[w] = 0;
      for (const row of this.rows) row[w] = 0;
      this.owners[w] = 0;
      this.layouts[w] = undefined;
      if (layout.words === 1) this.vacant.push(w);
    }
    this.otherRows.clear();
  }

  /** The bits that may consume a character that is no symbol. */
  rowOf(code: number): Int32Array {
    let row = this.otherRows.get(code);
    if (row === undefined) {
      row = new Int32Array(this.words);
      for (const { layout, from } of this.members.values()) fillRow(row, layout, from, code);
      if (this.otherRows.size >= 64) this.otherRows.clear();
      this.otherRows.set(code, row);
    }
    return row;
  }

  private columns(): Int32Array[] {
    return [
      this.shift,
      this.loop,
      this.jumping,
      this.first,
      this.later,
      this.always,
      this.finalEnd,
      this.end,
    ];
  }

  /** Single words are used again; longer runs are left empty, which costs next to nothing. */
  private claim(words: number): number {
    if (words === 1 && this.vacant.length > 0) return this.vacant.pop()!;
    const from = this.words;
    this.words += words;
    if (this.words > this.shift.length) this.grow(Math.max(this.words, Math.ceil(this.shift.length * 1.5)));
    return from;
  }

  private write(from: number, w: number, key: number, layout: BitLayout): void {
    const at = from + w;
    this.shift[at] = layout.shift[w]!;
    this.loop[at] = layout.loop[w]!;
    this.jumping[at] = layout.jumping[w]!;
    this.first[at] = layout.first[w]!;
    this.later[at] = layout.later[w]!;
    this.always[at] = layout.always[w]!;
    this.finalEnd[at] = layout.finalEnd[w]!;
    this.end[at] = layout.end[w]!;
    for (let symbol = 0; symbol < SYMBOLS; symbol++)
      this.rows[symbol]![at] = layout.rows[w * SYMBOLS + symbol]!;
    this.owners[at] = key;
    this.bases[at] = from;
    this.layouts[at] = layout;
  }

  private grow(size: number): void {
    this.shift = resized(this.shift, size);
    this.loop = resized(this.loop, size);
    this.jumping = resized(this.jumping, size);
    this.first = resized(this.first, size);
    this.later = resized(this.later, size);
    this.always = resized(this.always, size);
    this.finalEnd = resized(this.finalEnd, size);
    this.end = resized(this.end, size);
    this.rows = this.rows.map((row) => resized(row, size));
  }
}

function resized(array: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(size);
  grown.set(array);
  return grown;
}

function fillRow(row: Int32Array, layout: BitLayout, from: number, code: number): void {
  layout.sets.forEach((set, p) => {
    if (contains(set, code)) row[from + (p >>> 5)]! |= 1 << (p & 31);
  });
}

function jumpersIn(layout: BitLayout): number {
  return layout.jumps.reduce((sum, jumps) => sum + Math.min(jumps.length, 1), 0);
}
