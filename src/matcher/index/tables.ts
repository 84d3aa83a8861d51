import { Contexts } from './contexts.ts';
import { GramIndex } from './gram-index.ts';
import { HashKey } from './hash-key.ts';
import { KeyLists, NO_KEYS } from './key-lists.ts';
import { MAX_STRINGS, StringTable } from './string-table.ts';
import { type Load, TableBudget } from './table-budget.ts';
import type { PatternKind } from './traits.ts';

/** Number of first bytes looked up, for short and for long literals. */
export const NEAR = 4;
export const FAR = 6;

/**
 * Where a string is stored: as a tail, which starts a label and ends the name, or as a literal, which can be anywhere.
 */
export type StringPlacement = 'tail' | 'literal';

/** Limits on what patterns with several strings may store, together. */
const MAX_OF_SEVERAL = {
  tail: { count: 2_000_000, bytes: 128 << 20 },
  literal: { count: 250_000, bytes: 32 << 20 },
} as const;

/** All lookup tables for strings. */
export class Tables {
  readonly key = new HashKey();
  readonly tails: StringTable;
  readonly literals: StringTable;
  /** Literals of up to five bytes, and longer ones. */
  readonly near = new GramIndex(this.key, NEAR);
  readonly far = new GramIndex(this.key, FAR);
  readonly contexts = new Contexts();
  private readonly budgets = {
    tail: new TableBudget(MAX_OF_SEVERAL.tail),
    literal: new TableBudget(MAX_OF_SEVERAL.literal),
  };
  private readonly lists = new KeyLists();
  /** The patterns that match every name, by kind. */
  private readonly everything = [NO_KEYS, NO_KEYS, NO_KEYS];
  /** True if there are any. */
  haveMatchingAll = false;

  /** @param max maximum number of strings in each table */
  constructor(max = MAX_STRINGS) {
    this.tails = new StringTable(this.key, max);
    this.literals = new StringTable(this.key, max);
  }

  get memory(): number {
    return this.tails.memory + this.literals.memory + this.near.memory + this.far.memory;
  }

  /** The sorted keys of one kind. */
  matchingAll(kind: PatternKind): readonly number[] {
    return this.lists.all(this.everything[kind]!);
  }

  addMatchingAll(key: number, kind: PatternKind): void {
    this.everything[kind] = this.lists.add(this.everything[kind]!, key);
    this.haveMatchingAll = true;
  }

  removeMatchingAll(key: number, kind: PatternKind): void {
    this.everything[kind] = this.lists.remove(this.everything[kind]!, key);
    this.haveMatchingAll = this.everything.some((held) => held !== NO_KEYS);
  }

  /** True if there is room for the strings of one more pattern. */
  hasCapacity(kept: StringPlacement, load: Load): boolean {
    return this.tableOf(kept).hasCapacity(load.count) && this.budgets[kept].holds(load);
  }

  /** To be called once for each pattern whose strings are added (1) or removed (-1). */
  take(kept: StringPlacement, load: Load, sign: 1 | -1): void {
    this.budgets[kept].take(load, sign);
  }

  has(
    kept: StringPlacement,
    bytes: Uint8Array,
    from: number,
    to: number,
    mode: number,
    key: number,
  ): boolean {
    return this.tableOf(kept).has(bytes, from, to, mode, key);
  }

  /** Returns the entry. */
  add(kept: StringPlacement, bytes: Uint8Array, from: number, to: number, mode: number, key: number): number {
    if (kept === 'tail') return this.tails.add(bytes, from, to, mode, key);
    const before = this.literals.count;
    const entry = this.literals.add(bytes, from, to, mode, key);
    if (this.literals.count > before) this.gramsFor(to - from).add(this.gramOf(bytes, from, to), to - from);
    return entry;
  }

  remove(
    kept: StringPlacement,
    bytes: Uint8Array,
    from: number,
    to: number,
    mode: number,
    key: number,
  ): number {
    if (kept === 'tail') return this.tails.remove(bytes, from, to, mode, key);
    const before = this.literals.count;
    const entry = this.literals.remove(bytes, from, to, mode, key);
    if (this.literals.count < before)
      this.gramsFor(to - from).remove(this.gramOf(bytes, from, to), to - from);
    return entry;
  }

  private tableOf(kept: StringPlacement): StringTable {
    return kept === 'tail' ? this.tails : this.literals;
  }

  private gramsFor(length: number): GramIndex {
    return length < FAR ? this.near : this.far;
  }

  private gramOf(bytes: Uint8Array, from: number, to: number): number {
    return this.key.sum(bytes, from, Math.min(to, from + this.gramsFor(to - from).size));
  }
}
