import { randomNumbers } from '../matcher/random.ts';

/** Random choices from a seed. */
export class Dice {
  readonly #below: (limit: number) => number;

  constructor(seed: number) {
    this.#below = randomNumbers(seed);
  }

  int(from: number, to: number): number {
    return from + this.#below(to - from + 1);
  }

  chance(probability: number): boolean {
    return this.#below(1_000_000) < probability * 1_000_000;
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.#below(items.length)];
  }

  /** One of the items, each as often as its weight says. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let rest = this.#below(1_000_000) * (items.reduce((sum, { weight }) => sum + weight, 0) / 1_000_000);
    for (const item of items) {
      rest -= item.weight;
      if (rest < 0) return item;
    }
    return items.at(-1)!;
  }
}
