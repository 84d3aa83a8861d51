import type { CharSet } from '../ast.ts';
import { extraCasesOf, toLower, unfolded } from '../syntax/unicode.ts';
import { spend } from '../work.ts';

/**
 * Letter case as in Python's IGNORECASE: each character belongs to one class of characters that match each other (`k`,
 * `K` and U+212A form one). A class is represented by one of its characters, the lower-case ASCII letter if it has one.
 * Names and literals are folded to these representatives before they are compared.
 */
export function foldCode(code: number): number {
  if (code < 0x80) return code >= 65 && code <= 90 ? code + 32 : code;
  const lower = toLower(code);
  let least = lower;
  for (const other of extraCasesOf(lower)) if (other < least) least = other;
  return least;
}

/** All characters of the class represented by `folded`. */
export function caseClass(folded: number): number[] {
  const lower = [folded, ...extraCasesOf(folded)];
  return lower.flatMap((code) => [code, ...(unfolded().get(code) ?? [])]).sort((a, b) => a - b);
}

export interface FoldedSet {
  readonly codes: readonly number[];
  /** True if the set contains the whole class of each code, so that comparing folded text is exact. */
  readonly exact: boolean;
}

/** In code points. Larger sets are not expanded into strings. */
const MAX_SET_SIZE = 64;
const FOLD_WORK = 4000;

/** Lead byte of a character, by the number of bytes that follow it. */
const LEADS = [0, 0xc0, 0xe0, 0xf0];

/** Cache of folded sets: most patterns use the same ones. */
const folded = new WeakMap<CharSet, FoldedSet | { readonly codes: undefined }>();

/** Folds a small set to representatives; undefined if it has more than `max` of them. */
export function foldSet(set: CharSet, max: number): FoldedSet | undefined {
  let known = folded.get(set);
  if (known === undefined) {
    known = foldAll(set) ?? { codes: undefined };
    folded.set(set, known);
  }
  return known.codes === undefined || known.codes.length > max ? undefined : known;
}

function foldAll(set: CharSet): FoldedSet | undefined {
  spend(FOLD_WORK);
  const codes = new Set<number>();
  let size = 0;
  for (let i = 0; i < set.length; i += 2) {
    const [lo, hi] = [set[i]!, set[i + 1]!];
    size += hi - lo + 1;
    if (size > MAX_SET_SIZE || holdsSurrogate(lo, hi)) return undefined;
    for (let code = lo; code <= hi; code++) codes.add(foldCode(code));
  }
  return { codes: [...codes], exact: classSizes(codes) === size };
}

/** In a string, two adjacent surrogates would read as a different character. */
function holdsSurrogate(lo: number, hi: number): boolean {
  return lo <= 0xdfff && hi >= 0xd800;
}

function classSizes(codes: Iterable<number>): number {
  let sum = 0;
  for (const code of codes) sum += caseClass(code).length;
  return sum;
}

/** Appends the bytes of one folded code point (UTF-8, lone surrogates included) and returns the new end. */
export function putCode(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code;
    return at + 1;
  }
  const extra = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  bytes[at] = LEADS[extra]! | (code >> (6 * extra));
  for (let i = 1; i <= extra; i++) bytes[at + i] = 0x80 | ((code >> (6 * (extra - i))) & 0x3f);
  return at + extra + 1;
}

/** Encodes a folded string as bytes. */
export function encodeFolded(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let end = 0;
  for (const character of text) end = putCode(bytes, end, character.codePointAt(0)!);
  return bytes.subarray(0, end);
}
