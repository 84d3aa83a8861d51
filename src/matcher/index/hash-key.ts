/**
 * A keyed hash of byte strings. The key is random per index, so that authors of patterns cannot provoke collisions. The
 * index compares the bytes after every hit, so the key never affects a verdict. The hash is a polynomial over a random
 * value per byte: the hash of any part of a name follows from two prefix sums.
 */
export class HashKey {
  readonly values = new Int32Array(256);
  readonly multiplier: number;
  powers = new Int32Array(1);

  constructor() {
    globalThis.crypto.getRandomValues(this.values);
    this.multiplier = (this.values[255]! & ~7) | 5;
    this.values[255] = this.values[254]! ^ 0x5bd1e995;
    this.powers[0] = 1;
    this.reach(512);
  }

  /** Extends `powers` for parts of up to `length` bytes. */
  reach(length: number): void {
    if (length < this.powers.length) return;
    const grown = new Int32Array(length + 1);
    grown[0] = 1;
    for (let i = 1; i <= length; i++) grown[i] = Math.imul(grown[i - 1]!, this.multiplier);
    this.powers = grown;
  }

  /** Equals the number that two prefix sums give for this part. */
  hash(bytes: Uint8Array, from: number, to: number): number {
    return mix(this.sum(bytes, from, to));
  }

  sum(bytes: Uint8Array, from: number, to: number): number {
    let sum = 0;
    for (let i = from; i < to; i++) sum = (Math.imul(sum, this.multiplier) + this.values[bytes[i]!]!) | 0;
    return sum;
  }
}

/** Spreads a prefix sum over all 32 bits. */
export function mix(sum: number): number {
  let hash = sum ^ (sum >>> 16);
  hash = Math.imul(hash, 0x45d9f3b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 16);
}
