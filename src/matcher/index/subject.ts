import { foldCode, putCode } from '../analysis/fold.ts';
import { type GramIndex, hashGram, isIn } from './gram-index.ts';
import { type HashKey, mix } from './hash-key.ts';

const DOT = 46;
const NEWLINE = 10;

let loaded = 0;

/**
 * A name prepared for the tables, in reused buffers: its folded bytes, the prefix sums of their hash, the starts of its
 * labels, and the positions where a stored literal may begin.
 */
export class PreparedName {
  text = '';
  bytes = new Uint8Array(1024);
  length = 0;
  /** Distinguishes the names that are loaded one after another. */
  serial = 0;
  sums = new Int32Array(1025);
  readonly starts: number[] = [];
  starting = 0;
  readonly hits: number[] = [];
  hitting = 0;
  private newlines: boolean | undefined;
  private readonly key: HashKey;

  constructor(key: HashKey) {
    this.key = key;
  }

  load(text: string): void {
    this.text = text;
    this.serial = ++loaded;
    this.newlines = undefined;
    if (text.length * 3 > this.bytes.length) this.grow(text.length * 3);
    const bytes = this.bytes;
    const length = text.length;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) {
        this.loadFolded(text);
        return;
      }
      bytes[i] = code >= 65 && code <= 90 ? code + 32 : code;
    }
    this.length = length;
  }

  /** Computes the sums and the label starts in one pass. */
  scan(): void {
    const { bytes, sums, starts, length } = this;
    const { values, multiplier } = this.key;
    let sum = 0;
    this.starting = 1;
    starts[0] = 0;
    for (let i = 0; i < length; i++) {
      const byte = bytes[i]!;
      sum = (Math.imul(sum, multiplier) + values[byte]!) | 0;
      sums[i + 1] = sum;
      if (byte === DOT) starts[this.starting++] = i + 1;
    }
  }

  /** Finds the positions where a literal may begin: the first `hitting` entries of `hits`. */
  sift(grams: GramIndex): void {
    const { sums, hits, length } = this;
    const { filter, shift, size } = grams;
    const power = this.key.powers[size]!;
    this.hitting = 0;
    for (let to = size; to <= length; to++) {
      const hash = hashGram((sums[to]! - Math.imul(sums[to - size]!, power)) | 0);
      if (isIn(filter[hash >>> shift]!, hash)) hits[this.hitting++] = to - size;
    }
  }

  /** The sum of the bytes from `from` up to `to`. */
  sum(from: number, to: number): number {
    return (this.sums[to]! - Math.imul(this.sums[from]!, this.key.powers[to - from]!)) | 0;
  }

  /** The hash of the bytes from `from` up to `to`. */
  hash(from: number, to: number): number {
    return mix(this.sum(from, to));
  }

  /** Number of labels, each with its dot, that end before a byte; -1 within a label. */
  labelsBefore(at: number): number {
    let low = 0;
    let high = this.starting;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.starts[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return low < this.starting && this.starts[low] === at ? low : -1;
  }

  /** Names normally have no newline, which is checked only once. */
  hasNewline(from: number, to: number): boolean {
    this.newlines ??= this.holdsNewline(0, this.length);
    return this.newlines && this.holdsNewline(from, to);
  }

  private holdsNewline(from: number, to: number): boolean {
    for (let i = from; i < to; i++) if (this.bytes[i] === NEWLINE) return true;
    return false;
  }

  private loadFolded(text: string): void {
    let end = 0;
    for (const character of text) end = putCode(this.bytes, end, foldCode(character.codePointAt(0)!));
    this.length = end;
  }

  private grow(size: number): void {
    this.bytes = new Uint8Array(size);
    this.sums = new Int32Array(size + 1);
    this.key.reach(size);
  }
}
