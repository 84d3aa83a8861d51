import { StepBudget } from '../run/budget.ts';
import { searchPattern } from '../run/program.ts';
import { encodeText } from '../run/text.ts';
import { BUDGET, PROGRAM_COST, UNITS_PER_STEP } from './budget.ts';
import type { Candidates, LiteralCandidates, WorkAllowance } from './candidates.ts';
import type { GroupRun } from './groups.ts';
import { type Symbols, symbolsOf } from './symbols.ts';
import type { Tally } from './tally.ts';
import type { PatternKind } from './traits.ts';

/** Maximum number of literal places, and of patterns behind them, examined here. */
const MAX_PLACES = 1000;
const PLACE_WORK = 100;
/** Minimum cost of running a pattern on its own, and the cost per character of the name. */
const SINGLE_WORK = 500;
const CHARACTER_WORK = 4;

/** A pattern to run by its program, on one of the forms. */
interface ProgramWork {
  readonly key: number;
  readonly form: number;
}

/** Dependencies of an attempt. */
export interface Means {
  readonly candidates: Candidates;
  readonly allowance: WorkAllowance;
  kindOf(key: number): PatternKind;
}

/**
 * Tries to determine immediately which patterns of a part match a name. It either reaches the result that the check
 * would have elsewhere, or gives up because there is more to run, or to charge, than is allowed here.
 */
export class Attempt {
  private readonly candidates: Candidates;
  private readonly kindOf: (key: number) => PatternKind;
  private readonly forms: readonly string[];
  private readonly allowance: WorkAllowance;
  private readonly tally: Tally;
  /** Upper bound of the charge for layouts elsewhere: patterns met twice are counted twice. */
  private charged = 0;
  private readonly programs: ProgramWork[] = [];

  /** @param tally collects the matches; it may already hold some */
  constructor({ candidates, allowance, kindOf }: Means, forms: readonly string[], tally: Tally) {
    this.candidates = candidates;
    this.allowance = allowance;
    this.kindOf = kindOf;
    this.forms = forms;
    this.tally = tally;
  }

  /**
   * True if the tally has all matches, or one that blocks.
   * @param places for each form, the places that apply to it
   */
  succeeds(places: readonly (readonly LiteralCandidates[])[]): boolean {
    const texts = this.forms.map(symbolsOf);
    const regular = places.every((list, form) => this.runPlaces(list, form, texts[form]!));
    if (!regular || this.isTooMuch) return false;
    return this.tally.blocked > 0 || (this.runPrograms() && !this.isTooMuch);
  }

  private get isTooMuch(): boolean {
    return this.charged + this.tally.charged > BUDGET / 2;
  }

  private runPlaces(places: readonly LiteralCandidates[], form: number, text: Symbols): boolean {
    if (places.length > MAX_PLACES) return false;
    this.allowance.left -= places.length * PLACE_WORK;
    if (this.minWork(places, text) > this.allowance.left) return false;
    const seen = new Set<number>();
    return places.every((place) =>
      this.candidates.isGroup(place)
        ? this.runGroup(place, form, text)
        : place.keys.every((key) => seen.has(key) || this.runSingle(key, form, text, seen)),
    );
  }

  private minWork(places: readonly LiteralCandidates[], { length }: Symbols): number {
    let singles = 0;
    for (const place of places) if (!this.candidates.isGroup(place)) singles += place.keys.length;
    return singles * (SINGLE_WORK + length * CHARACTER_WORK);
  }

  private runGroup(place: LiteralCandidates, form: number, text: Symbols): boolean {
    const group = this.candidates.group(place, this.allowance);
    if (group === undefined) return false;
    for (const key of group.irregular) this.programs.push({ key, form });
    return group.runs.every((run) => this.runTogether(run, form, text));
  }

  private runSingle(key: number, form: number, text: Symbols, seen: Set<number>): boolean {
    seen.add(key);
    const single = this.candidates.single(key, this.allowance);
    if (single === undefined) return false;
    if (single.run !== undefined) return this.runTogether(single.run, form, text);
    this.programs.push({ key, form });
    return true;
  }

  private runTogether({ run, prefilters }: GroupRun, form: number, text: Symbols): boolean {
    const outcome = run.run(text, this.allowance.left);
    if (outcome === undefined) return false;
    this.allowance.left -= outcome.work;
    this.charged += outcome.cost;
    for (const key of outcome.matched) {
      if (prefilters) this.programs.push({ key, form });
      else this.tally.take(key, this.kindOf(key));
    }
    return this.allowance.left > 0;
  }

  private runPrograms(): boolean {
    this.programs.sort((a, b) => a.key - b.key || a.form - b.form);
    for (const work of this.programs) {
      if (this.tally.keeps(work.key)) continue;
      const found = this.runProgram(work);
      if (found === undefined) return false;
      if (found) this.tally.take(work.key, this.kindOf(work.key));
      if (this.tally.blocked > 0) return true;
    }
    return true;
  }

  private runProgram({ key, form }: ProgramWork): boolean | undefined {
    const { allowance } = this;
    const program = this.candidates.program(key, allowance);
    const steps = Math.floor((allowance.left - PROGRAM_COST) / UNITS_PER_STEP);
    if (program === undefined || steps <= 0) return undefined;
    const budget = new StepBudget(steps);
    const found = searchPattern(program, encodeText(this.forms[form]!), budget);
    if (found === 'exhausted') return undefined;
    allowance.left -= PROGRAM_COST + (steps - budget.remaining) * UNITS_PER_STEP;
    return found === 'match';
  }
}
