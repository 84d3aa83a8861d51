import type { CharSet } from '../ast.ts';
import { contains } from '../syntax/charset.ts';

/** Tests which sets of a program contain a code point: a table for ASCII, a search for the rest. */
export class Membership {
  private readonly sets: readonly CharSet[];
  private readonly ascii: Uint8Array;

  constructor(sets: readonly CharSet[]) {
    this.sets = sets;
    this.ascii = new Uint8Array(sets.length * 128);
    for (const [index, set] of sets.entries()) {
      for (let i = 0; i < set.length && (set[i] as number) < 128; i += 2) {
        const end = Math.min(set[i + 1] as number, 127);
        this.ascii.fill(1, index * 128 + (set[i] as number), index * 128 + end + 1);
      }
    }
  }

  has(set: number, code: number): boolean {
    return code < 128 ? this.ascii[set * 128 + code] === 1 : contains(this.sets[set] as CharSet, code);
  }
}
