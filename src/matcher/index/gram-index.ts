import { type HashKey, mix } from './hash-key.ts';

const UNUSED = 0;
const REMOVED = -1;
const MASK_WORDS = 8;
/** Matching reads the filter for every byte of a name, so it must fit the CPU cache. */
const BUCKETS_PER_FILTER_WORD = 4;

/**
 * The lengths of stored literals, by the sum of their first bytes: `size` bytes, or all bytes of a shorter literal. A
 * filter with two bits per gram rules out nearly every position of a name. After a removal, the lengths stay until the
 * last literal with the same first bytes goes, and the filter bits until the next rebuild; both cost only a lookup.
 */
export class GramIndex {
  filter = new Int32Array(16);
  shift = 28;
  readonly size: number;
  /** Number of literals of 1, 2 and 3 bytes. */
  readonly short = [0, 0, 0, 0];
  private keys = new Int32Array(64);
  private counts = new Int32Array(64);
  private masks = new Int32Array(64 * MASK_WORDS);
  private usedBuckets = 0;
  private readonly secret: number;
  private live = 0;

  constructor(key: HashKey, size: number) {
    this.size = size;
    this.secret = key.values[0]!;
  }

  get memory(): number {
    return this.filter.byteLength + this.keys.byteLength * (2 + MASK_WORDS);
  }

  get empty(): boolean {
    return this.live === 0;
  }

  add(gram: number, length: number): void {
    if (length < this.size) this.short[length]!++;
    if ((this.usedBuckets + 1) * 2 > this.keys.length) this.rebuild();
    const at = this.locate(gram);
    if (this.counts[at] === UNUSED) this.usedBuckets++;
    if (this.counts[at]! <= 0) this.start(at, gram);
    this.counts[at]!++;
    this.masks[at * MASK_WORDS + (length >>> 5)]! |= 1 << (length & 31);
  }

  remove(gram: number, length: number): void {
    if (length < this.size) this.short[length]!--;
    const at = this.locate(gram);
    this.counts[at]!--;
    if (this.counts[at] !== 0) return;
    this.counts[at] = REMOVED;
    this.live--;
  }

  /** True if a literal may begin with this gram. */
  passes(gram: number): boolean {
    const hash = hashGram(gram);
    return isIn(this.filter[hash >>> this.shift]!, hash);
  }

  /** The place of a gram for `lengthsAt`, or -1. */
  find(gram: number): number {
    const at = this.locate(gram);
    return this.counts[at]! > 0 ? at : -1;
  }

  /** 32 lengths as bits: bit b of word w stands for length 32 w + b. */
  lengthsAt(place: number, word: number): number {
    return this.masks[place * MASK_WORDS + word]!;
  }

  private start(at: number, gram: number): void {
    this.keys[at] = gram;
    this.counts[at] = 0;
    for (let i = at * MASK_WORDS; i < (at + 1) * MASK_WORDS; i++) this.masks[i] = 0;
    this.live++;
    const hash = hashGram(gram);
    this.filter[hash >>> this.shift]! |= (1 << (hash >>> 5)) | (1 << hash);
  }

  private locate(gram: number): number {
    const mask = this.keys.length - 1;
    let at = mix(gram ^ this.secret) & mask;
    while (this.counts[at] !== UNUSED && this.keys[at] !== gram) at = (at + 1) & mask;
    return at;
  }

  private rebuild(): void {
    const { keys, counts, masks } = this;
    const size = this.live * 4 > keys.length ? keys.length * 2 : keys.length;
    this.keys = new Int32Array(size);
    this.counts = new Int32Array(size);
    this.masks = new Int32Array(size * MASK_WORDS);
    this.filter = new Int32Array(size / BUCKETS_PER_FILTER_WORD);
    this.shift = Math.clz32(size / BUCKETS_PER_FILTER_WORD - 1);
    this.usedBuckets = 0;
    this.live = 0;
    for (let from = 0; from < keys.length; from++) {
      if (counts[from]! > 0) this.move(keys[from]!, counts[from]!, masks, from * MASK_WORDS);
    }
  }

  private move(gram: number, count: number, masks: Int32Array, from: number): void {
    const at = this.locate(gram);
    this.usedBuckets++;
    this.start(at, gram);
    this.counts[at] = count;
    for (let i = 0; i < MASK_WORDS; i++) this.masks[at * MASK_WORDS + i] = masks[from + i]!;
  }
}

/** True if a word of the filter has both bits of a hash. */
export function isIn(word: number, hash: number): boolean {
  return ((word >>> (hash >>> 5)) & (word >>> hash) & 1) !== 0;
}

/** The high bits select the word of the filter, the low ten the bits in it. */
export function hashGram(gram: number): number {
  return Math.imul(gram ^ (gram >>> 15), 0x9e3779b1);
}
