import type { Traits } from './index/traits.ts';
import { type Explanation, joinedExplanation, notesOf, type Verdict, withNotes } from './index/verdict.ts';
import { PatternIndex } from './pattern-index.ts';
import { LocalRunners } from './roster/local.ts';
import type { Outcome } from './roster/roster.ts';

const NO_SOURCES = new Map<number, string>();

/** An index whose long checks are ended where they begin: for one thread that serves nobody else. */
export class LocalIndex {
  private readonly runners: LocalRunners;
  private readonly index: PatternIndex;

  /** @param mostStrings How many strings its tables may keep of each kind; by default as many as there is room for. */
  constructor(mostStrings?: number, runners = new LocalRunners()) {
    this.runners = runners;
    this.index = new PatternIndex(runners, mostStrings);
  }

  get size(): number {
    return this.index.size;
  }

  /**
   * Adds a pattern under a key that is not in use.
   *
   * @param traits By default a match refuses the name, whatever else there is.
   * @throws PatternError when the source is no pattern.
   */
  add(key: number, source: string, traits?: Traits): void {
    this.index.add(key, source, traits);
  }

  /** @param traits Those that it was added with. */
  remove(key: number, source: string, traits?: Traits): void {
    this.index.remove(key, source, traits);
  }

  /** The verdict on a name in all its forms. */
  check(forms: readonly string[]): Verdict {
    const { roster } = this.runners;
    const found = this.index.check(forms);
    const noted =
      found.kind === 'long' ? this.index.note(resultOf(roster.finish(found.rest, NO_SOURCES)), forms) : found;
    if (noted.kind !== 'noting') return noted;
    return withNotes(noted.pass, notesOf(resultOf(roster.note(noted.rest, NO_SOURCES))));
  }

  /** All the keys of patterns that match, and of those that could not be decided about. */
  explain(forms: readonly string[]): Explanation {
    const { matches, rest } = this.index.look(forms);
    return joinedExplanation(matches, resultOf(this.runners.roster.explain(rest, NO_SOURCES)));
  }
}

function resultOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'done') throw new Error('All sources are kept.');
  return outcome.result;
}
