import { Contexts } from './contexts.ts';
import { GramIndex, gramOf } from './gram-index.ts';
import { HashKey } from './hash-key.ts';
import { KeyLists, NO_KEYS } from './key-lists.ts';
import { StringTable } from './string-table.ts';

/** Where a string is kept: it ends the name and begins a label there, or it may be anywhere. */
export type Kept = 'tail' | 'literal';

/** All that is looked up by strings. */
export class Tables {
  readonly key = new HashKey();
  readonly tails = new StringTable(this.key);
  readonly literals = new StringTable(this.key);
  readonly grams = new GramIndex(this.key);
  readonly contexts = new Contexts();
  private readonly lists = new KeyLists();
  private everything = NO_KEYS;

  get memory(): number {
    return this.tails.memory + this.literals.memory + this.grams.memory;
  }

  /** The keys of the patterns that match every name. */
  get matchingAll(): readonly number[] {
    return this.lists.all(this.everything);
  }

  addMatchingAll(key: number): void {
    this.everything = this.lists.add(this.everything, key);
  }

  removeMatchingAll(key: number): void {
    this.everything = this.lists.remove(this.everything, key);
  }

  /** Gives the entry. */
  add(kept: Kept, bytes: Uint8Array, from: number, to: number, mode: number, key: number): number {
    if (kept === 'tail') return this.tails.add(bytes, from, to, mode, key);
    const before = this.literals.count;
    const entry = this.literals.add(bytes, from, to, mode, key);
    if (this.literals.count > before) this.grams.add(gramOf(bytes, from, to - from), to - from);
    return entry;
  }

  remove(kept: Kept, bytes: Uint8Array, from: number, to: number, mode: number, key: number): number {
    if (kept === 'tail') return this.tails.remove(bytes, from, to, mode, key);
    const before = this.literals.count;
    const entry = this.literals.remove(bytes, from, to, mode, key);
    if (this.literals.count < before) this.grams.remove(gramOf(bytes, from, to - from), to - from);
    return entry;
  }
}
