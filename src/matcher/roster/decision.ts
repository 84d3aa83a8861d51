import { BUDGET, PROGRAM_COST, UNITS_PER_STEP } from '../index/budget.ts';
import { type Symbols, symbolsOf } from '../index/symbols.ts';
import { undecided, type Verdict } from '../index/verdict.ts';
import { type SearchResult, StepBudget } from '../run/budget.ts';
import { searchPattern } from '../run/program.ts';
import { encodeText, type Text } from '../run/text.ts';
import type { Entry } from './entry.ts';
import type { SourceOf, Workshop } from './workshop.ts';

/** What is to be decided: for each form of a name the patterns that it has to do with, all of them ready. */
export interface Question {
  readonly forms: readonly string[];
  readonly entries: readonly (readonly Entry[])[];
  readonly workshop: Workshop;
  readonly sourceOf: SourceOf;
}

/** The patterns whose sources are needed first. */
export interface Missing {
  readonly missing: readonly Entry[];
}

interface ProgramWork {
  readonly entry: Entry;
  readonly form: number;
}

/** A pattern that has used so much of the budget is named when the budget ends. */
const HEAVY = BUDGET / 20;

/**
 * The verdict. First the patterns with a layout, all of them in whatever order, the smallest key that matches wins; then
 * those that have to be run by their programs, by key, as far as the budget goes.
 */
export function decide(question: Question): Verdict | Missing {
  const layouts = new LayoutStage(question);
  const ended = layouts.run();
  if (ended !== undefined) return ended;
  if (layouts.matched > 0) return { kind: 'blocked', key: layouts.matched };
  return new ProgramStage(question, layouts).run();
}

class LayoutStage {
  spent = 0;
  matched = 0;
  readonly programs: ProgramWork[] = [];
  private readonly missing: Entry[] = [];
  private readonly question: Question;

  constructor(question: Question) {
    this.question = question;
  }

  run(): Verdict | Missing | undefined {
    const { forms, entries } = this.question;
    for (const [form, list] of entries.entries()) {
      const text = symbolsOf(forms[form]!);
      for (const entry of list) {
        this.meet(entry, form, text);
        if (this.spent > BUDGET) return undecided(keysOf(entries));
      }
    }
    return this.missing.length > 0 ? { missing: this.missing } : undefined;
  }

  private meet(entry: Entry, form: number, text: Symbols): void {
    if (entry.broken) return;
    if (!entry.hasLayout) {
      this.programs.push({ entry, form });
      return;
    }
    const found = this.question.workshop.finds(entry, text, this.question.sourceOf);
    if (found === undefined) this.missing.push(entry);
    else this.spent += this.question.workshop.cost;
    if (found !== true) return;
    if (entry.sieves) this.programs.push({ entry, form });
    else if (this.matched === 0 || entry.key < this.matched) this.matched = entry.key;
  }
}

class ProgramStage {
  private readonly question: Question;
  private readonly works: readonly ProgramWork[];
  private readonly texts: readonly Text[];
  private readonly heavy: number[] = [];
  private spent: number;

  constructor(question: Question, { programs, spent }: LayoutStage) {
    this.question = question;
    this.works = programs.sort((a, b) => a.entry.key - b.entry.key || a.form - b.form);
    this.texts = question.forms.map(encodeText);
    this.spent = spent;
  }

  run(): Verdict | Missing {
    for (const [at, work] of this.works.entries()) {
      const found = this.search(work);
      if (found === undefined) return { missing: this.missingFrom(at) };
      if (found === 'match') return { kind: 'blocked', key: work.entry.key };
      if (found === 'exhausted') return undecided([...this.heavy, work.entry.key]);
    }
    return { kind: 'free' };
  }

  private search({ entry, form }: ProgramWork): SearchResult | undefined {
    const left = BUDGET - this.spent - PROGRAM_COST;
    if (left <= 0) return 'exhausted';
    const program = this.question.workshop.program(entry, this.question.sourceOf);
    if (program === undefined) return undefined;
    const budget = new StepBudget(Math.floor(left / UNITS_PER_STEP));
    const before = budget.remaining;
    const found = searchPattern(program, this.texts[form]!, budget);
    const cost = PROGRAM_COST + (before - budget.remaining) * UNITS_PER_STEP;
    this.spent += cost;
    if (cost > HEAVY) this.heavy.push(entry.key);
    return found;
  }

  private missingFrom(at: number): Entry[] {
    const { workshop, sourceOf } = this.question;
    return this.works
      .slice(at)
      .map(({ entry }) => entry)
      .filter((entry) => !workshop.hasProgram(entry) && sourceOf(entry) === undefined);
  }
}

/** The keys of all patterns that a check has to do with. */
export function* keysOf(entries: readonly (readonly Entry[])[]): Iterable<number> {
  for (const list of entries) for (const { key } of list) yield key;
}
