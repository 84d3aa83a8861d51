import { randomFillSync } from 'node:crypto';
import { IntegerColumn } from './column.ts';

/** Bytes per page, and the maximum length of a text. */
const PAGE = 1_048_576;
/** Each shard grows on its own, so that no growth takes long. */
const SHARDS = 1024;
const FIRST_SLOTS = 8;

/**
 * Random factors, one per position in a text, for a multilinear hash. Without knowing them, an attacker cannot
 * construct colliding texts (Lemire, Kaser: Strongly universal string hashing is fast). The upper 25 bits are the hash.
 */
const FACTORS = randomFillSync(new Int32Array(65_536));

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) {
    hash = (hash + Math.imul(FACTORS[at & 0xffff]!, text.charCodeAt(at))) | 0;
  }
  return hash >>> 0;
}

/**
 * Distinct ASCII texts, numbered from 0 in the order they were added. Their bytes lie outside the heap, so that
 * millions of short texts take little more memory than their characters.
 */
export class TextPool {
  readonly #pages: Buffer[] = [];
  #used = PAGE;
  /** The start of each text, as page number times page size plus the offset in the page. */
  readonly #starts = new IntegerColumn();
  readonly #lengths = new IntegerColumn();
  readonly #hashes = new IntegerColumn();
  /** Open addressing: a slot holds the number of a text plus 1, or 0 if it is empty. */
  readonly #shards: Uint32Array[] = Array.from({ length: SHARDS }, () => new Uint32Array(FIRST_SLOTS));
  readonly #filled = new Uint32Array(SHARDS);

  get size(): number {
    return this.#starts.size;
  }

  text(id: number): string {
    const start = this.#starts.at(id);
    const begin = start % PAGE;
    return this.#pages[Math.floor(start / PAGE)]!.toString('latin1', begin, begin + this.#lengths.at(id));
  }

  find(text: string): number | undefined {
    const hash = hashOf(text);
    const shard = this.#shards[hash >>> 22]!;
    const found = shard[this.#slotOf(shard, hash, text)]!;
    return found === 0 ? undefined : found - 1;
  }

  /** The number of the text. A new text is added. */
  idOf(text: string): number {
    const hash = hashOf(text);
    const at = hash >>> 22;
    const shard = this.#shards[at]!;
    const slot = this.#slotOf(shard, hash, text);
    if (shard[slot] !== 0) return shard[slot]! - 1;
    this.#keep(text, hash);
    shard[slot] = this.size;
    this.#filled[at]! += 1;
    if (this.#filled[at]! * 2 > shard.length) this.#shards[at] = this.#grown(shard);
    return this.size - 1;
  }

  /** The slot that holds the text, or the empty slot where it belongs. */
  #slotOf(shard: Uint32Array, hash: number, text: string): number {
    const mask = shard.length - 1;
    for (let slot = (hash >>> 7) & mask; ; slot = (slot + 1) & mask) {
      const one = shard[slot]!;
      if (one === 0 || (this.#hashes.at(one - 1) === hash && this.text(one - 1) === text)) return slot;
    }
  }

  #grown(shard: Uint32Array): Uint32Array {
    const grown = new Uint32Array(shard.length * 2);
    const mask = grown.length - 1;
    for (const one of shard) {
      if (one === 0) continue;
      let slot = (this.#hashes.at(one - 1) >>> 7) & mask;
      while (grown[slot] !== 0) slot = (slot + 1) & mask;
      grown[slot] = one;
    }
    return grown;
  }

  #keep(text: string, hash: number): void {
    if (this.#used + text.length > PAGE) {
      this.#pages.push(Buffer.allocUnsafeSlow(PAGE));
      this.#used = 0;
    }
    this.#pages.at(-1)!.write(text, this.#used, 'latin1');
    this.#starts.push((this.#pages.length - 1) * PAGE + this.#used);
    this.#lengths.push(text.length);
    this.#hashes.push(hash);
    this.#used += text.length;
  }
}
