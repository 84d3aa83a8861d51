import type { CharSet } from '../ast.ts';
import { contains, overlaps } from './charset.ts';
import * as tables from './unicode.generated.ts';

/** Unicode data of CPython 3.11, unpacked from the generated tables on first use. */

function decodedRanges(packed: string): CharSet {
  const out: number[] = [];
  const words = packed.split(' ');
  let end = 0;
  for (let i = 0; i < words.length; i += 2) {
    const lo = end + Number.parseInt(words[i] as string, 36);
    end = lo + Number.parseInt(words[i + 1] as string, 36);
    out.push(lo, end - 1);
  }
  return out;
}

function decodedMapping(packed: string): ReadonlyMap<number, number> {
  const out = new Map<number, number>();
  for (const run of packed.split(' ')) {
    const [start, count, step, distance] = run.split(',').map((part) => Number.parseInt(part, 36));
    for (let i = 0; i < (count as number); i++) {
      const code = (start as number) + i * (step as number);
      out.set(code, code + (distance as number));
    }
  }
  return out;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export const wordCharacters = once(() => decodedRanges(tables.WORD));
export const digitCharacters = once(() => decodedRanges(tables.DIGIT));
export const spaceCharacters = once(() => decodedRanges(tables.SPACE));
export const ideographs = once(() => decodedRanges(tables.IDEOGRAPH));
export const ASCII_WORD: CharSet = [48, 57, 65, 90, 95, 95, 97, 122];
export const ASCII_DIGIT: CharSet = [48, 57];
export const ASCII_SPACE: CharSet = [9, 13, 32, 32];

const cased = once(() => decodedRanges(tables.CASED));
const printable = once(() => decodedRanges(tables.PRINTABLE));
const alphabetic = once(() => decodedRanges(tables.ALPHABETIC));
const identifierStart = once(() => decodedRanges(tables.IDENTIFIER_START));
const identifierPart = once(() => decodedRanges(tables.IDENTIFIER_PART));

/** Maps code points to those that sre folds them to, where different. */
export const lowerCases = once(() => decodedMapping(tables.LOWER));
export const upperCases = once(() => decodedMapping(tables.UPPER));

/** The code points that `lowerCases` changes. */
export const upperCharacters = once<CharSet>(() => {
  const codes = [...lowerCases().keys()].sort((a, b) => a - b);
  return codes.flatMap((code) => [code, code]);
});

/** Lower-case code points with a common upper case, which sre treats as one letter. */
export const extraCases = once<ReadonlyMap<number, readonly number[]>>(() => {
  const entries = tables.EXTRA_CASES.split(' ').map((entry) =>
    entry.split(',').map((part) => Number.parseInt(part, 36)),
  );
  return new Map(entries.map(([code, ...others]) => [code as number, others]));
});

/** Maps a code point to the others that sre folds to it. */
export const unfolded = once<ReadonlyMap<number, readonly number[]>>(() => {
  const out = new Map<number, number[]>();
  for (const [code, lower] of lowerCases()) out.set(lower, [...(out.get(lower) ?? []), code]);
  return out;
});

interface Lowered {
  /** Sorted; `codes` has the code point for each. */
  readonly lowers: Uint32Array;
  readonly codes: Uint32Array;
}

const byLower = once<Lowered>(() => {
  const pairs = [...lowerCases()].sort((a, b) => a[1] - b[1]);
  return {
    lowers: Uint32Array.from(pairs, ([, lower]) => lower),
    codes: Uint32Array.from(pairs, ([code]) => code),
  };
});

/** Code points whose lower case is another code point, in the set. */
export function loweredInto(set: CharSet): number[] {
  const { lowers, codes } = byLower();
  const found: number[] = [];
  for (let i = 0; i < set.length; i += 2) {
    for (let at = firstFrom(lowers, set[i]!); at < lowers.length && lowers[at]! <= set[i + 1]!; at++) {
      found.push(codes[at]!);
    }
  }
  return found;
}

/** The index of the first number that is at least `least`. */
function firstFrom(sorted: Uint32Array, least: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function extraCasesOf(lower: number): readonly number[] {
  return extraCases().get(lower) ?? [];
}

export function toLower(code: number): number {
  if (code < 0x80) return code >= 65 && code <= 90 ? code + 32 : code;
  return lowerCases().get(code) ?? code;
}

export function toLowerAscii(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

export function isCased(code: number): boolean {
  return contains(cased(), code);
}

export function anyCased(lo: number, hi: number): boolean {
  return overlaps(cased(), lo, hi);
}

export function isPrintable(code: number): boolean {
  return code < 0x7f ? code >= 0x20 : contains(printable(), code);
}

export function isWord(code: number): boolean {
  return contains(code < 0x80 ? ASCII_WORD : wordCharacters(), code);
}

export function isAlphabetic(text: string): boolean {
  return text.length > 0 && Array.from(text).every((c) => contains(alphabetic(), c.codePointAt(0) as number));
}

export function startsIdentifier(code: number): boolean {
  return contains(identifierStart(), code);
}

/** Python's `str.isidentifier`. */
export function isIdentifier(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) as number);
  const [first, ...rest] = codes;
  return (
    first !== undefined && startsIdentifier(first) && rest.every((code) => contains(identifierPart(), code))
  );
}
