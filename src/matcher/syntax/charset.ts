import type { CharSet } from '../ast.ts';

const LAST = 0x10ffff;

export const EVERYTHING: CharSet = [0, LAST];

/** Builds a character set from ranges in any order, which may overlap. */
export function normalized(ranges: readonly (readonly [number, number])[]): CharSet {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const out: number[] = [];
  for (const [lo, hi] of sorted) append(out, lo, hi);
  return out;
}

export function pairsOf(set: CharSet): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 0; i < set.length; i += 2) pairs.push([set[i] as number, set[i + 1] as number]);
  return pairs;
}

export function union(a: CharSet, b: CharSet): CharSet {
  const out: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const first = j >= b.length || (i < a.length && (a[i] as number) <= (b[j] as number));
    const [lo, hi] = first ? [a[i++], a[i++]] : [b[j++], b[j++]];
    append(out, lo as number, hi as number);
  }
  return out;
}

/** Builds a character set from code points in any order. */
export function charactersOf(codes: readonly number[]): CharSet {
  const out: number[] = [];
  for (const code of Uint32Array.from(codes).sort()) append(out, code, code);
  return out;
}

/** Adds a range that begins no earlier than the last one. */
function append(out: number[], lo: number, hi: number): void {
  const end = out.length - 1;
  if (end > 0 && lo <= (out[end] as number) + 1) out[end] = Math.max(out[end] as number, hi);
  else out.push(lo, hi);
}

export function complement(set: CharSet): CharSet {
  const out: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    const lo = set[i] as number;
    if (lo > next) out.push(next, lo - 1);
    next = (set[i + 1] as number) + 1;
  }
  if (next <= LAST) out.push(next, LAST);
  return out;
}

export function intersection(a: CharSet, b: CharSet): CharSet {
  const out: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const lo = Math.max(a[i] as number, b[j] as number);
    const hi = Math.min(a[i + 1] as number, b[j + 1] as number);
    if (lo <= hi) out.push(lo, hi);
    if (a[i + 1] === hi) i += 2;
    else j += 2;
  }
  return out;
}

/** The index of the first range that ends at or after `code`, times two. */
export function rangeAt(set: CharSet, code: number): number {
  let low = 0;
  let high = set.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((set[middle * 2 + 1] as number) < code) low = middle + 1;
    else high = middle;
  }
  return low * 2;
}

export function contains(set: CharSet, code: number): boolean {
  const at = rangeAt(set, code);
  return at < set.length && (set[at] as number) <= code;
}

export function overlaps(set: CharSet, lo: number, hi: number): boolean {
  const at = rangeAt(set, lo);
  return at < set.length && (set[at] as number) <= hi;
}
