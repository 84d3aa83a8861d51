import type { CharSet } from '../ast.ts';
import { contains } from '../syntax/charset.ts';
import { ENDS, type Positions } from './positions.ts';
import { SYMBOL_CODES, SYMBOLS } from './symbols.ts';

/** A follower that neither the shift nor the loop gives: where its bit is. */
export interface Jump {
  readonly word: number;
  readonly bits: number;
}

/**
 * One pattern's positions as bits of 32-bit words, so that all of them move at once. Position p is bit p. Most
 * positions are followed by the next one (`shift`) or by themselves (`loop`); the rest are jumps.
 */
export interface BitLayout {
  readonly words: number;
  readonly shift: Int32Array;
  readonly loop: Int32Array;
  readonly jumping: Int32Array;
  readonly jumps: readonly (readonly Jump[])[];
  readonly first: Int32Array;
  readonly later: Int32Array;
  readonly always: Int32Array;
  readonly finalEnd: Int32Array;
  readonly end: Int32Array;
  /** For each word, which bits may consume each symbol. */
  readonly rows: Int32Array;
  readonly sets: readonly CharSet[];
  readonly emptyAtStart: number;
  readonly emptyLater: number;
}

export function layOut(positions: Positions): BitLayout {
  const { sets, follow, ends } = positions;
  const words = Math.max(1, Math.ceil(sets.length / 32));
  const among = (keep: (position: number) => boolean) => bitsWhere(words, sets.length, keep);
  const first = new Set(positions.first);
  const later = new Set(positions.firstLater);
  const jumps = follow.map((next, position) => jumpsOf(next, position));
  return {
    words,
    shift: among((p) => follow[p]!.includes(p + 1)),
    loop: among((p) => follow[p]!.includes(p)),
    jumping: among((p) => jumps[p]!.length > 0),
    jumps,
    first: among((p) => first.has(p)),
    later: among((p) => later.has(p)),
    always: among((p) => (ends[p]! & ENDS.always) !== 0),
    finalEnd: among((p) => (ends[p]! & (ENDS.always | ENDS.finalEnd)) !== 0),
    end: among((p) => ends[p] !== 0),
    rows: rowsOf(words, sets),
    sets,
    emptyAtStart: positions.emptyAtStart,
    emptyLater: positions.emptyLater,
  };
}

function bitsWhere(words: number, count: number, keep: (position: number) => boolean): Int32Array {
  const bits = new Int32Array(words);
  for (let p = 0; p < count; p++) if (keep(p)) bits[p >>> 5]! |= 1 << (p & 31);
  return bits;
}

function jumpsOf(next: readonly number[], position: number): readonly Jump[] {
  const byWord = new Map<number, number>();
  for (const p of next) {
    if (p !== position && p !== position + 1)
      byWord.set(p >>> 5, (byWord.get(p >>> 5) ?? 0) | (1 << (p & 31)));
  }
  return Array.from(byWord, ([word, bits]) => ({ word, bits }));
}

/** Equal sets are one object more often than not, so that most columns are computed once. */
function rowsOf(words: number, sets: readonly CharSet[]): Int32Array {
  const rows = new Int32Array(words * SYMBOLS);
  const columns = new Map<CharSet, readonly number[]>();
  sets.forEach((set, p) => {
    let symbols = columns.get(set);
    if (symbols === undefined) {
      symbols = symbolsIn(set);
      columns.set(set, symbols);
    }
    for (const symbol of symbols) rows[(p >>> 5) * SYMBOLS + symbol]! |= 1 << (p & 31);
  });
  return rows;
}

function symbolsIn(set: CharSet): readonly number[] {
  const symbols: number[] = [];
  SYMBOL_CODES.forEach((code, symbol) => {
    if (contains(set, code)) symbols.push(symbol);
  });
  return symbols;
}
