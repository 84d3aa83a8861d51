import { COLUMN, HEAD } from './bit-layout.ts';
import { GROUP_COST, TARGET_COST, WORD_COST } from './packed-run.ts';
import { SYMBOLS } from './symbols.ts';
import type { Union } from './union.ts';

/**
 * Moves a union over one character. `bits` holds the positions that consumed the previous character, `next` receives
 * those that consume this one, and `first` marks the first character. Returns true if a pattern may match here
 * regardless of the end of the text.
 */
export function step(
  union: Union,
  bits: Int32Array,
  first: boolean,
  symbol: number,
  code: number,
  next: Int32Array,
): boolean {
  const { words, data } = union;
  next.fill(0, 0, words);
  if (union.jumpers > 0) jump(union, bits, next);
  const other = symbol < SYMBOLS ? undefined : union.rowOf(code);
  const row = other === undefined ? union.rowAt(symbol) : 0;
  const rows = other ?? data;
  const loop = union.column(COLUMN.loop);
  const skip = union.column(COLUMN.skip);
  const entry = union.column(first ? COLUMN.first : COLUMN.later);
  const always = union.column(COLUMN.always);
  let carry = 0;
  let ended = 0;
  for (let w = 0; w < words; w++) {
    const here = bits[w]!;
    const shifted = here & data[w]!;
    const enabled = next[w]! | (shifted << 1) | carry | (here & data[loop + w]!) | data[entry + w]!;
    carry = shifted >>> 31;
    const passing = data[skip + w]!;
    const sum = (passing >>> 0) + ((enabled & passing) >>> 0);
    if (sum > 0xffff_ffff) carry = 1;
    const moved = (enabled | ((sum | 0) ^ passing)) & rows[row + w]!;
    next[w] = moved;
    ended |= moved & data[always + w]!;
  }
  return ended !== 0;
}

/** The jumps from word `w`: the targets of each of its groups that is active. */
function jump(union: Union, bits: Int32Array, next: Int32Array): void {
  const { words, data } = union;
  const jumping = union.column(COLUMN.jumping);
  for (let w = 0; w < words; w++) {
    const here = bits[w]! & data[jumping + w]!;
    if (here !== 0) jumpFrom(union.layouts[w]!, w - union.bases[w]!, here, union.bases[w]!, next);
  }
}

function jumpFrom(layout: Int32Array, word: number, here: number, into: number, next: Int32Array): void {
  const base = layout[HEAD.groupsAt]!;
  for (let group = layout[base + word]!; group < layout[base + word + 1]!; group += 3) {
    if ((here & layout[base + group]!) === 0) continue;
    const to = layout[base + group + 2]!;
    for (let target = layout[base + group + 1]!; target < to; target += 2) {
      next[into + layout[base + target]!]! |= layout[base + target + 1]!;
    }
  }
}

/**
 * Cost of these active positions if each pattern ran individually: its words up to the last active one, and its jumps.
 */
export function costOf(union: Union, bits: Int32Array): number {
  let cost = 0;
  for (let w = union.words - 1; w >= 0; w--) {
    if (bits[w] === 0) continue;
    const base = union.bases[w]!;
    cost += (w - base + 1) * WORD_COST;
    w = base;
  }
  return union.jumpers === 0 ? cost : cost + costOfJumps(union, bits);
}

function costOfJumps(union: Union, bits: Int32Array): number {
  const jumping = union.column(COLUMN.jumping);
  let cost = 0;
  for (let w = 0; w < union.words; w++) {
    const here = bits[w]! & union.data[jumping + w]!;
    if (here !== 0) cost += costOfGroups(union.layouts[w]!, w - union.bases[w]!, here);
  }
  return cost;
}

function costOfGroups(layout: Int32Array, word: number, here: number): number {
  const base = layout[HEAD.groupsAt]!;
  let cost = 0;
  for (let group = layout[base + word]!; group < layout[base + word + 1]!; group += 3) {
    cost += GROUP_COST;
    if ((here & layout[base + group]!) === 0) continue;
    cost += (layout[base + group + 2]! - layout[base + group + 1]!) * (TARGET_COST / 2);
  }
  return cost;
}

/** Adds the patterns that have a bit both here and in the column. */
export function collect(union: Union, bits: Int32Array, column: number, matched: Set<number>): void {
  const { data } = union;
  const from = union.column(column);
  for (let w = 0; w < union.words; w++) if ((bits[w]! & data[from + w]!) !== 0) matched.add(union.owners[w]!);
}
