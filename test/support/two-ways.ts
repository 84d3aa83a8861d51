import type { Verdict } from '../../src/matcher/index/verdict.ts';
import { LocalIndex } from '../../src/matcher/local-index.ts';
import { PatternIndex } from '../../src/matcher/pattern-index.ts';
import { LocalRunners } from '../../src/matcher/roster/local.ts';

/** An index whose checks are made twice: where they begin, as far as that goes, and by all that has to be run. */
export class TwoWays extends LocalIndex {
  readonly #runners = new LocalRunners();
  readonly #index: PatternIndex;
  /** How many checks were ended where they began. */
  here = 0;

  constructor(mostStrings?: number) {
    super(mostStrings);
    this.#index = new PatternIndex(this.#runners, mostStrings);
  }

  override add(key: number, source: string): void {
    super.add(key, source);
    this.#index.add(key, source);
  }

  override remove(key: number, source: string): void {
    super.remove(key, source);
    this.#index.remove(key, source);
  }

  /** Whether a check of this name would be ended elsewhere where others wait. */
  isLong(forms: readonly string[]): boolean {
    return this.#index.check(forms).kind === 'long';
  }

  /** @throws Error when the two verdicts differ. */
  override check(forms: readonly string[]): Verdict {
    const { matches, rest } = this.#index.look(forms);
    if (matches.size > 0) return super.check(forms);
    const outcome = this.#runners.roster.finish(structuredClone(rest), new Map());
    const elsewhere = outcome.kind === 'done' ? outcome.result : outcome;
    const found = this.#index.check(forms);
    if (found.kind === 'long') return super.check(forms);
    this.here++;
    if (JSON.stringify(found) !== JSON.stringify(elsewhere)) {
      throw new Error(`${JSON.stringify(found)} here, ${JSON.stringify(elsewhere)} elsewhere: ${forms}`);
    }
    return found;
  }
}
