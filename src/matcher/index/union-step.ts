import type { Jump } from './bit-layout.ts';
import { SYMBOLS } from './symbols.ts';
import type { Union } from './union.ts';

/**
 * Moves a union over one character: `bits` holds the positions that have just consumed, `next` those that consume
 * this one. `entry` are the positions that a match may begin with here. Gives whether a pattern may match here
 * without regard to the end of the text.
 */
export function step(
  union: Union,
  bits: Int32Array,
  entry: Int32Array,
  symbol: number,
  code: number,
  next: Int32Array,
): boolean {
  const { words, shift, loop, always } = union;
  next.fill(0, 0, words);
  if (union.jumpers > 0) jump(union, bits, next);
  const row = symbol < SYMBOLS ? union.rows[symbol]! : union.rowOf(code);
  let carry = 0;
  let ended = 0;
  for (let w = 0; w < words; w++) {
    const here = bits[w]!;
    const shifted = here & shift[w]!;
    const moved = (next[w]! | (shifted << 1) | carry | (here & loop[w]!) | entry[w]!) & row[w]!;
    next[w] = moved;
    ended |= moved & always[w]!;
    carry = shifted >>> 31;
  }
  return ended !== 0;
}

function jump(union: Union, bits: Int32Array, next: Int32Array): void {
  const { words, jumping } = union;
  for (let w = 0; w < words; w++) {
    for (let left = bits[w]! & jumping[w]!; left !== 0; left &= left - 1) {
      const base = union.bases[w]!;
      for (const to of jumpsAt(union, w, left)) next[base + to.word]! |= to.bits;
    }
  }
}

/** The jumps of the lowest bit in `left`. */
function jumpsAt(union: Union, w: number, left: number): readonly Jump[] {
  return union.layouts[w]!.jumps[(w - union.bases[w]!) * 32 + 31 - Math.clz32(left & -left)]!;
}

/** A jump takes as long as so many words. */
const JUMP_COST = 2;

/** What the jumps out of these positions cost. */
export function jumpCost(union: Union, bits: Int32Array): number {
  if (union.jumpers === 0) return 0;
  let cost = 0;
  for (let w = 0; w < union.words; w++) {
    for (let left = bits[w]! & union.jumping[w]!; left !== 0; left &= left - 1) {
      cost += JUMP_COST * (1 + jumpsAt(union, w, left).length);
    }
  }
  return cost;
}

/** Adds the patterns that have a bit both here and in `ends`. */
export function collect(union: Union, bits: Int32Array, ends: Int32Array, matched: Set<number>): void {
  for (let w = 0; w < union.words; w++) if ((bits[w]! & ends[w]!) !== 0) matched.add(union.owners[w]!);
}
