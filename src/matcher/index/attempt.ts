import { StepBudget } from '../run/budget.ts';
import { searchPattern } from '../run/program.ts';
import { encodeText } from '../run/text.ts';
import { BUDGET, PROGRAM_COST, SYNCHRONOUS, UNITS_PER_STEP } from './budget.ts';
import type { Allowance, Candidates, Place } from './candidates.ts';
import type { Run } from './groups.ts';
import { type Symbols, symbolsOf } from './symbols.ts';
import type { Verdict } from './verdict.ts';

/** How many places of literals, and patterns behind them, are looked at here. */
const MOST_PLACES = 1000;
const PLACE_WORK = 100;
/** What running a pattern by itself takes at least, and each character of the name. */
const SINGLE_WORK = 500;
const CHARACTER_WORK = 4;

/** A pattern to be run by its program, on one of the forms. */
interface ProgramWork {
  readonly key: number;
  readonly form: number;
}

/**
 * Tries to decide about a name here and now. The outcome is the verdict that a check comes to that is done elsewhere, or
 * undefined: then there is more to do, or to be charged, than should be done here.
 */
export class Attempt {
  private readonly candidates: Candidates;
  private readonly forms: readonly string[];
  private readonly allowance: Allowance = { left: SYNCHRONOUS };
  /** At least what the check is charged elsewhere: patterns that are met twice are counted twice. */
  private charged = 0;
  private matched = 0;
  private readonly programs: ProgramWork[] = [];

  constructor(candidates: Candidates, forms: readonly string[]) {
    this.candidates = candidates;
    this.forms = forms;
  }

  /** @param places For each form, the places that it has to do with. */
  decide(places: readonly (readonly Place[])[]): Verdict | undefined {
    const texts = this.forms.map(symbolsOf);
    const regular = places.every((list, form) => this.runPlaces(list, form, texts[form]!));
    if (!regular || this.charged > BUDGET / 2) return undefined;
    return this.matched > 0 ? { kind: 'blocked', key: this.matched } : this.runPrograms();
  }

  private runPlaces(places: readonly Place[], form: number, text: Symbols): boolean {
    if (places.length > MOST_PLACES) return false;
    this.allowance.left -= places.length * PLACE_WORK;
    if (this.leastWork(places, text) > this.allowance.left) return false;
    const seen = new Set<number>();
    return places.every((place) =>
      this.candidates.isGroup(place)
        ? this.runGroup(place, form, text)
        : place.keys.every((key) => seen.has(key) || this.runSingle(key, form, text, seen)),
    );
  }

  private leastWork(places: readonly Place[], { length }: Symbols): number {
    let singles = 0;
    for (const place of places) if (!this.candidates.isGroup(place)) singles += place.keys.length;
    return singles * (SINGLE_WORK + length * CHARACTER_WORK);
  }

  private runGroup(place: Place, form: number, text: Symbols): boolean {
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

  private runTogether({ run, sieves }: Run, form: number, text: Symbols): boolean {
    const outcome = run.run(text, this.allowance.left);
    if (outcome === undefined) return false;
    this.allowance.left -= outcome.work;
    this.charged += outcome.cost;
    for (const key of outcome.matched) {
      if (sieves) this.programs.push({ key, form });
      else if (this.matched === 0 || key < this.matched) this.matched = key;
    }
    return this.allowance.left > 0;
  }

  private runPrograms(): Verdict | undefined {
    this.programs.sort((a, b) => a.key - b.key || a.form - b.form);
    for (const work of this.programs) {
      const found = this.runProgram(work);
      if (found === undefined) return undefined;
      if (found) return { kind: 'blocked', key: work.key };
    }
    return { kind: 'free' };
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
