import { type Explanation, joinedExplanation, type Verdict } from './index/verdict.ts';
import { PatternIndex } from './pattern-index.ts';
import { LocalRunners } from './roster/local.ts';

const NO_SOURCES = new Map<number, string>();

/** An index whose long checks are ended where they begin: for one thread that serves nobody else. */
export class LocalIndex {
  private readonly runners = new LocalRunners();
  private readonly index: PatternIndex;

  /** @param mostStrings How many strings its tables may keep of each kind; by default as many as there is room for. */
  constructor(mostStrings?: number) {
    this.index = new PatternIndex(this.runners, mostStrings);
  }

  get size(): number {
    return this.index.size;
  }

  /** Adds a pattern under a key that is not in use. @throws PatternError when the source is no pattern. */
  add(key: number, source: string): void {
    this.index.add(key, source);
  }

  remove(key: number, source: string): void {
    this.index.remove(key, source);
  }

  /** The verdict on a name in all its forms. */
  check(forms: readonly string[]): Verdict {
    const found = this.index.check(forms);
    if (found.kind !== 'long') return found;
    const outcome = this.runners.roster.finish(found.rest, NO_SOURCES);
    if (outcome.kind !== 'done') throw new Error('All sources are kept.');
    return outcome.result;
  }

  /** All the keys of patterns that match, and of those that could not be decided about. */
  explain(forms: readonly string[]): Explanation {
    const { matches, rest } = this.index.look(forms);
    const outcome = this.runners.roster.explain(rest, NO_SOURCES);
    if (outcome.kind !== 'done') throw new Error('All sources are kept.');
    return joinedExplanation(matches, outcome.result);
  }
}
