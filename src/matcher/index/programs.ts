import type { SearchResult, StepBudget } from '../run/budget.ts';
import { compileProgram, type Program, searchPattern } from '../run/program.ts';
import { encodeText } from '../run/text.ts';
import { parsePattern } from '../syntax/parse.ts';

export type { Program };

export function compile(source: string): Program {
  return compileProgram(parsePattern(source));
}

export function search(program: Program, text: string, budget: StepBudget): SearchResult {
  return searchPattern(program, encodeText(text), budget);
}
