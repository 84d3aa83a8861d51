import { BUDGET, PROGRAM_COST, UNITS_PER_STEP } from '../index/budget.ts';
import { type Symbols, symbolsOf } from '../index/symbols.ts';
import type { Tally } from '../index/tally.ts';
import { type IndexSurvey, type IndexVerdict, surveyOf, undecided, verdictOf } from '../index/verdict.ts';
import { type SearchResult, StepBudget } from '../run/budget.ts';
import { searchPattern } from '../run/program.ts';
import { encodeText, type Text } from '../run/text.ts';
import type { CompiledPattern } from './compiled-pattern.ts';
import type { PatternCompilerCache, SourceOf } from './pattern-compiler-cache.ts';

/** A check to decide: for each form of a name, the patterns that apply to it, all of them prepared. */
export interface DecisionInput {
  readonly forms: readonly string[];
  readonly entries: readonly (readonly CompiledPattern[])[];
  readonly workshop: PatternCompilerCache;
  readonly sourceOf: SourceOf;
}

/** A question about one part of the patterns. */
export interface PartQuestion extends DecisionInput {
  /** Collects the matches; it may already hold some. */
  readonly tally: Tally;
}

/** Patterns whose sources are needed first. */
export interface Missing {
  readonly missing: readonly CompiledPattern[];
}

/** The budget ran out; the keys are of patterns that used it up. */
interface Exhausted {
  readonly exhausted: Iterable<number>;
}

interface CandidateWork {
  readonly entry: CompiledPattern;
  readonly form: number;
}

/** A pattern that costs more than this is named when the budget runs out. */
const HEAVY = BUDGET / 20;

/**
 * The verdict of the enforced patterns, without notes. Patterns with a layout run first, in any order, and the smallest
 * key that blocks wins. Then those that need their programs run by key, until the budget runs out.
 */
export function decide(question: PartQuestion): IndexVerdict | Missing {
  const ended = run(question);
  if (ended === undefined) return verdictOf(question.tally);
  return 'missing' in ended ? ended : undecided(ended.exhausted);
}

/** The keys of the patterns that match, in the order of `decide`, until the budget runs out. */
export function note(question: PartQuestion): { readonly found: readonly number[] } | Missing {
  const ended = run(question);
  return ended !== undefined && 'missing' in ended ? ended : { found: question.tally.kept };
}

/** Some of the patterns that match: up to `max`, within the budget. */
export function survey(question: PartQuestion, max: number): IndexSurvey | Missing {
  const ended = run(question);
  if (ended !== undefined && 'missing' in ended) return ended;
  const isFull = question.tally.kept.length > max;
  return surveyOf(question.tally, max, isFull ? [] : (ended?.exhausted ?? []));
}

/** Undefined if the tally has all matches, or one that blocks. */
function run(question: PartQuestion): Missing | Exhausted | undefined {
  const layouts = new LayoutStage(question);
  const ended = layouts.run();
  question.tally.spent = layouts.spent;
  if (ended !== undefined || question.tally.blocked > 0) return ended;
  return new ProgramStage(question, layouts).run();
}

class LayoutStage {
  spent = 0;
  readonly programs: CandidateWork[] = [];
  private readonly missing: CompiledPattern[] = [];
  private readonly question: PartQuestion;

  constructor(question: PartQuestion) {
    this.question = question;
  }

  run(): Missing | Exhausted | undefined {
    const { forms, entries, tally } = this.question;
    for (const [form, list] of entries.entries()) {
      const text = symbolsOf(forms[form]!);
      for (const entry of list) {
        this.meet(entry, form, text);
        if (tally.over || this.spent + tally.charged > BUDGET) return { exhausted: this.allKeys() };
      }
    }
    return this.missing.length > 0 ? { missing: this.missing } : undefined;
  }

  private meet(entry: CompiledPattern, form: number, text: Symbols): void {
    if (entry.broken) return;
    if (!entry.hasLayout) {
      this.programs.push({ entry, form });
      return;
    }
    const found = this.question.workshop.finds(entry, text, this.question.sourceOf);
    if (found === undefined) this.missing.push(entry);
    else this.spent += this.question.workshop.charge(this.question.workshop.cost);
    if (found !== true) return;
    if (entry.prefilters) this.programs.push({ entry, form });
    else this.question.tally.take(entry.key, entry.kind);
  }

  private *allKeys(): Iterable<number> {
    yield* this.question.tally.kept;
    yield* keysOf(this.question.entries);
  }
}

class ProgramStage {
  private readonly question: PartQuestion;
  private readonly works: readonly CandidateWork[];
  private readonly texts: readonly Text[];
  private readonly heavy: number[] = [];
  private spent: number;

  constructor(question: PartQuestion, { programs, spent }: LayoutStage) {
    this.question = question;
    this.works = programs.sort((a, b) => a.entry.key - b.entry.key || a.form - b.form);
    this.texts = question.forms.map(encodeText);
    this.spent = spent;
  }

  run(): Missing | Exhausted | undefined {
    const { tally } = this.question;
    for (const [at, work] of this.works.entries()) {
      const ended = tally.keeps(work.entry.key) ? undefined : this.meet(work, at);
      if (ended !== undefined || tally.blocked > 0) return ended;
    }
    const isOver = tally.over || this.spent + tally.charged > BUDGET;
    return isOver ? { exhausted: [...this.heavy, ...tally.kept] } : undefined;
  }

  private meet(work: CandidateWork, at: number): Missing | Exhausted | undefined {
    const { tally } = this.question;
    const { key, kind } = work.entry;
    const found = this.search(work);
    if (found === undefined) return { missing: this.missingFrom(at) };
    if (found === 'exhausted') return { exhausted: [...this.heavy, ...tally.kept, key] };
    if (found === 'match') tally.take(key, kind);
    return undefined;
  }

  private search({ entry, form }: CandidateWork): SearchResult | undefined {
    const left = BUDGET - this.spent - this.question.tally.charged - PROGRAM_COST;
    if (left <= 0) return 'exhausted';
    const program = this.question.workshop.program(entry, this.question.sourceOf);
    if (program === undefined) return undefined;
    const budget = new StepBudget(Math.floor(left / UNITS_PER_STEP));
    const before = budget.remaining;
    const found = searchPattern(program, this.texts[form]!, budget);
    const cost = PROGRAM_COST + (before - budget.remaining) * UNITS_PER_STEP;
    this.spent += this.question.workshop.charge(cost);
    this.question.tally.spent = this.spent;
    if (cost > HEAVY) this.heavy.push(entry.key);
    return found;
  }

  private missingFrom(at: number): CompiledPattern[] {
    const { workshop, sourceOf } = this.question;
    return this.works
      .slice(at)
      .map(({ entry }) => entry)
      .filter((entry) => !workshop.hasProgram(entry) && sourceOf(entry) === undefined);
  }
}

/** The keys of all patterns that apply to a check. */
export function* keysOf(entries: readonly (readonly CompiledPattern[])[]): Iterable<number> {
  for (const list of entries) for (const { key } of list) yield key;
}
