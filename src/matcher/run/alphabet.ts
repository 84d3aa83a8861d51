import type { CharSet } from '../ast.ts';
import { contains } from '../syntax/charset.ts';

/** Stands for the end of the text, as if it were a character. */
export const END = 0;

/** Groups code points into letters: those in exactly the same sets are one letter. */
export class Alphabet {
  /** For every letter, one flag per set: 1 if the set contains it. */
  readonly memberships: Uint8Array[];
  private readonly sets: readonly CharSet[];
  private readonly ascii = new Int16Array(128).fill(-1);
  private readonly others = new Map<number, number>();
  private readonly letters = new Map<string, number>();

  constructor(sets: readonly CharSet[]) {
    this.sets = sets;
    this.memberships = [new Uint8Array(sets.length)];
  }

  letterOf(code: number): number {
    const known = code < 128 ? (this.ascii[code] as number) : (this.others.get(code) ?? -1);
    return known >= 0 ? known : this.classify(code);
  }

  private classify(code: number): number {
    const membership = Uint8Array.from(this.sets, (set) => (contains(set, code) ? 1 : 0));
    const key = membership.join('');
    let letter = this.letters.get(key);
    if (letter === undefined) {
      letter = this.memberships.push(membership) - 1;
      this.letters.set(key, letter);
    }
    if (code < 128) this.ascii[code] = letter;
    else this.remember(code, letter);
    return letter;
  }

  private remember(code: number, letter: number): void {
    if (this.others.size >= 1000) this.others.clear();
    this.others.set(code, letter);
  }
}
