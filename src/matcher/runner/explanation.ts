import { BUDGET, PROGRAM_COST, UNITS_PER_STEP } from '../index/budget.ts';
import { symbolsOf } from '../index/symbols.ts';
import type { IndexExplanation } from '../index/verdict.ts';
import { StepBudget } from '../run/budget.ts';
import { searchPattern } from '../run/program.ts';
import { encodeText } from '../run/text.ts';
import type { CompiledPattern } from './compiled-pattern.ts';
import type { DecisionInput } from './decision.ts';

/** Budget for patterns run by their programs, as a multiple of the budget of a check. */
const PATIENCE = 10;

/** Runs all patterns. All sources must be available. */
export function explain(question: DecisionInput): IndexExplanation {
  const matches = new Set<number>();
  const open = new Set<number>();
  const programs = question.entries.map((list, form) => runLayouts(question, list, form, matches));
  let left = BUDGET * PATIENCE;
  programs.forEach((list, form) => {
    for (const entry of list) left -= runProgram(question, entry, form, left, matches, open);
  });
  const sorted = (keys: Iterable<number>) => [...keys].sort((a, b) => a - b);
  return { matches: sorted(matches), undecided: sorted(open).filter((key) => !matches.has(key)) };
}

/** Returns the patterns that have to be run by their programs, by key. */
function runLayouts(
  { forms, workshop, sourceOf }: DecisionInput,
  entries: readonly CompiledPattern[],
  form: number,
  matches: Set<number>,
): CompiledPattern[] {
  const text = symbolsOf(forms[form]!);
  const programs: CompiledPattern[] = [];
  for (const entry of entries) {
    if (entry.broken) continue;
    if (entry.hasLayout && !workshop.finds(entry, text, sourceOf)) continue;
    if (entry.prefilters) programs.push(entry);
    else matches.add(entry.key);
  }
  return programs.sort((a, b) => a.key - b.key);
}

/** Returns the cost. */
function runProgram(
  { forms, workshop, sourceOf }: DecisionInput,
  entry: CompiledPattern,
  form: number,
  left: number,
  matches: Set<number>,
  open: Set<number>,
): number {
  if (matches.has(entry.key)) return 0;
  const budget = new StepBudget(Math.max(0, Math.floor(Math.min(left, BUDGET) / UNITS_PER_STEP)));
  const before = budget.remaining;
  const found = searchPattern(workshop.program(entry, sourceOf)!, encodeText(forms[form]!), budget);
  if (found === 'match') matches.add(entry.key);
  else if (found === 'exhausted') open.add(entry.key);
  return PROGRAM_COST + (before - budget.remaining) * UNITS_PER_STEP;
}
