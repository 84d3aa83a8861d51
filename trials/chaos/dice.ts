import { Random } from '../../test/support/random.ts';

/** Random choices from a seed. */
export class Dice {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  int(from: number, to: number): number {
    return from + this.#random.below(to - from + 1);
  }

  chance(probability: number): boolean {
    return this.#random.below(1_000_000) < probability * 1_000_000;
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.#random.below(items.length)];
  }

  /** One of the items, each as often as its weight says. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let rest =
      this.#random.below(1_000_000) * (items.reduce((sum, { weight }) => sum + weight, 0) / 1_000_000);
    for (const item of items) {
      rest -= item.weight;
      if (rest < 0) return item;
    }
    return items.at(-1)!;
  }
}
