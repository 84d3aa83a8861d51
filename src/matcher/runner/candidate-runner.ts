import { symbolsOf } from '../index/symbols.ts';
import { enforcedTally, notedTally, surveyTally, type Tally } from '../index/tally.ts';
import { BLOCKING, NOTED, type PatternKind } from '../index/traits.ts';
import {
  type IndexExplanation,
  type IndexSurvey,
  type IndexVerdict,
  type LongCheck,
  surveyOf,
  undecided,
} from '../index/verdict.ts';
import { CompiledPattern } from './compiled-pattern.ts';
import {
  type DecisionInput,
  decide,
  keysOf,
  type Missing,
  note,
  type PartQuestion,
  survey,
} from './decision.ts';
import { explain } from './explanation.ts';
import { PatternCompilerCache } from './pattern-compiler-cache.ts';
import { NOWHERE } from './source-arena.ts';

/** Patterns whose sources are needed first. */
interface MissingPatterns {
  readonly kind: 'missing';
  readonly keys: readonly number[];
}

/** A result, or the sources that it needs first. */
export type RunOutcome<T> = { readonly kind: 'done'; readonly result: T } | MissingPatterns;

/** Sources fetched for one check. */
export type Fetched = ReadonlyMap<number, string>;

/**
 * All patterns that have to be run, prepared for long checks. It decides what the index cannot decide immediately, and
 * needs from the index only the keys that apply to a name.
 */
export class CandidateRunner {
  private readonly read: (place: number) => string;
  private readonly entries = new Map<number, CompiledPattern>();
  /** Patterns that are run for every name, by part. */
  private readonly everywhere = { enforced: new Set<CompiledPattern>(), noted: new Set<CompiledPattern>() };
  private readonly workshop = new PatternCompilerCache();
  private round = 0;

  /** @param read returns a source by its place */
  constructor(read: (place: number) => string) {
    this.read = read;
  }

  add(key: number, source: number, everywhere: boolean, kind: PatternKind = BLOCKING): void {
    const entry = new CompiledPattern(key, source, everywhere, kind);
    this.entries.set(key, entry);
    if (everywhere) this.placeOf(entry).add(entry);
  }

  remove(key: number): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.placeOf(entry).delete(entry);
    this.workshop.discard(entry);
  }

  /** Returns the charges since the last call, in units. */
  takeCharged(): number {
    return this.workshop.takeCharged();
  }

  /** Prepares a pattern before it is needed. The source must be given if it is not kept. */
  prepare(key: number, source?: string): void {
    const entry = this.entries.get(key);
    const text = entry && (source ?? this.kept(entry));
    if (entry !== undefined && text !== undefined) this.workshop.prepare(entry, text);
  }

  /** The verdict of the enforced patterns on a name, without notes. */
  finish(long: LongCheck, fetched: Fetched): RunOutcome<IndexVerdict> {
    const question = this.partOf(long, fetched, [this.everywhere.enforced], enforcedTally());
    const found = this.ended(question, fetched, decide);
    if (found === undefined) return { kind: 'done', result: undecided(keysOf(question.entries)) };
    return 'missing' in found ? wanted(found.missing) : { kind: 'done', result: found };
  }

  /** The keys of the noted patterns that match a name, as far as their budget allows. */
  note(long: LongCheck, fetched: Fetched): RunOutcome<readonly number[]> {
    const question = this.partOf(long, fetched, [this.everywhere.noted], notedTally());
    // Makes the matches found within the budget independent of the order of insertion.
    for (const list of question.entries) list.sort((a, b) => a.key - b.key);
    const found = this.ended(question, fetched, note);
    if (found === undefined) return { kind: 'done', result: question.tally.kept };
    return 'missing' in found ? wanted(found.missing) : { kind: 'done', result: found.found };
  }

  /** The keys of all patterns that match, and of those that could not be decided. */
  explain(long: LongCheck, fetched: Fetched): RunOutcome<IndexExplanation> {
    const { enforced, noted } = this.everywhere;
    const question = this.questionOf(long, fetched, [enforced, noted]);
    const missing = question.entries.flat().filter((entry) => question.sourceOf(entry) === undefined);
    if (missing.length > 0) return wanted(missing);
    this.prepareAll(question);
    return { kind: 'done', result: explain(question) };
  }

  /**
   * Some of the patterns that match, within the budget of a check.
   * @param max maximum number of matches
   */
  survey(long: LongCheck, fetched: Fetched, max: number): RunOutcome<IndexSurvey> {
    const { enforced, noted } = this.everywhere;
    const question = this.partOf(long, fetched, [enforced, noted], surveyTally(max + 1));
    const found = this.ended(question, fetched, (asked) => survey(asked, max));
    if (found === undefined) {
      return { kind: 'done', result: surveyOf(question.tally, max, keysOf(question.entries)) };
    }
    return 'missing' in found ? wanted(found.missing) : { kind: 'done', result: found };
  }

  private questionOf(long: LongCheck, fetched: Fetched, everywhere: readonly Iterable<CompiledPattern>[]) {
    return {
      forms: long.forms,
      entries: this.meet(long, everywhere),
      workshop: this.workshop,
      sourceOf: (entry: CompiledPattern) => fetched.get(entry.key) ?? this.kept(entry),
    };
  }

  private partOf(
    long: LongCheck,
    fetched: Fetched,
    everywhere: readonly Iterable<CompiledPattern>[],
    tally: Tally,
  ) {
    tally.keepAll(long.kept);
    return { ...this.questionOf(long, fetched, everywhere), tally };
  }

  /** Undefined if too many sources are missing. */
  private ended<T extends object>(
    question: PartQuestion,
    fetched: Fetched,
    end: (question: PartQuestion) => T | Missing,
  ): T | Missing | undefined {
    const missing = question.entries.flatMap((list, form) => {
      const { plain } = symbolsOf(question.forms[form]!);
      return list.filter((entry) => this.isUnknown(entry, plain, fetched));
    });
    if (missing.length === 0) this.prepareAll(question);
    const found = missing.length > 0 ? { missing } : end(question);
    const isTooMuch = 'missing' in found && fetched.size + found.missing.length > MAX_FETCHED;
    return isTooMuch ? undefined : found;
  }

  private prepareAll({ entries, sourceOf }: DecisionInput): void {
    for (const entry of entries.flat()) if (!entry.ready) this.workshop.prepare(entry, sourceOf(entry)!);
  }

  /** The entries that apply to a check, for each form. */
  private meet({ keys }: LongCheck, everywhere: readonly Iterable<CompiledPattern>[]): CompiledPattern[][] {
    return keys.map((list) => {
      const round = ++this.round;
      const met: CompiledPattern[] = everywhere.flatMap((entries) => [...entries]);
      for (const key of list) {
        const entry = this.entries.get(key);
        if (entry === undefined || entry.met === round || entry.everywhere) continue;
        entry.met = round;
        met.push(entry);
      }
      return met;
    });
  }

  private placeOf({ kind }: CompiledPattern): Set<CompiledPattern> {
    return kind === NOTED ? this.everywhere.noted : this.everywhere.enforced;
  }

  private kept({ source }: CompiledPattern): string | undefined {
    return source === NOWHERE ? undefined : this.read(source);
  }

  /** True if its source is needed, but neither kept nor fetched. */
  private isUnknown(entry: CompiledPattern, plain: boolean, fetched: Fetched): boolean {
    if (entry.source !== NOWHERE || fetched.has(entry.key)) return false;
    return !entry.ready || (entry.hasLayout && !this.workshop.hasAtHand(entry, plain));
  }
}

function wanted(missing: readonly CompiledPattern[]): MissingPatterns {
  return { kind: 'missing', keys: [...new Set(missing.map(({ key }) => key))] };
}

/** Maximum number of sources fetched for one check. */
const MAX_FETCHED = 500;
