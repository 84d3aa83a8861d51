import type { CharSet } from '../ast.ts';

interface SharedSet {
  readonly set: CharSet;
  readonly name: string | undefined;
  uses: number;
}

/** Sets up to this length are compared by content, larger ones by identity. */
const SMALL = 40;

/** The sets that layouts refer to by number, each stored once, up to a limit. */
export class SetTable {
  private readonly entries: (SharedSet | undefined)[] = [];
  private readonly byName = new Map<string, number>();
  private readonly bySet = new Map<CharSet, number>();
  private readonly vacant: number[] = [];
  private readonly max: number;
  private bytes = 0;

  /** @param max in bytes */
  constructor(max: number) {
    this.max = max;
  }

  at(number: number): CharSet {
    return this.entries[number]!.set;
  }

  /** Returns the numbers of sets, to be returned with `release`; undefined if there is no room. */
  takeAll(sets: readonly CharSet[]): Int32Array | undefined {
    const numbers = new Int32Array(sets.length);
    for (const [i, set] of sets.entries()) {
      const number = this.take(set);
      if (number === undefined) {
        this.release(numbers.subarray(0, i));
        return undefined;
      }
      numbers[i] = number;
    }
    return numbers;
  }

  release(numbers: Iterable<number>): void {
    for (const number of numbers) {
      const entry = this.entries[number]!;
      if (--entry.uses > 0) continue;
      this.entries[number] = undefined;
      this.vacant.push(number);
      if (entry.name === undefined) this.bySet.delete(entry.set);
      else this.byName.delete(entry.name);
      this.bytes -= sizeOf(entry.set);
    }
  }

  private take(set: CharSet): number | undefined {
    const name = set.length > SMALL ? undefined : set.join();
    const known = name === undefined ? this.bySet.get(set) : this.byName.get(name);
    if (known !== undefined) {
      this.entries[known]!.uses++;
      return known;
    }
    if (this.bytes + sizeOf(set) > this.max) return undefined;
    const number = this.vacant.pop() ?? this.entries.length;
    this.entries[number] = { set, name, uses: 1 };
    if (name === undefined) this.bySet.set(set, number);
    else this.byName.set(name, number);
    this.bytes += sizeOf(set);
    return number;
  }
}

function sizeOf(set: CharSet): number {
  return 200 + set.length * 8;
}
