import { ENDS, type Positions } from '../analysis/positions.ts';
import type { CharSet } from '../ast.ts';
import { contains } from '../syntax/charset.ts';
import { spend } from '../work.ts';
import { jumpsOf } from './jumps.ts';
import { SYMBOL_CODES, SYMBOLS } from './symbols.ts';

/**
 * One pattern's positions as bits of 32-bit words, so that all of them move at once. Position p is bit p. Most
 * positions are followed by the next one (`shift`) or by themselves (`loop`); one that may be left out passes its turn to
 * the next (`skip`); the rest are jumps. All of it is in one array of numbers, so that it can be kept anywhere.
 */
export interface BitLayout {
  readonly data: Int32Array;
  /** The sets of the positions, each once; the array names them by number. */
  readonly sets: readonly CharSet[];
}

/** What the numbers at the beginning are. */
export const HEAD = {
  words: 0,
  /** How many words a match can begin in, at the start of the text and elsewhere. */
  firstWords: 1,
  laterWords: 2,
  emptyAtStart: 3,
  emptyLater: 4,
  /** The sets, and the positions, by number. */
  sets: 5,
  positions: 6,
  /** Where each symbol's kind is, one byte each; the row of each kind; the jumps; the set of each position. */
  kindsAt: 7,
  rowsAt: 8,
  groupsAt: 9,
  setsAt: 10,
  /** What a character costs that is no symbol. */
  otherCost: 11,
} as const;

export const HEAD_SIZE = 12;

/** Columns of as many numbers as there are words, one behind the other after the head. */
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

/** The same, given where the kinds are. */
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

/** Symbols that no set tells apart are of one kind: the row of a kind says which bits may consume it. */
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
