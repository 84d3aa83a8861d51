import { MODES, type Mode } from '../../model/blacklists/blacklist.ts';
import { NumberSet } from './number-set.ts';

/** Number of indexed patterns, by mode. */
export type PatternCounts = Readonly<Record<Mode, number>>;

/** Numbers of the indexed patterns, by mode. A removal gives the number only, not the mode. */
export class IndexedNumbers {
  readonly #sets = new Map<Mode, NumberSet>(MODES.map((mode) => [mode, new NumberSet()]));
  readonly #counts: Record<Mode, number> = { enforce: 0, warn: 0, audit: 0 };

  get counts(): PatternCounts {
    return { ...this.#counts };
  }

  has(number: number): boolean {
    return this.#modeOf(number) !== undefined;
  }

  /** Adds a number that is not in the set. */
  add(number: number, mode: Mode): void {
    this.#sets.get(mode)!.add(number);
    this.#counts[mode] += 1;
  }

  delete(number: number): void {
    const mode = this.#modeOf(number);
    if (mode === undefined) return;
    this.#sets.get(mode)!.delete(number);
    this.#counts[mode] -= 1;
  }

  #modeOf(number: number): Mode | undefined {
    return MODES.find((mode) => this.#sets.get(mode)!.has(number));
  }
}
