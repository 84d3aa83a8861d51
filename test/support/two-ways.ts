import type { PatternTraits } from '../../src/matcher/index/traits.ts';
import type { IndexVerdict } from '../../src/matcher/index/verdict.ts';
import { LocalIndex } from '../../src/matcher/local-index.ts';
import { PatternIndex } from '../../src/matcher/pattern-index.ts';
import { LocalRunners } from '../../src/matcher/runner/local.ts';

/** Where nothing is at hand that has to be run: the roster decides about all of it. */
class DistantRunners extends LocalRunners {
  override sourceOf(): undefined {
    return undefined;
  }
}

/** An index whose checks are made twice: where they begin, as far as that goes, and by all that has to be run. */
export class TwoWays extends LocalIndex {
  readonly #index: PatternIndex;
  /** How many checks were ended where they began. */
  here = 0;

  constructor(maxStrings?: number) {
    super(maxStrings, new DistantRunners());
    this.#index = new PatternIndex(new LocalRunners(), maxStrings);
  }

  override add(key: number, source: string, traits?: PatternTraits): void {
    super.add(key, source, traits);
    this.#index.add(key, source, traits);
  }

  override remove(key: number, source: string, traits?: PatternTraits): void {
    super.remove(key, source, traits);
    this.#index.remove(key, source, traits);
  }

  /** Whether a check of this name would be ended elsewhere where others wait. */
  isLong(forms: readonly string[]): boolean {
    const { kind } = this.#index.check(forms);
    return kind === 'long' || kind === 'noting';
  }

  /** @throws Error when the two verdicts differ. */
  override check(forms: readonly string[]): IndexVerdict {
    const elsewhere = super.check(forms);
    const found = this.#index.check(forms);
    if (found.kind === 'long' || found.kind === 'noting') return elsewhere;
    this.here++;
    if (JSON.stringify(found) !== JSON.stringify(elsewhere)) {
      throw new Error(`${JSON.stringify(found)} here, ${JSON.stringify(elsewhere)} elsewhere: ${forms}`);
    }
    return found;
  }
}
