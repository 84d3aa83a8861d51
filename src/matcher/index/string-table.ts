import type { HashKey } from './hash-key.ts';
import { KeyLists, NO_KEYS } from './key-lists.ts';
import { StringPool } from './string-pool.ts';

const TAG = 0xff000000;
const PLACE = 0x00ffffff;
/** Position of the hash bits that select the segment, just below the tag. */
const SEGMENT_SHIFT = 18;
const SEGMENTS = 64;
const FIRST_SLOTS = 4;

export const MAX_STRINGS = PLACE - 1;

/**
 * A hash table from (byte string, mode) to keys: open addressing over typed arrays, with 8 bits of the hash stored in
 * each slot, so that a miss touches one cache line. All modes of a string are in one cluster. The slots are split into
 * segments that grow independently, so that no insertion has to move all of them.
 */
export class StringTable {
  private readonly segments = Array.from({ length: SEGMENTS }, () => new Int32Array(FIRST_SLOTS));
  private readonly filled = new Int32Array(SEGMENTS);
  private slotCount = SEGMENTS * FIRST_SLOTS;
  private used = 0;
  private hashes = new Int32Array(16);
  private offsets = new Int32Array(16);
  private held = new Int32Array(16);
  private modes = new Uint8Array(16);
  private next = 0;
  private readonly freed: number[] = [];
  private readonly pool = new StringPool();
  readonly lists = new KeyLists();
  private readonly key: HashKey;

  private readonly max: number;

  /** @param max maximum number of strings */
  constructor(key: HashKey, max = MAX_STRINGS) {
    this.key = key;
    this.max = max;
  }

  get memory(): number {
    return this.slotCount * 4 + this.hashes.length * 13 + this.pool.memory;
  }

  get count(): number {
    return this.used;
  }

  /**
   * The slot of the first entry with this string, starting at `slot`; -1 if there is none. Start with the hash itself.
   */
  seek(hash: number, bytes: Uint8Array, from: number, to: number, slot: number): number {
    const slots = this.segments[segmentOf(hash)]!;
    const mask = slots.length - 1;
    for (let at = slot & mask; ; at = (at + 1) & mask) {
      const word = slots[at]!;
      if (word === 0) return -1;
      if ((word ^ hash) >>> 24 === 0 && this.holds((word & PLACE) - 1, hash, bytes, from, to)) return at;
    }
  }

  /** The entry at a slot that `seek` returned for the same hash. */
  entryAt(hash: number, slot: number): number {
    return entryOf(this.segments[segmentOf(hash)]![slot]!);
  }

  modeOf(entry: number): number {
    return this.modes[entry]!;
  }

  heldBy(entry: number): number {
    return this.held[entry]!;
  }

  /** True if this many more strings fit. */
  hasCapacity(strings: number): boolean {
    return this.used + strings <= this.max;
  }

  has(bytes: Uint8Array, from: number, to: number, mode: number, key: number): boolean {
    const hash = this.key.hash(bytes, from, to);
    const slot = this.find(hash, bytes, from, to, mode);
    return slot >= 0 && this.lists.has(this.held[this.entryAt(hash, slot)]!, key);
  }

  /** Adds a key and returns the entry; the entry is new if this is its only key. */
  add(bytes: Uint8Array, from: number, to: number, mode: number, key: number): number {
    const hash = this.key.hash(bytes, from, to);
    const slot = this.find(hash, bytes, from, to, mode);
    const entry = slot < 0 ? this.create(hash, bytes, from, to, mode) : this.entryAt(hash, slot);
    this.held[entry] = this.lists.add(this.held[entry]!, key);
    return entry;
  }

  /** Removes a key. Returns the entry, or -1 if there is no such string; `heldBy` gives the remaining keys. */
  remove(bytes: Uint8Array, from: number, to: number, mode: number, key: number): number {
    const hash = this.key.hash(bytes, from, to);
    const slot = this.find(hash, bytes, from, to, mode);
    if (slot < 0) return -1;
    const entry = this.entryAt(hash, slot);
    this.held[entry] = this.lists.remove(this.held[entry]!, key);
    if (this.held[entry] === NO_KEYS) this.drop(hash, slot, entry);
    return entry;
  }

  private holds(entry: number, hash: number, bytes: Uint8Array, from: number, to: number): boolean {
    return this.hashes[entry] === hash && this.pool.equals(this.offsets[entry]!, bytes, from, to);
  }

  private find(hash: number, bytes: Uint8Array, from: number, to: number, mode: number): number {
    let slot = this.seek(hash, bytes, from, to, hash);
    while (slot >= 0 && this.modes[this.entryAt(hash, slot)] !== mode) {
      slot = this.seek(hash, bytes, from, to, slot + 1);
    }
    return slot;
  }

  private create(hash: number, bytes: Uint8Array, from: number, to: number, mode: number): number {
    const segment = segmentOf(hash);
    if ((this.filled[segment]! + 1) * 3 > this.segments[segment]!.length * 2) this.rehash(segment);
    const entry = this.freed.pop() ?? this.nextEntry();
    this.hashes[entry] = hash;
    this.offsets[entry] = this.pool.store(bytes, from, to);
    this.modes[entry] = mode;
    this.held[entry] = NO_KEYS;
    this.used++;
    this.filled[segment]!++;
    place(this.segments[segment]!, hash, entry);
    return entry;
  }

  private nextEntry(): number {
    if (this.next === this.hashes.length) {
      const size = Math.ceil(this.next * 1.3) + 16;
      this.hashes = resized(this.hashes, size);
      this.offsets = resized(this.offsets, size);
      this.held = resized(this.held, size);
      const modes = new Uint8Array(size);
      modes.set(this.modes);
      this.modes = modes;
    }
    return this.next++;
  }

  private rehash(segment: number): void {
    const old = this.segments[segment]!;
    const slots = new Int32Array(old.length * 2);
    for (const word of old) {
      if (word !== 0) place(slots, this.hashes[entryOf(word)]!, entryOf(word));
    }
    this.segments[segment] = slots;
    this.slotCount += old.length;
  }

  private drop(hash: number, slot: number, entry: number): void {
    this.pool.release(this.offsets[entry]!);
    this.freed.push(entry);
    this.used--;
    this.filled[segmentOf(hash)]!--;
    this.closeGap(this.segments[segmentOf(hash)]!, slot);
  }

  /** Moves later entries of the cluster back, so that the gap does not end a probe early. */
  private closeGap(slots: Int32Array, slot: number): void {
    const mask = slots.length - 1;
    let hole = slot;
    for (let at = (slot + 1) & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const home = this.hashes[entryOf(slots[at]!)]! & mask;
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        slots[hole] = slots[at]!;
        hole = at;
      }
    }
    slots[hole] = 0;
  }
}

function segmentOf(hash: number): number {
  return (hash >>> SEGMENT_SHIFT) & (SEGMENTS - 1);
}

function entryOf(word: number): number {
  return (word & PLACE) - 1;
}

function place(slots: Int32Array, hash: number, entry: number): void {
  const mask = slots.length - 1;
  let at = hash & mask;
  while (slots[at] !== 0) at = (at + 1) & mask;
  slots[at] = (hash & TAG) | (entry + 1);
}

function resized(array: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(size);
  grown.set(array);
  return grown;
}
