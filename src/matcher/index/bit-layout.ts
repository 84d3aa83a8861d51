import { ENDS, type Positions } from '../analysis/positions.ts';
import type { CharSet } from '../ast.ts';
import { contains } from '../syntax/charset.ts';
import { spend } from '../work.ts';
import { jumpsOf } from './jumps.ts';
import { SYMBOL_CODES, SYMBOLS } from './symbols.ts';

/**
 * A pattern's positions as bits of 32-bit words, so that all of them advance at once. Position p is bit p. Most
 * positions are followed by the next one (`shift`) or themselves (`loop`); an optional one also activates its successor
 * (`skip`); all other transitions are jumps. Everything is in one array of numbers, which can be stored anywhere.
 */
export interface BitLayout {
  readonly data: Int32Array;
  /** The distinct sets of the positions; the array refers to them by number. */
  readonly sets: readonly CharSet[];
}

/** Indexes of the numbers in the header. */
export const HEAD = {
  words: 0,
  /** Number of words in which a match can begin, at the start of the text and elsewhere. */
  firstWords: 1,
  laterWords: 2,
  emptyAtStart: 3,
  emptyLater: 4,
  /** Number of sets, and of positions. */
  sets: 5,
  positions: 6,
  /**
   * Offsets of the kind of each symbol (one byte each), the row of each kind, the jumps, and the set of each position.
   */
  kindsAt: 7,
  rowsAt: 8,
  groupsAt: 9,
  setsAt: 10,
  /** Cost of a character that is not a symbol. */
  otherCost: 11,
} as const;

export const HEAD_SIZE = 12;

/** Columns of one number per word, one after another behind the header. */
export const COLUMN = {
  shift: 0,
  loop: 1,
  skip: 2,
  jumping: 3,
  first: 4,
  later: 5,
  always: 6,
  finalEnd: 7,
  end: 8,
} as const;

export const COLUMNS = 9;
const KIND_WORDS = Math.ceil(SYMBOLS / 4);
const OTHER_SET_COST = 10;
const OTHER_WORD_COST = 40;

export function layOut(positions: Positions): BitLayout {
  const count = positions.sets.length;
  const words = Math.max(1, Math.ceil(count / 32));
  const { columns, groups } = columnsOf(positions, words);
  const sets = [...new Set(positions.sets)];
  const { kinds, rows } = rowsOf(words, positions.sets, sets);
  const kindsAt = HEAD_SIZE + COLUMNS * words;
  const rowsAt = kindsAt + KIND_WORDS;
  const groupsAt = rowsAt + rows.length;
  const setsAt = groupsAt + groups.length;
  const data = new Int32Array(setsAt + Math.ceil(count / 2));
  data.set([
    words,
    usedWords(columns[COLUMN.first]!),
    usedWords(columns[COLUMN.later]!),
    positions.emptyAtStart,
    positions.emptyLater,
    sets.length,
    count,
    kindsAt,
    rowsAt,
    groupsAt,
    setsAt,
    sets.length * OTHER_SET_COST + words * OTHER_WORD_COST,
  ]);
  columns.forEach((column, i) => {
    data.set(column, HEAD_SIZE + i * words);
  });
  for (const [symbol, kind] of kinds.entries()) data[kindsAt + (symbol >> 2)]! |= kind << ((symbol & 3) * 8);
  data.set(rows, rowsAt);
  data.set(groups, groupsAt);
  const numbers = new Map(sets.map((set, number) => [set, number]));
  positions.sets.forEach((set, p) => {
    data[setsAt + (p >> 1)]! |= numbers.get(set)! << ((p & 1) * 16);
  });
  return { data, sets };
}

/** The kind of a symbol. */
export function kindOf(data: Int32Array, at: number, symbol: number): number {
  return kindIn(data, at + data[at + HEAD.kindsAt]!, symbol);
}

/** Like `kindOf`, given the offset of the kinds. */
export function kindIn(data: Int32Array, kinds: number, symbol: number): number {
  return (data[kinds + (symbol >> 2)]! >>> ((symbol & 3) << 3)) & 0xff;
}

function columnsOf(positions: Positions, words: number): { columns: Int32Array[]; groups: Int32Array } {
  const { first, firstLater, ends } = positions;
  const { shift, loop, skip, jumping, groups } = jumpsOf(positions, words);
  const among = (keep: (position: number) => boolean) => {
    const bits = new Int32Array(words);
    for (let p = 0; p < ends.length; p++) if (keep(p)) bits[p >>> 5]! |= 1 << (p & 31);
    return bits;
  };
  const [atStart, later] = [new Set(first), new Set(firstLater)];
  const columns = [
    shift,
    loop,
    skip,
    jumping,
    among((p) => atStart.has(p)),
    among((p) => later.has(p)),
    among((p) => (ends[p]! & ENDS.always) !== 0),
    among((p) => (ends[p]! & (ENDS.always | ENDS.finalEnd)) !== 0),
    among((p) => ends[p] !== 0),
  ];
  return { columns, groups };
}

function usedWords(column: Int32Array): number {
  let words = column.length;
  while (words > 0 && column[words - 1] === 0) words--;
  return words;
}

/** Symbols that no set distinguishes have the same kind. The row of a kind has the bits that may consume it. */
function rowsOf(
  words: number,
  ofPositions: readonly CharSet[],
  sets: readonly CharSet[],
): { kinds: Uint8Array; rows: Int32Array } {
  spend(sets.length * SYMBOLS * 8 + ofPositions.length * 40);
  const members = new Map(sets.map((set) => [set, SYMBOL_CODES.map((code) => contains(set, code))]));
  const kinds = new Uint8Array(SYMBOLS);
  const known = new Map<string, number>();
  const shown: number[] = [];
  for (let symbol = 0; symbol < SYMBOLS; symbol++) {
    const key = sets.map((set) => (members.get(set)![symbol] ? 1 : 0)).join('');
    let kind = known.get(key);
    if (kind === undefined) {
      kind = shown.push(symbol) - 1;
      known.set(key, kind);
    }
    kinds[symbol] = kind;
  }
  spend(shown.length * ofPositions.length * 4);
  const rows = new Int32Array(shown.length * words);
  ofPositions.forEach((set, p) => {
    const holds = members.get(set)!;
    for (const [kind, symbol] of shown.entries())
      if (holds[symbol]) rows[kind * words + (p >>> 5)]! |= 1 << (p & 31);
  });
  return { kinds, rows };
}
