import { Contexts } from './contexts.ts';
import { GramIndex } from './gram-index.ts';
import { HashKey } from './hash-key.ts';
import { KeyLists, NO_KEYS } from './key-lists.ts';
import { MOST_STRINGS, StringTable } from './string-table.ts';
import type { Kind } from './traits.ts';

/** The first bytes of a literal that are looked for, of short ones and of long ones. */
export const NEAR = 4;
export const FAR = 6;

/** Where a string is kept: it ends the name and begins a label there, or it may be anywhere. */
export type Kept = 'tail' | 'literal';

/** From so many strings, or bytes, on a table takes only patterns of few strings. */
const CROWDED = {
  tail: { count: 2_000_000, bytes: 160 << 20 },
  literal: { count: 100_000, bytes: 32 << 20 },
} as const;
const FEW = 1;

/** All that is looked up by strings. */
export class Tables {
  readonly key = new HashKey();
  readonly tails: StringTable;
  readonly literals: StringTable;
  /** Literals of up to five bytes, and those of more. */
  readonly near = new GramIndex(this.key, NEAR);
  readonly far = new GramIndex(this.key, FAR);
  readonly contexts = new Contexts();
  private readonly lists = new KeyLists();
  /** The patterns that match every name, by kind. */
  private readonly everything = [NO_KEYS, NO_KEYS, NO_KEYS];
  /** Whether there are any. */
  haveMatchingAll = false;

  /** @param most How many strings there may be of each kind. */
  constructor(most = MOST_STRINGS) {
    this.tails = new StringTable(this.key, most);
    this.literals = new StringTable(this.key, most);
  }

  get memory(): number {
    return this.tails.memory + this.literals.memory + this.near.memory + this.far.memory;
  }

  /** The keys of those of a kind, sorted. */
  matchingAll(kind: Kind): readonly number[] {
    return this.lists.all(this.everything[kind]!);
  }

  addMatchingAll(key: number, kind: Kind): void {
    this.everything[kind] = this.lists.add(this.everything[kind]!, key);
    this.haveMatchingAll = true;
  }

  removeMatchingAll(key: number, kind: Kind): void {
    this.everything[kind] = this.lists.remove(this.everything[kind]!, key);
    this.haveMatchingAll = this.everything.some((held) => held !== NO_KEYS);
  }

  /**
   * Whether there is room for the strings of one more pattern. Where there are many strings already, only patterns of few
   * find room: others are run instead, so that a few patterns do not fill the memory.
   */
  hasRoom(kept: Kept, strings: number): boolean {
    const table = kept === 'tail' ? this.tails : this.literals;
    const { count, bytes } = CROWDED[kept];
    const crowded = table.count + strings > count || table.memory > bytes;
    return table.hasRoom(strings) && (strings <= FEW || !crowded);
  }

  has(kept: Kept, bytes: Uint8Array, from: number, to: number, mode: number, key: number): boolean {
    return (kept === 'tail' ? this.tails : this.literals).has(bytes, from, to, mode, key);
  }

  /** Gives the entry. */
  add(kept: Kept, bytes: Uint8Array, from: number, to: number, mode: number, key: number): number {
    if (kept === 'tail') return this.tails.add(bytes, from, to, mode, key);
    const before = this.literals.count;
    const entry = this.literals.add(bytes, from, to, mode, key);
    if (this.literals.count > before) this.gramsFor(to - from).add(this.gramOf(bytes, from, to), to - from);
    return entry;
  }

  remove(kept: Kept, bytes: Uint8Array, from: number, to: number, mode: number, key: number): number {
    if (kept === 'tail') return this.tails.remove(bytes, from, to, mode, key);
    const before = this.literals.count;
    const entry = this.literals.remove(bytes, from, to, mode, key);
    if (this.literals.count < before)
      this.gramsFor(to - from).remove(this.gramOf(bytes, from, to), to - from);
    return entry;
  }

  private gramsFor(length: number): GramIndex {
    return length < FAR ? this.near : this.far;
  }

  private gramOf(bytes: Uint8Array, from: number, to: number): number {
    return this.key.sum(bytes, from, Math.min(to, from + this.gramsFor(to - from).size));
  }
}
