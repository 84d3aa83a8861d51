import type { PatternTraits } from './index/traits.ts';
import {
  type IndexExplanation,
  type IndexVerdict,
  joinedExplanation,
  notesOf,
  withNotes,
} from './index/verdict.ts';
import { PatternIndex } from './pattern-index.ts';
import type { RunOutcome } from './runner/candidate-runner.ts';
import { LocalRunners } from './runner/local.ts';

const NO_SOURCES = new Map<number, string>();

/** An index that completes long checks in its own thread, which must serve nothing else. */
export class LocalIndex {
  private readonly runners: LocalRunners;
  private readonly index: PatternIndex;

  /** @param mostStrings maximum number of strings in each table; by default limited only by space */
  constructor(maxStrings?: number, runners = new LocalRunners()) {
    this.runners = runners;
    this.index = new PatternIndex(runners, maxStrings);
  }

  get size(): number {
    return this.index.size;
  }

  /**
   * Adds a pattern under an unused key.
   * @param traits by default, a match refuses the name unconditionally
   * @throws PatternError if the source is not a valid pattern
   */
  add(key: number, source: string, traits?: PatternTraits): void {
    this.index.add(key, source, traits);
  }

  /** @param traits those it was added with */
  remove(key: number, source: string, traits?: PatternTraits): void {
    this.index.remove(key, source, traits);
  }

  /** The verdict on a name in all its forms. */
  check(forms: readonly string[]): IndexVerdict {
    const { candidates } = this.runners;
    const found = this.index.check(forms);
    const noted =
      found.kind === 'long'
        ? this.index.note(resultOf(candidates.finish(found.rest, NO_SOURCES)), forms)
        : found;
    if (noted.kind !== 'noting') return noted;
    return withNotes(noted.pass, notesOf(resultOf(candidates.note(noted.rest, NO_SOURCES))));
  }

  /** The keys of all patterns that match, and of those that could not be decided. */
  explain(forms: readonly string[]): IndexExplanation {
    const { matches, rest } = this.index.look(forms);
    return joinedExplanation(matches, resultOf(this.runners.candidates.explain(rest, NO_SOURCES)));
  }
}

function resultOf<T>(outcome: RunOutcome<T>): T {
  if (outcome.kind !== 'done') throw new Error('All sources are kept.');
  return outcome.result;
}
