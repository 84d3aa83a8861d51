import { SYMBOLS } from './symbols.ts';
import type { Union } from './union.ts';

/**
 * Moves a union over one character: `bits` holds the positions that have just consumed, `next` those that consume
 * this one. `entry` are the positions that a match may begin with here.
 */
export function step(
  union: Union,
  bits: Int32Array,
  entry: Int32Array,
  symbol: number,
  code: number,
  next: Int32Array,
): void {
  const { words, shift, loop } = union;
  next.fill(0, 0, words);
  jump(union, bits, next);
  let carry = 0;
  for (let w = 0; w < words; w++) {
    const here = bits[w]!;
    const shifted = here & shift[w]!;
    next[w]! |= (shifted << 1) | carry | (here & loop[w]!) | entry[w]!;
    carry = shifted >>> 31;
  }
  if (symbol < SYMBOLS) consume(union.rows, words, symbol, next);
  else restrict(union.rowOf(code), words, next);
}

function jump(union: Union, bits: Int32Array, next: Int32Array): void {
  const { words, jumping } = union;
  for (let w = 0; w < words; w++) {
    for (let left = bits[w]! & jumping[w]!; left !== 0; left &= left - 1) {
      const bit = w * 32 + 31 - Math.clz32(left & -left);
      const base = union.bases[w]!;
      for (const to of union.jumps.get(bit)!) next[base + to.word]! |= to.bits;
    }
  }
}

/** What the jumps out of these positions cost. */
export function jumpCost(union: Union, bits: Int32Array): number {
  let cost = 0;
  for (let w = 0; w < union.words; w++) {
    for (let left = bits[w]! & union.jumping[w]!; left !== 0; left &= left - 1) {
      cost += union.jumps.get(w * 32 + 31 - Math.clz32(left & -left))!.length;
    }
  }
  return cost;
}

function consume(rows: Int32Array, words: number, symbol: number, next: Int32Array): void {
  for (let w = 0, at = symbol; w < words; w++, at += SYMBOLS) next[w]! &= rows[at]!;
}

function restrict(row: Int32Array, words: number, next: Int32Array): void {
  for (let w = 0; w < words; w++) next[w]! &= row[w]!;
}

/** Adds the patterns that have a bit both here and in `ends`. */
export function collect(union: Union, bits: Int32Array, ends: Int32Array, matched: Set<number>): void {
  for (let w = 0; w < union.words; w++) if ((bits[w]! & ends[w]!) !== 0) matched.add(union.owners[w]!);
}
